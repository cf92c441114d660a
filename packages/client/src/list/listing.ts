import type { Quarantined } from "@entente/protocol"
import type { ListReason } from "./list-reason.js"

/** A list as it was read: complete, or with the reason why it is not. */
export interface Listing<Item> {
  /**
   * `complete`; `partial`: a guard or an error stopped it, the items so far are here; `unsupported`: the
   * capability is absent and nothing was sent; `unavailable`: advertised, but every attempt failed.
   */
  readonly status: "complete" | "partial" | "unsupported" | "unavailable"
  /**
   * Which content of the list this is: 1 for the first, and one more with every reading that brought other
   * items. 0 where the reading brought nothing that was kept. What is made from a listing keeps its number, and
   * can tell by it that it is old.
   */
  readonly version: number
  readonly pages: number
  /** What the server sent, unchanged; broken items are in `quarantined` instead. */
  readonly items: ReadonlyArray<Item>
  readonly quarantined: ReadonlyArray<Quarantined>
  /** Whether the list has changed, or its connection was lost, since it was read. */
  readonly stale: boolean
  /** Why it may be out of date: the last reading that failed, or `changed`, `missed`, `lost`, `expired`. */
  readonly staleBecause?: ListReason
  /** Whether the items differ from those of the last good listing; absent for the first. */
  readonly changed?: boolean
  /** Why the list is not complete. */
  readonly reason?: ListReason
}

/** A list that is not offered, and why: nothing was sent for it. */
export const unsupported = (message: string, version = 0): Listing<never> => ({
  status: "unsupported",
  version,
  pages: 0,
  items: [],
  quarantined: [],
  stale: false,
  reason: { code: "capability-missing", message },
})

/** One page of a list, without the items that earlier pages brought. */
export interface ListPage<Item> {
  /** From 1. */
  readonly page: number
  /** How often the walk has started again because the list changed or a cursor expired. */
  readonly generation: number
  readonly items: ReadonlyArray<Item>
  readonly quarantined: ReadonlyArray<Quarantined>
}

/**
 * How a list stands: `unknown` until it is first read; `fetching` and `refreshing` while it is read, the
 * latter with the last good one at hand; `live` when nothing speaks against it; `cached` when it was kept
 * from before this connection; `stale` when it may be out of date; `partial`, `unsupported` and `unavailable` as in
 * `Listing.status`; `ended` with the connection.
 */
export type ListState =
  | "unknown"
  | "cached"
  | "fetching"
  | "live"
  | "stale"
  | "refreshing"
  | "partial"
  | "unsupported"
  | "unavailable"
  | "ended"
