import type { Meter } from "./meter.js"

/** A JSON value as text that is the same for equal values, whatever the order of their members. */
const canonical = (value: unknown, meter: Meter): string => {
  meter.spend(1)
  // Not JSON: a number too large for JavaScript would look like null.
  if (typeof value === "number") return String(value)
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((each) => canonical(each, meter)).join(",")}]`
  const members = Object.entries(value)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonical(member, meter)}`)
  return `{${members.join(",")}}`
}

/**
 * Whether a value is one of those in a list. The compiler's own way asks values for their `constructor` and
 * `valueOf`, which are members like any other in JSON, and compares with each one in turn.
 */
export const oneOf = (
  list: ReadonlyArray<unknown>,
  meter: Meter,
): ((value: unknown) => boolean) => {
  const texts = new Set(list.map((each) => canonical(each, meter)))
  return (value) => texts.has(canonical(value, meter))
}

/** Whether no two items are equal, found in one pass instead of comparing each with each. */
export const areDistinct = (items: ReadonlyArray<unknown>, meter: Meter): boolean => {
  const seen = new Set<string>()
  for (const item of items) {
    const text = canonical(item, meter)
    if (seen.has(text)) return false
    seen.add(text)
  }
  return true
}
