import { InvalidInput, explain } from "@entente/protocol"

/** How much a store keeps. */
export interface StoreBounds {
  readonly maxEntries: number
  readonly maxBytes: number
}

/** Fills in the defaults. Throws `InvalidInput` for a bound that is no whole number above zero. */
export const storeBounds = (
  store: string,
  given: Partial<StoreBounds>,
  defaults: StoreBounds,
): StoreBounds => {
  const bounds = { ...defaults, ...given }
  for (const name of ["maxEntries", "maxBytes"] as const) {
    if (Number.isSafeInteger(bounds[name]) && bounds[name] > 0) continue
    const what = `${name} takes a whole number above zero, not ${String(bounds[name])}.`
    throw new InvalidInput(explain("invalid-input", "input", store, what))
  }
  return bounds
}
