import * as Effect from "effect/Effect"
import { type Walk, walkOnce } from "./collect.js"
import type { FetchPage } from "./page.js"
import { type Bounds, bounds, type PaginationPolicy } from "./policy.js"
import { jsonText } from "./progress.js"

/** Whole walks that are made before a list counts as unstable (C097). */
export const maxVerifyingWalks = 3

type Identities = ReadonlySet<string | undefined>

const identities = <Item, E>(
  items: ReadonlyArray<Item>,
  { identify }: Bounds<Item, E>,
): Identities => new Set(items.map((item) => (identify ?? jsonText)(item)))

/** An item without an identity is never known to be the same. */
const same = (one: Identities, other: Identities): boolean =>
  one.size === other.size && !one.has(undefined) && [...one].every((name) => other.has(name))

/**
 * Reads a whole list until two walks in a row bring the same items, in any order: the cure for servers
 * whose pages shift while they are read (C097). At most three walks are made; without agreement the
 * last one is `partial`, with the reason `walks-disagree`. The deadline covers all of them together. A
 * walk that stops early is the result at once. Without `identify`, items are compared by their JSON text.
 */
export const collectVerified = <Item, E, R, Meta>(
  fetchPage: FetchPage<Item, E, R, Meta>,
  policy: PaginationPolicy<NoInfer<Item>, NoInfer<E>> = {},
): Effect.Effect<Walk<Item, E, Meta>, never, R> =>
  Effect.gen(function* () {
    const limits = bounds(policy)
    const allowance = { leftMs: limits.deadlineMs }
    let generation = 0
    let before: Identities | undefined
    for (let walks = 1; ; walks++) {
      const finished = yield* walkOnce(fetchPage, limits, allowance, generation)
      const { walk } = finished
      if (walk.status === "partial") return walk
      const now = identities(walk.items, limits)
      if (before !== undefined && same(before, now)) return walk
      if (walks === maxVerifyingWalks) {
        const message = `no two of ${walks} walks in a row brought the same items`
        return { ...walk, status: "partial", reason: { code: "walks-disagree", walks, message } }
      }
      before = now
      generation = finished.generation + 1
    }
  })
