import * as Effect from "effect/Effect"
import type { FetchPage, Page } from "./page.js"
import { type Bounds, bounds, type PaginationPolicy } from "./policy.js"
import { PaginationStopped, type StopReason } from "./stop.js"
import { type Allowance, Walker } from "./walker.js"

/** What every collected walk holds. */
interface Collected<Item, Meta> {
  /** The items of the last generation, in the server's order. */
  readonly items: ReadonlyArray<Item>
  /** The pages they came on. */
  readonly pages: ReadonlyArray<Page<Item, Meta>>
  /** Whether the list changed while it was read, more often than the walk could start again. */
  readonly stale: boolean
}

/** A walk that came to the end of the list. */
export interface CompleteWalk<Item, Meta = unknown> extends Collected<Item, Meta> {
  readonly status: "complete"
}

/** A walk that did not, or whose result could not be confirmed. */
export interface PartialWalk<Item, E, Meta = unknown> extends Collected<Item, Meta> {
  readonly status: "partial"
  readonly reason: PartialReason<E>
}

/** A whole list in hand: it is complete, or says why not. */
export type Walk<Item, E = never, Meta = unknown> =
  | CompleteWalk<Item, Meta>
  | PartialWalk<Item, E, Meta>

/** Why a walk is partial. */
export type PartialReason<E> =
  | StopReason<E>
  /** `collectVerified` saw no two walks in a row with the same items. */
  | { readonly code: "walks-disagree"; readonly walks: number; readonly message: string }

/** A walk, and the number of its last generation. */
interface Finished<Item, E, Meta> {
  readonly walk: Walk<Item, E, Meta>
  readonly generation: number
}

/** Walks to the end, within what is left of an allowance. */
export const walkOnce = <Item, E, R, Meta>(
  fetchPage: FetchPage<Item, E, R, Meta>,
  limits: Bounds<Item, E>,
  allowance: Allowance,
  firstGeneration: number,
): Effect.Effect<Finished<Item, E, Meta>, never, R> => {
  const walker = new Walker(fetchPage, limits, "collecting", allowance, firstGeneration)
  const pages: Array<Page<Item, Meta>> = []
  const finished = (stopped?: PaginationStopped<Item, E>): Finished<Item, E, Meta> => {
    const current = pages.filter((page) => page.generation === walker.generation)
    const collected = { items: walker.items, pages: current, stale: walker.stale }
    const walk: Walk<Item, E, Meta> =
      stopped === undefined
        ? { status: "complete", ...collected }
        : { status: "partial", ...collected, reason: stopped.reason }
    return { walk, generation: walker.generation }
  }
  const keep = Effect.map(walker.next, (page) => void pages.push(page))
  // A pull says in its error channel how it ended; the loop has no other way out.
  return Effect.map(Effect.flip(Effect.forever(keep, { disableYield: true })), (end) =>
    finished(end instanceof PaginationStopped ? end : undefined),
  )
}

/**
 * Reads a whole list. It never fails: a walk that stops early is `partial`, says why, and keeps what had
 * arrived. After a restart it holds the items of the last generation only.
 *
 * @example
 * const walk = yield* collect((cursor) => listUsers(cursor), { identify: (user) => user.id })
 * if (walk.status === "partial") yield* Effect.logWarning(walk.reason.message)
 */
export const collect = <Item, E, R, Meta>(
  fetchPage: FetchPage<Item, E, R, Meta>,
  policy: PaginationPolicy<NoInfer<Item>, NoInfer<E>> = {},
): Effect.Effect<Walk<Item, E, Meta>, never, R> =>
  Effect.suspend(() => {
    const limits = bounds(policy)
    return Effect.map(
      walkOnce(fetchPage, limits, { leftMs: limits.deadlineMs }, 0),
      (finished) => finished.walk,
    )
  })
