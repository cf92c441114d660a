import * as Duration from "effect/Duration"

/** Something harmless that a walk noticed. The codes are stable, the details are for people. */
export interface PaginationNote {
  readonly code:
    | "cursor-loop"
    | "empty-cursor-repeated"
    | "unstable-pagination"
    | "walk-restarted"
    | "changed-while-listing"
  /** What exactly. It may quote cursors and identities, which are the server's text: escape it to show it. */
  readonly detail: string
}

/** How far a walk may go, and how it recognises things. Every member is optional. */
export interface PaginationPolicy<Item, E> {
  /** Pages in one generation; default 1,000. More is the stop `page-limit`. `Infinity` lifts it. */
  readonly maxPages?: number
  /** Items in one generation; default 100,000. One more is the stop `item-limit`. `Infinity` lifts it. */
  readonly maxItems?: number
  /**
   * How long a walk may wait for pages, all pages and restarts together; default 60 seconds. A fetch
   * under way at the deadline is interrupted (C100). Time the consumer takes between pages does not
   * count: a slow reader is no fault of the server. `"Infinity"` lifts it.
   */
  readonly deadline?: Duration.Input
  /** How many pages a stream asks for before the consumer wants them; default 0. */
  readonly prefetch?: number
  /**
   * The identity of an item. With it, an item that comes again is dropped (the first wins, V26-PAGE-08),
   * and a page makes progress if it brings an unknown identity. Without it nothing is dropped, and a
   * page makes progress if its JSON text was not seen before.
   */
  readonly identify?: (item: Item) => string
  /**
   * Whether a failure says that the cursor is no longer good. The walk then starts again from page
   * one, once (V25-PAGE-04, V26-PAGE-05).
   */
  readonly isCursorInvalid?: (error: E) => boolean
  /**
   * A counter that the owner raises when the list changed. A walk that sees it move before its last page
   * is in starts again from page one, at most `maxRestarts` times; then it finishes and says that it is
   * out of date. The pages of two generations are never mixed (C097).
   */
  readonly changeCount?: () => number
  /** Restarts because of `changeCount`; default 2. */
  readonly maxRestarts?: number
  /**
   * Whether a stream keeps the items of the current generation, so that its error can carry them;
   * default true. `false` makes memory independent of the items, and `PaginationStopped.items` empty. A number
   * keeps them as long as there are no more, and none of them from then on: never a part of what came.
   */
  readonly retain?: boolean | number
  /** Is told what was noticed. It must not throw. */
  readonly onNote?: (note: PaginationNote) => void
}

/** A policy with every gap filled. */
export interface Bounds<Item, E> {
  readonly maxPages: number
  readonly maxItems: number
  readonly deadlineMs: number
  readonly prefetch: number
  readonly identify: ((item: Item) => string) | undefined
  readonly isCursorInvalid: (error: E) => boolean
  readonly changeCount: () => number
  readonly maxRestarts: number
  /** The most items that are kept for an error. */
  readonly retain: number
  readonly note: (code: PaginationNote["code"], detail: string) => void
}

const count = (name: string, value: number, least: number, most: number): number => {
  if ((Number.isInteger(value) || value === Infinity) && value >= least && value <= most)
    return value
  const finite = most === Infinity ? ", or Infinity" : ""
  throw new RangeError(`${name} takes a whole number from ${least}${finite}, not ${value}`)
}

const milliseconds = (deadline: Duration.Input): number => {
  const value = Duration.toMillis(deadline)
  if (value > 0) return value
  throw new RangeError(`deadline takes a duration above zero, not ${value} ms`)
}

const retained = (retain: boolean | number): number => {
  if (typeof retain === "number") return count("retain", retain, 0, Infinity)
  return retain ? Infinity : 0
}

/**
 * Fills the gaps of a policy.
 *
 * @throws RangeError where a number cannot be used; that is a fault of the program, not of the server.
 */
export const bounds = <Item, E>(policy: PaginationPolicy<Item, E>): Bounds<Item, E> => ({
  maxPages: count("maxPages", policy.maxPages ?? 1_000, 1, Infinity),
  maxItems: count("maxItems", policy.maxItems ?? 100_000, 0, Infinity),
  deadlineMs: milliseconds(policy.deadline ?? "60 seconds"),
  prefetch: count("prefetch", policy.prefetch ?? 0, 0, Number.MAX_SAFE_INTEGER),
  identify: policy.identify,
  isCursorInvalid: policy.isCursorInvalid ?? (() => false),
  changeCount: policy.changeCount ?? (() => 0),
  maxRestarts: count("maxRestarts", policy.maxRestarts ?? 2, 0, Number.MAX_SAFE_INTEGER),
  retain: retained(policy.retain ?? true),
  note: (code, detail) => policy.onNote?.({ code, detail }),
})
