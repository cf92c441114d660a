import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { collect, type FetchedPage, paginate, type PaginationPolicy } from "../src/index.js"
import { itself, server } from "./scripted-server.js"

/** A small generator of repeatable randomness (xorshift). */
const seeded = (seed: number) => {
  let state = (seed * 2_654_435_761 + 1) >>> 0
  const below = (limit: number): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state % limit
  }
  return { below, pick: <A>(from: ReadonlyArray<A>): A => from[below(from.length)] as A }
}

type Script = ReadonlyMap<string | undefined, FetchedPage<string, string>>

/** A server as a graph: each cursor leads to one page, and pages lead to cursors, in circles too. */
const randomScript = (seed: number): Script => {
  const { below, pick } = seeded(seed)
  const cursors = ["", "p", "q", "r", "s", "t"].slice(0, 1 + below(6))
  const script = new Map<string | undefined, FetchedPage<string, string>>()
  for (const cursor of [undefined, ...cursors]) {
    const items = Array.from({ length: below(4) }, () => `item ${below(8)}`)
    script.set(cursor, below(4) === 0 ? { items } : { items, nextCursor: pick(cursors) })
  }
  return script
}

/** The rules of a walk over a script, said in another way: the oracle. */
const expected = (script: Script, maxPages: number) => {
  const items: Array<string> = []
  const asked: Array<string | undefined> = []
  for (let cursor: string | undefined = undefined; ;) {
    asked.push(cursor)
    const page: FetchedPage<string, string> = script.get(cursor) ?? { items: [] }
    const before = items.length
    for (const item of page.items) if (!items.includes(item)) items.push(item)
    const next = page.nextCursor ?? undefined
    if (next === undefined) return { items, asked, end: "complete" }
    if (items.length === before && asked.includes(next)) {
      return { items, asked, end: next === "" ? "complete" : "cursor-loop" }
    }
    if (asked.length === maxPages) return { items, asked, end: "page-limit" }
    cursor = next
  }
}

const seeds = Array.from({ length: 150 }, (_, seed) => seed)
const policy: PaginationPolicy<string, unknown> = { identify: itself, maxPages: 12 }

describe("over any server", () => {
  it.effect(
    "a collected walk is what the rules say",
    () =>
      Effect.gen(function* () {
        const ends = new Set<string>()
        for (const seed of seeds) {
          const script = randomScript(seed)
          const { fetchPage, cursors } = server((cursor) => script.get(cursor) ?? { items: [] })
          const walk = yield* collect(fetchPage, policy)
          const end = walk.status === "complete" ? "complete" : walk.reason.code
          ends.add(end)
          expect({ seed, items: walk.items, asked: cursors, end }).toEqual({
            seed,
            ...expected(script, 12),
          })
        }
        expect(ends).toEqual(new Set(["complete", "cursor-loop"]))
      }),
    60_000,
  )

  it.effect(
    "a stream delivers the same, whatever is prefetched, and its error the same again",
    () =>
      Effect.gen(function* () {
        for (const seed of seeds) {
          const script = randomScript(seed)
          const oracle = expected(script, 12)
          for (const prefetch of [0, 1, 3]) {
            const { fetchPage } = server((cursor) => script.get(cursor) ?? { items: [] })
            const delivered: Array<string> = []
            const end = yield* paginate(fetchPage, { ...policy, prefetch }).items.pipe(
              Stream.runForEach((item) => Effect.sync(() => void delivered.push(item))),
              Effect.match({
                onSuccess: () => "complete",
                onFailure: (stopped) => {
                  expect(stopped.items).toEqual(delivered)
                  return stopped.code
                },
              }),
            )
            expect({ seed, items: delivered, end }).toEqual({
              seed,
              items: oracle.items,
              end: oracle.end,
            })
          }
        }
      }),
    60_000,
  )

  it.effect(
    "whenever the list changes, nothing is mixed, lost or delivered twice",
    () =>
      Effect.gen(function* () {
        for (const seed of seeds) {
          const { below } = seeded(seed)
          let version = 0
          const length = 1 + below(5)
          const list = server((cursor) => {
            const at = Number(cursor ?? 0)
            const items = ["kept", `v${version} p${at}`]
            if (below(4) === 0) version++
            return { items, ...(at + 1 < length ? { nextCursor: `${at + 1}` } : {}) }
          })
          const changing = { identify: itself, changeCount: () => version, maxRestarts: 2 }

          const walk = yield* collect(list.fetchPage, changing)
          expect(walk.status).toBe("complete")
          expect(walk.items).toHaveLength(length + 1)
          expect(list.cursors.length).toBeLessThanOrEqual(length * 3)
          const versions = new Set(walk.items.slice(1).map((item) => item.split(" ")[0]))
          expect(walk.stale || versions.size === 1).toBe(true)

          const delivered = yield* Stream.runCollect(paginate(list.fetchPage, changing).items)
          expect(new Set(delivered).size).toBe(delivered.length)
        }
      }),
    60_000,
  )
})
