import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { paginate, PaginationStopped, type PaginationPolicy } from "../src/index.js"
import { itself, noteBook, paged, type Refusal, server } from "./scripted-server.js"

const eight = ["t1", "t2", "t3", "t4", "t5", "t6", "t7", "t8"]

/** Runs the items of a list; what was delivered, and how it ended. */
const run = (
  { fetchPage }: ReturnType<typeof server>,
  policy: PaginationPolicy<string, Refusal> = {},
) =>
  Effect.gen(function* () {
    const delivered: Array<string> = []
    const { items } = paginate(fetchPage, policy)
    const error = yield* Stream.runForEach(items, (item) =>
      Effect.sync(() => void delivered.push(item)),
    ).pipe(Effect.match({ onFailure: (stopped) => stopped, onSuccess: () => undefined }))
    return { delivered, error }
  })

describe("progress", () => {
  for (const [title, policy] of [
    ["with identities", { identify: itself }],
    ["without identities", {}],
  ] as const) {
    it.effect(`C002 V25-PAGE-05 a server that ignores the cursor is asked twice, ${title}`, () =>
      Effect.gen(function* () {
        const stuck = server(() => ({ items: eight, nextCursor: "8" }))
        const book = noteBook()
        const { delivered, error } = yield* run(stuck, { ...policy, onNote: book.onNote })
        expect(stuck.cursors).toEqual([undefined, "8"])
        expect(new Set(delivered)).toEqual(new Set(eight))
        expect(error).toBeInstanceOf(PaginationStopped)
        expect(error?.code).toBe("cursor-loop")
        expect(error?.reason).toMatchObject({ cursor: "8" })
        expect(error?.pageCount).toBe(2)
        expect(book.codes()).toEqual(["cursor-loop"])
        expect(book.notes[0]?.detail).toContain('"8"')
      }),
    )

    it.effect(`C005 the cursor "" that leads nowhere is an end, with a note, ${title}`, () =>
      Effect.gen(function* () {
        const empty = server(() => ({ items: ["lookup"], nextCursor: "" }))
        const book = noteBook()
        const { delivered, error } = yield* run(empty, { ...policy, onNote: book.onNote })
        expect(empty.cursors).toEqual([undefined, ""])
        expect(new Set(delivered)).toEqual(new Set(["lookup"]))
        expect(error).toBeUndefined()
        expect(book.codes()).toEqual(["empty-cursor-repeated"])
      }),
    )

    it.effect(`a cursor that comes back with new items is followed on, ${title}`, () =>
      Effect.gen(function* () {
        const same = server((_, request) =>
          request < 4 ? { items: [`t${request}`], nextCursor: "next" } : { items: ["t4"] },
        )
        const { delivered, error } = yield* run(same, policy)
        expect(delivered).toEqual(["t1", "t2", "t3", "t4"])
        expect(error).toBeUndefined()
      }),
    )

    it.effect(`two cursors that lead to each other end the walk, ${title}`, () =>
      Effect.gen(function* () {
        const circle = server((cursor) =>
          cursor === "A"
            ? { items: ["a"], nextCursor: "B" }
            : { items: [cursor === "B" ? "b" : "first"], nextCursor: "A" },
        )
        const { error } = yield* run(circle, policy)
        expect(circle.cursors).toEqual([undefined, "A", "B", "A"])
        expect(error?.code).toBe("cursor-loop")
      }),
    )
  }

  it.effect("nothing new under a fresh cursor goes on", () =>
    Effect.gen(function* () {
      const { delivered, error } = yield* run(paged(["a"], ["a"], ["a", "b"]), { identify: itself })
      expect(delivered).toEqual(["a", "b"])
      expect(error).toBeUndefined()
    }),
  )

  it.effect("V25-PAGE-05 empty pages under one cursor end the walk", () =>
    Effect.gen(function* () {
      const empty = server(() => ({ items: [], nextCursor: "again" }))
      const { error } = yield* run(empty)
      expect(empty.cursors).toEqual([undefined, "again"])
      expect(error?.code).toBe("cursor-loop")
    }),
  )

  it.effect("an empty page at a used cursor brings nothing new", () =>
    Effect.gen(function* () {
      const dry = server((cursor) => ({
        items: cursor === undefined ? ["a"] : [],
        nextCursor: "x",
      }))
      const { error } = yield* run(dry)
      expect(dry.cursors).toEqual([undefined, "x"])
      expect(error?.code).toBe("cursor-loop")
    }),
  )

  it.effect("cursors too long to keep are still recognised, and quoted in part", () =>
    Effect.gen(function* () {
      const long = "x".repeat(100_000)
      const stuck = server(() => ({ items: eight, nextCursor: long }))
      const { error } = yield* run(stuck, { identify: itself })
      expect(stuck.cursors).toEqual([undefined, long])
      expect(error?.message.length).toBeLessThan(400)
      const turning = server((_, request) => ({ items: eight, nextCursor: `${long}${request}` }))
      expect((yield* run(turning, { identify: itself, maxPages: 5 })).error?.code).toBe(
        "page-limit",
      )
    }),
  )

  it.effect("items without a JSON text count as new until the page limit", () =>
    Effect.gen(function* () {
      const fetchPage = () => Effect.succeed({ items: [1n], nextCursor: "same" })
      const error = yield* Effect.flip(Stream.runDrain(paginate(fetchPage, { maxPages: 7 }).items))
      expect(error.code).toBe("page-limit")
      expect(error.itemCount).toBe(7)
    }),
  )

  it.effect("a note names at most five identities, and counts the rest", () =>
    Effect.gen(function* () {
      const book = noteBook()
      yield* run(paged(eight, eight), { identify: itself, onNote: book.onNote })
      expect(book.notes[0]?.detail).toBe('page 2 repeats "t1", "t2", "t3", "t4", "t5" and 3 more')
    }),
  )
})

describe("limits", () => {
  it.effect("V26-PAGE-07 endless fresh cursors end at the page limit, with the items so far", () =>
    Effect.gen(function* () {
      const endless = server((_, request) => ({
        items: [`t${request}`],
        nextCursor: `c${request}`,
      }))
      const { delivered, error } = yield* run(endless, { maxPages: 5 })
      expect(endless.cursors).toHaveLength(5)
      expect(delivered).toEqual(["t1", "t2", "t3", "t4", "t5"])
      expect(error?.reason).toMatchObject({ code: "page-limit", limit: 5 })
      expect(error?.items).toEqual(delivered)
    }),
  )

  it.effect("a list of exactly maxPages pages is complete", () =>
    Effect.gen(function* () {
      expect((yield* run(paged(["a"], ["b"]), { maxPages: 2 })).error).toBeUndefined()
      expect((yield* run(paged(["a"], ["b"]), { maxPages: 1 })).error?.code).toBe("page-limit")
    }),
  )

  it.effect(
    "the default bounds are 1,000 pages and 100,000 items",
    () =>
      Effect.gen(function* () {
        const endless = server((_, request) => ({
          items: [`t${request}`],
          nextCursor: `c${request}`,
        }))
        expect((yield* run(endless)).error?.pageCount).toBe(1_000)
        const big = server((_, request) => ({
          items: Array.from({ length: 60_000 }, (__, index) => `t${request}.${index}`),
          nextCursor: `c${request}`,
        }))
        expect((yield* run(big)).error?.reason).toMatchObject({
          code: "item-limit",
          limit: 100_000,
        })
      }),
    60_000,
  )

  for (const [title, policy] of [
    ["with identities", { identify: itself }],
    ["without identities", {}],
  ] as const) {
    it.effect(`the item limit cuts the page that breaks it, ${title}`, () =>
      Effect.gen(function* () {
        const list = paged(["a", "b"], ["c", "d", "e"], ["f"])
        const { delivered, error } = yield* run(list, { ...policy, maxItems: 4 })
        expect(delivered).toEqual(["a", "b", "c", "d"])
        expect(error?.reason).toMatchObject({ code: "item-limit", limit: 4 })
        expect(error?.items).toEqual(delivered)
        expect(list.cursors).toHaveLength(2)
      }),
    )

    it.effect(`a list of exactly maxItems items is complete, ${title}`, () =>
      Effect.gen(function* () {
        const { error } = yield* run(paged(["a", "b"], ["c"], []), { ...policy, maxItems: 3 })
        expect(error).toBeUndefined()
      }),
    )
  }

  it.effect("under a full item limit a new item at a used cursor is still the item limit", () =>
    Effect.gen(function* () {
      const same = server((_, request) => ({ items: [`t${request}`], nextCursor: "c" }))
      const { error } = yield* run(same, { identify: itself, maxItems: 2 })
      expect(error?.code).toBe("item-limit")
    }),
  )

  it.effect("retain: false keeps no items, and still counts them", () =>
    Effect.gen(function* () {
      const endless = server((_, request) => ({
        items: [`t${request}`],
        nextCursor: `c${request}`,
      }))
      const { delivered, error } = yield* run(endless, { maxPages: 3, retain: false })
      expect(delivered).toHaveLength(3)
      expect(error?.items).toEqual([])
      expect(error?.itemCount).toBe(3)
    }),
  )

  it.effect.each([
    [3, 3],
    [2, 0],
    [0, 0],
    [Infinity, 3],
  ] as const)("retain: %d keeps three items, or none of them: %d", ([retain, kept]) =>
    Effect.gen(function* () {
      const endless = server((_, request) => ({
        items: [`t${request}`],
        nextCursor: `c${request}`,
      }))
      const { delivered, error } = yield* run(endless, { maxPages: 3, retain })
      expect(delivered).toHaveLength(3)
      expect(error?.items).toHaveLength(kept)
      expect(error?.itemCount).toBe(3)
    }),
  )
})

describe("failures", () => {
  it.effect("a page that fails ends the stream with the items so far and the cause", () =>
    Effect.gen(function* () {
      const refusal = { refusal: "out of order" }
      const breaks = server((cursor) =>
        cursor === undefined ? { items: ["a"], nextCursor: "b" } : Effect.fail(refusal),
      )
      const { delivered, error } = yield* run(breaks)
      expect(delivered).toEqual(["a"])
      expect(error?.code).toBe("page-failed")
      expect(error?.cause).toBe(refusal)
      expect(error?.items).toEqual(["a"])
      expect(error?.message).toBe("page 2 could not be read")
    }),
  )

  it.effect("a defect in the fetch stays a defect", () =>
    Effect.gen(function* () {
      const broken = server(() => {
        throw new TypeError("a fault of the program")
      })
      const exit = yield* Effect.exit(run(broken))
      expect(String(exit)).toContain("a fault of the program")
    }),
  )
})

describe("the deadline", () => {
  /** 32 pages, each answered after 9 seconds, each cancelled when interrupted. */
  const slow = () => {
    const interrupted: Array<number> = []
    const list = server((_, request, { page }) =>
      Effect.sleep("9 seconds").pipe(
        Effect.as({
          items: [`t${request}`],
          ...(request < 32 ? { nextCursor: `c${request}` } : {}),
        }),
        Effect.onInterrupt(() => Effect.sync(() => void interrupted.push(page))),
      ),
    )
    return { list, interrupted }
  }
  const sixItems = ["t1", "t2", "t3", "t4", "t5", "t6"]

  it.effect("C100 covers the whole walk and interrupts the fetch under way", () =>
    Effect.gen(function* () {
      const { list, interrupted } = slow()
      const delivered: Array<string> = []
      const { items } = paginate(list.fetchPage, { deadline: "60 seconds" })
      const fiber = yield* Effect.forkChild(
        Effect.flip(
          Stream.runForEach(items, (item) => Effect.sync(() => void delivered.push(item))),
        ),
      )
      yield* TestClock.adjust("59999 millis")
      expect(delivered).toEqual(sixItems)
      expect(interrupted).toEqual([])
      yield* TestClock.adjust("1 millis")
      const error = yield* Fiber.join(fiber)
      expect(interrupted).toEqual([7])
      expect(list.cursors).toHaveLength(7)
      expect(error.reason).toMatchObject({ code: "walk-deadline", limitMs: 60_000 })
      expect(error.items).toEqual(sixItems)
    }),
  )

  it.effect("does not count the time the consumer takes", () =>
    Effect.gen(function* () {
      const { list } = slow()
      const delivered: Array<string> = []
      const fiber = yield* Effect.forkChild(
        Effect.flip(
          Stream.runForEach(paginate(list.fetchPage).items, (item) =>
            Effect.andThen(
              Effect.sleep("1 hours"),
              Effect.sync(() => void delivered.push(item)),
            ),
          ),
        ),
      )
      yield* TestClock.adjust("7 hours")
      expect((yield* Fiber.join(fiber)).code).toBe("walk-deadline")
      expect(delivered).toEqual(sixItems)
    }),
  )

  it.effect("asks for nothing more once it is used up", () =>
    Effect.gen(function* () {
      const { list } = slow()
      const fiber = yield* Effect.forkChild(
        Effect.flip(Stream.runDrain(paginate(list.fetchPage, { deadline: "18 seconds" }).items)),
      )
      yield* TestClock.adjust("18 seconds")
      expect((yield* Fiber.join(fiber)).items).toEqual(["t1", "t2"])
      expect(list.cursors).toHaveLength(2)
    }),
  )

  it.effect('is lifted by "Infinity"', () =>
    Effect.gen(function* () {
      const { list } = slow()
      const fiber = yield* Effect.forkChild(
        Stream.runCollect(paginate(list.fetchPage, { deadline: "Infinity" }).items),
      )
      yield* TestClock.adjust("1 hours")
      expect(yield* Fiber.join(fiber)).toHaveLength(32)
    }),
  )
})
