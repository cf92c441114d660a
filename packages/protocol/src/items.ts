import { explain, NotTolerated, ProtocolViolation } from "./errors.js"
import { isJsonObject, type JsonObject } from "./json-rpc.js"
import type { ItemOf, PagedMethod } from "./method.js"
import type { PageRow } from "./method-row.js"
import { plainText } from "./plain-text.js"
import { validateTolerantly } from "./validate-tolerantly.js"
import { requests } from "./request.js"
import {
  tolerates,
  type Note,
  type ObservationCode,
  type ToleranceCode,
  type TolerancePolicy,
} from "./tolerance.js"

/** An item that was set aside, and why (C011). */
export interface Quarantined {
  /** The page it came on, from 0. */
  readonly page: number
  /** Its position on that page, from 0. */
  readonly index: number
  /**
   * What it calls itself (a name, URI, template or task id), where that can be read. Untrusted
   * text.
   */
  readonly name: string | undefined
  /** A JSON pointer from the item to the fault. */
  readonly pointer: string
  readonly reason: string
}

/** One page of a list, read. */
export interface Page<Item> {
  /** The good ones, in order: the objects the server sent. */
  readonly items: ReadonlyArray<Item>
  /** Where the next page begins; absent on the last one. `""` is a cursor like any other. */
  readonly nextCursor: string | undefined
  readonly quarantined: ReadonlyArray<Quarantined>
  /** One for each item that was left out, and at most one per other code. */
  readonly notes: ReadonlyArray<Note>
}

/** A page, or why it is none. */
export type PageReading<Item> =
  | ({ readonly ok: true } & Page<Item>)
  | { readonly ok: false; readonly error: ProtocolViolation | NotTolerated }

/** What the reader of a page has to know besides the page. */
export interface PageContext<M extends PagedMethod = PagedMethod> {
  /** The number of the page in this walk, from 0. */
  readonly page: number
  /** The server, as errors name it. */
  readonly target: string
  readonly policy: TolerancePolicy
  /**
   * Why a good item may not be handed out all the same, where it may not. That is an obligation and no
   * leniency, so that it does not depend on the policy (V26-XHDR-04).
   */
  readonly exclude?: (item: ItemOf<M>) => Exclusion | undefined
}

/** Why an item is left out. */
export interface Exclusion {
  readonly code: ObservationCode
  /** A JSON pointer from the item to the fault. */
  readonly pointer: string
  readonly reason: string
}

/** Notes that count: one per code, with the first sample. */
class Tally {
  readonly #counts = new Map<Note["code"], { readonly sample: string; count: number }>()

  add({ code, detail }: Note): void {
    const entry = this.#counts.get(code)
    if (entry === undefined) this.#counts.set(code, { sample: detail, count: 1 })
    else entry.count++
  }

  get notes(): ReadonlyArray<Note> {
    return [...this.#counts].map(([code, { sample, count }]) => ({
      code,
      detail: count === 1 ? sample : `${sample} and ${count - 1} more`,
    }))
  }
}

const nameOf = (item: unknown, key: string): string | undefined => {
  const name = isJsonObject(item) ? item[key] : undefined
  return typeof name === "string" ? name : undefined
}

/**
 * Reads one page of a list item by item: a broken one is set aside and costs none of the others
 * (tolerance `item-quarantined`). `nextCursor: null` counts as absent (V25-PAGE-05).
 *
 * Fails with `ProtocolViolation` where the page itself is broken, and with `NotTolerated` where a
 * deviation is met that the policy refuses.
 */
export const readPage = <M extends PagedMethod>(
  method: M,
  result: JsonObject,
  { page, target, policy, exclude }: PageContext<M>,
): PageReading<ItemOf<M>> => {
  const { member, key, item }: PageRow = requests[method].page
  const violation = (pointer: string, reason: string) => {
    const what = `${method}: ${reason} at ${pointer}.`
    const fields = explain("invalid-result", "list", target, what)
    return { ok: false, error: new ProtocolViolation({ ...fields, pointer }) } as const
  }
  const refusal = (tolerance: ToleranceCode, pointer: string, reason: string) => {
    const what = `${method}: ${reason} at ${pointer}.`
    const fields = explain("not-tolerated", "list", target, what)
    return { ok: false, error: new NotTolerated({ ...fields, tolerance }) } as const
  }

  const list = result[member]
  if (!Array.isArray(list)) {
    return violation(`/${member}`, list === undefined ? "Missing key" : "Expected array")
  }
  const { nextCursor } = result
  if (nextCursor !== undefined && nextCursor !== null && typeof nextCursor !== "string") {
    return violation("/nextCursor", "Expected string")
  }
  const tally = new Tally()
  if (nextCursor === null) {
    if (!tolerates(policy, "null-is-absent")) {
      return refusal("null-is-absent", "/nextCursor", "Expected string")
    }
    tally.add({ code: "null-is-absent", detail: "/nextCursor" })
  }

  const items: Array<ItemOf<M>> = []
  const quarantined: Array<Quarantined> = []
  const exclusions: Array<Note> = []
  for (let index = 0; index < list.length; index++) {
    const sent: unknown = list[index]
    const read = validateTolerantly(item, sent, policy)
    const place = `/${member}/${index}`
    if (read.ok) {
      const value = read.value as ItemOf<M> // the row's item is the shape of just this type
      const exclusion = exclude?.(value)
      if (exclusion === undefined) items.push(value)
      else {
        const { code, pointer, reason } = exclusion
        const name = nameOf(sent, key)
        const where = plainText(`${place}${pointer}`)
        quarantined.push({ page, index, name, pointer, reason })
        exclusions.push({ code, detail: `${plainText(name ?? "")}, ${where}: ${reason}` })
      }
      for (const { code, detail } of read.notes) tally.add({ code, detail: `${place}${detail}` })
      continue
    }
    const { pointer, reason, tolerance } = read
    if (!tolerates(policy, "item-quarantined")) {
      return refusal(tolerance ?? "item-quarantined", `${place}${pointer}`, reason)
    }
    quarantined.push({ page, index, name: nameOf(sent, key), pointer, reason })
    tally.add({ code: "item-quarantined", detail: `${place}${pointer}: ${reason}` })
  }
  const notes = exclusions.length === 0 ? tally.notes : [...tally.notes, ...exclusions]
  return { ok: true, items, nextCursor: nextCursor ?? undefined, quarantined, notes }
}
