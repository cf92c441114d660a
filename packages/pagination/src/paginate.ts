import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { FetchPage, Page } from "./page.js"
import { bounds, type PaginationPolicy } from "./policy.js"
import type { PaginationStopped } from "./stop.js"
import { Walker } from "./walker.js"

/** A list as streams. Each run of either stream is a walk of its own. */
export interface Pagination<Item, E = never, R = never, Meta = unknown> {
  /** Every page that arrives, empty ones included. */
  readonly pages: Stream.Stream<Page<Item, Meta>, PaginationStopped<Item, E>, R>
  /** The items of those pages. */
  readonly items: Stream.Stream<Item, PaginationStopped<Item, E>, R>
}

/**
 * Turns a function that fetches one page into streams over the whole list. A page is asked for when
 * the consumer wants it and not before, unless `prefetch` says so; interrupting a stream interrupts the
 * fetch under way in the same tick. A stream ends when the list does, or fails with
 * `PaginationStopped`, which carries the items so far; it has delivered all of them by then.
 *
 * When a walk starts again from page one, items that were delivered are not delivered again, and
 * `page.generation` is raised. Without `identify` a stream that has delivered items does not start again.
 *
 * @throws RangeError where the policy holds a number that cannot be used.
 * @example
 * const { items } = paginate((cursor) => listUsers(cursor), { identify: (user) => user.id })
 * const firstTen = Stream.runCollect(Stream.take(items, 10))
 */
export const paginate = <Item, E, R, Meta>(
  fetchPage: FetchPage<Item, E, R, Meta>,
  policy: PaginationPolicy<NoInfer<Item>, NoInfer<E>> = {},
): Pagination<Item, E, R, Meta> => {
  const limits = bounds(policy)
  const onDemand = Stream.fromPull(
    Effect.sync(() =>
      Effect.map(new Walker(fetchPage, limits, "streaming").next, (page): [Page<Item, Meta>] => [
        page,
      ]),
    ),
  )
  // The producer holds one page more than the buffer does.
  const pages =
    limits.prefetch === 0
      ? onDemand
      : Stream.bufferArray(onDemand, { capacity: limits.prefetch - 1 })
  return { pages, items: Stream.flattenIterable(Stream.map(pages, (page) => page.items)) }
}
