import { describe, expect, expectTypeOf, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { collect, collectVerified, maxVerifyingWalks, paginate } from "../src/index.js"
import { itself, noteBook, paged, type Refusal, server } from "./scripted-server.js"

/** A server that gives the n-th walk the n-th list of pages, and every later walk the last. */
const walks = (...lists: ReadonlyArray<ReadonlyArray<ReadonlyArray<string>>>) => {
  let walk = -1
  return server((cursor) => {
    if (cursor === undefined) walk++
    const pages = lists[Math.min(walk, lists.length - 1)] ?? []
    const at = Number(cursor ?? 0)
    return {
      items: pages[at] ?? [],
      ...(at + 1 < pages.length ? { nextCursor: `${at + 1}` } : {}),
    }
  })
}

describe("collect", () => {
  it.effect("C001 holds all items and the pages they came on", () =>
    Effect.gen(function* () {
      const { fetchPage, cursors } = paged(["a"], [], ["b", "a"])
      const book = noteBook()
      const walk = yield* collect(fetchPage, { identify: itself, onNote: book.onNote })
      expect(walk).toMatchObject({ status: "complete", items: ["a", "b"], stale: false })
      expect(walk.pages.map((page) => page.items)).toEqual([["a"], [], ["b"]])
      expect(cursors).toEqual([undefined, "p1", "p2"])
    }),
  )

  it.effect("never fails: what stopped it is the reason, and the items so far are kept", () =>
    Effect.gen(function* () {
      const { fetchPage } = server((cursor) =>
        cursor === undefined
          ? { items: ["a"], nextCursor: "two" }
          : Effect.fail({ refusal: "out of order" }),
      )
      const walk = yield* collect(fetchPage)
      expectTypeOf(collect(fetchPage)).toExtend<Effect.Effect<unknown>>()
      expect(walk).toMatchObject({
        status: "partial",
        items: ["a"],
        pages: [{ page: 1 }],
        reason: { code: "page-failed", error: { refusal: "out of order" } },
      })
    }),
  )

  it.effect("keeps its items under retain: false, which is for streams", () =>
    Effect.gen(function* () {
      const walk = yield* collect(paged(["a"], ["b"]).fetchPage, { retain: false })
      expect(walk.items).toEqual(["a", "b"])
    }),
  )

  it.effect("C100 is partial at the deadline, with the pages that came", () =>
    Effect.gen(function* () {
      const { fetchPage } = server((_, request) =>
        Effect.delay(Effect.succeed({ items: [`t${request}`], nextCursor: `c${request}` }), 9_000),
      )
      const fiber = yield* Effect.forkChild(collect(fetchPage, { deadline: "60 seconds" }))
      yield* TestClock.adjust("60 seconds")
      const walk = yield* Fiber.join(fiber)
      expect(walk).toMatchObject({ status: "partial", reason: { code: "walk-deadline" } })
      expect(walk.items).toHaveLength(6)
    }),
  )
})

describe("collectVerified", () => {
  it.effect("C097 walks until two walks in a row agree, and never mixes walks", () =>
    Effect.gen(function* () {
      const { fetchPage, cursors } = walks(
        [
          ["a", "b"],
          ["b", "c"],
        ],
        [
          ["a", "c"],
          ["d", "b"],
        ],
      )
      const walk = yield* collectVerified(fetchPage, { identify: itself })
      expect(walk).toMatchObject({ status: "complete", items: ["a", "c", "d", "b"] })
      expect(walk.pages.map((page) => page.generation)).toEqual([2, 2])
      expect(cursors).toEqual([undefined, "1", undefined, "1", undefined, "1"])
    }),
  )

  it.effect("two walks that agree in another order are enough", () =>
    Effect.gen(function* () {
      for (const policy of [{ identify: itself }, {}]) {
        const { fetchPage, cursors } = walks([["a", "b"]], [["b", "a"]])
        const walk = yield* collectVerified(fetchPage, policy)
        expect(walk).toMatchObject({ status: "complete", items: ["b", "a"] })
        expect(cursors).toHaveLength(2)
      }
    }),
  )

  it.effect("C097 without agreement the last of three walks is partial", () =>
    Effect.gen(function* () {
      const { fetchPage, cursors } = walks([["a"]], [["b"]], [["a"]])
      const walk = yield* collectVerified(fetchPage, { identify: itself })
      expect(cursors).toHaveLength(maxVerifyingWalks)
      expect(walk).toMatchObject({
        status: "partial",
        items: ["a"],
        reason: { code: "walks-disagree", walks: 3 },
      })
    }),
  )

  it.effect("a walk that stops early is the result at once", () =>
    Effect.gen(function* () {
      const { fetchPage, cursors } = server(() => Effect.fail({ refusal: "out of order" }))
      expect(yield* collectVerified(fetchPage)).toMatchObject({
        status: "partial",
        reason: { code: "page-failed" },
      })
      expect(cursors).toHaveLength(1)
    }),
  )

  it.effect("the deadline covers all the walks together", () =>
    Effect.gen(function* () {
      const { fetchPage } = server((_, request) =>
        Effect.delay(Effect.succeed({ items: [`t${request}`] }), "25 seconds"),
      )
      const fiber = yield* Effect.forkChild(collectVerified(fetchPage, { deadline: "60 seconds" }))
      yield* TestClock.adjust("60 seconds")
      expect(yield* Fiber.join(fiber)).toMatchObject({
        status: "partial",
        items: [],
        reason: { code: "walk-deadline", limitMs: 60_000 },
      })
    }),
  )

  it.effect("items that cannot be compared never agree", () =>
    Effect.gen(function* () {
      const walk = yield* collectVerified(() => Effect.succeed({ items: [1n] }))
      expect(walk).toMatchObject({ status: "partial", reason: { code: "walks-disagree" } })
    }),
  )
})

describe("a policy", () => {
  const { fetchPage } = paged(["a"])

  for (const [policy, complaint] of [
    [{ maxPages: 0 }, "maxPages takes a whole number from 1, or Infinity, not 0"],
    [{ maxPages: 1.5 }, "maxPages"],
    [{ maxItems: -1 }, "maxItems"],
    [{ maxItems: Number.NaN }, "maxItems"],
    [{ prefetch: Infinity }, "prefetch takes a whole number from 0, not Infinity"],
    [{ maxRestarts: -1 }, "maxRestarts"],
    [{ deadline: 0 }, "deadline takes a duration above zero, not 0 ms"],
  ] as const) {
    it(`refuses ${Object.keys(policy)[0]} = ${Object.values(policy)[0]}`, () => {
      expect(() => paginate(fetchPage, policy)).toThrow(RangeError)
      expect(() => paginate(fetchPage, policy)).toThrow(complaint)
      expect(() => Effect.runSync(collect(fetchPage, policy))).toThrow(complaint)
    })
  }

  it("takes its types from the fetch", () => {
    const { items } = paginate(fetchPage, { identify: (name) => name.toUpperCase() })
    expectTypeOf(items).toExtend<import("effect/Stream").Stream<string, unknown>>()
    // @ts-expect-error a policy for other items does not fit
    paginate(fetchPage, { identify: (item: { readonly id: string }) => item.id })
    const isCursorInvalid = (error: Refusal) => error.refusal === ""
    expectTypeOf<
      NonNullable<Parameters<typeof paginate<string, Refusal, never, string>>[1]>["isCursorInvalid"]
    >().toEqualTypeOf<typeof isCursorInvalid | undefined>()
  })
})
