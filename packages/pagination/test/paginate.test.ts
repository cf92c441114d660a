import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { paginate } from "../src/index.js"
import { itself, noteBook, paged, server } from "./scripted-server.js"

describe("the items of a list", () => {
  it.effect(
    "C001 V25-PAGE-02 V26-PAGE-01 come from every page, and cursors go back byte for byte",
    () =>
      Effect.gen(function* () {
        const odd = 'p2 "\\\u0000\u00e9\u{1f600} =&%2F'
        const { fetchPage, cursors } = server((cursor) =>
          cursor === undefined ? { items: ["a"], nextCursor: odd } : { items: ["b"] },
        )
        const book = noteBook()
        const { items } = paginate(fetchPage, { identify: itself, onNote: book.onNote })
        expect(yield* Stream.runCollect(items)).toEqual(["a", "b"])
        expect(cursors).toEqual([undefined, odd])
        expect(book.notes).toEqual([])
      }),
  )

  it.effect('C004 V26-PAGE-02 go on after the cursor ""', () =>
    Effect.gen(function* () {
      const { fetchPage, cursors } = server((cursor) =>
        cursor === undefined ? { items: ["first"], nextCursor: "" } : { items: ["second"] },
      )
      expect(yield* Stream.runCollect(paginate(fetchPage).items)).toEqual(["first", "second"])
      expect(cursors).toEqual([undefined, ""])
    }),
  )

  it.effect("V25-PAGE-03 V26-PAGE-03 end where no cursor is named, or null", () =>
    Effect.gen(function* () {
      for (const end of [{}, { nextCursor: undefined }, { nextCursor: null }]) {
        const { fetchPage, cursors } = server(() => ({ items: ["only"], ...end }))
        expect(yield* Stream.runCollect(paginate(fetchPage).items)).toEqual(["only"])
        expect(cursors).toEqual([undefined])
      }
    }),
  )

  it.effect("V26-PAGE-04 V25-PAGE-02 come on pages of any size; an empty page is no end", () =>
    Effect.gen(function* () {
      const many = Array.from({ length: 500 }, (_, index) => `item ${index}`)
      const { fetchPage, cursors } = paged(["one"], [], [], many)
      expect(yield* Stream.runCollect(paginate(fetchPage, { identify: itself }).items)).toEqual([
        "one",
        ...many,
      ])
      expect(cursors).toHaveLength(4)
    }),
  )

  it.effect("V26-PAGE-08 C097 come once each, the first wins, and the overlap is noted", () =>
    Effect.gen(function* () {
      const { fetchPage } = paged(["a", "b"], ["b", "c"])
      const book = noteBook()
      const { items } = paginate(fetchPage, { identify: itself, onNote: book.onNote })
      expect(yield* Stream.runCollect(items)).toEqual(["a", "b", "c"])
      expect(book.notes).toEqual([{ code: "unstable-pagination", detail: 'page 2 repeats "b"' }])
    }),
  )

  it.effect("keep equal items apart where they have no identity", () =>
    Effect.gen(function* () {
      const { fetchPage } = paged(["tick", "tick"], ["tick"])
      expect(yield* Stream.runCollect(paginate(fetchPage).items)).toEqual(["tick", "tick", "tick"])
    }),
  )
})

describe("the pages of a list", () => {
  it.effect("carry position, cursors and whatever else came with them", () =>
    Effect.gen(function* () {
      const { fetchPage, positions } = server((cursor) =>
        cursor === undefined
          ? { items: ["a"], nextCursor: "x", meta: "fresh for 5 s" }
          : { items: [] },
      )
      expect(yield* Stream.runCollect(paginate(fetchPage).pages)).toEqual([
        {
          page: 1,
          generation: 0,
          cursor: undefined,
          nextCursor: "x",
          items: ["a"],
          meta: "fresh for 5 s",
        },
        { page: 2, generation: 0, cursor: "x", nextCursor: undefined, items: [], meta: undefined },
      ])
      expect(positions).toEqual([
        { page: 1, generation: 0 },
        { page: 2, generation: 0 },
      ])
    }),
  )

  it.effect("are walked anew by each run", () =>
    Effect.gen(function* () {
      const { fetchPage, cursors } = paged(["a"], ["b"])
      const { items } = paginate(fetchPage, { identify: itself })
      expect(yield* Stream.runCollect(items)).toEqual(["a", "b"])
      expect(yield* Stream.runCollect(items)).toEqual(["a", "b"])
      expect(cursors).toEqual([undefined, "p1", undefined, "p1"])
    }),
  )
})

describe("back-pressure", () => {
  /** How many pages were asked for while the consumer held page 1, 2 and 3. */
  const askedWhileHolding = (prefetch: number) =>
    Effect.gen(function* () {
      const { fetchPage, cursors } = paged(["1"], ["2"], ["3"], ["4"], ["5"], ["6"], ["7"], ["8"])
      const asked: Array<number> = []
      const { pages } = paginate(fetchPage, { prefetch })
      yield* Stream.runForEach(Stream.take(pages, 3), () =>
        Effect.andThen(
          Effect.repeat(Effect.yieldNow, { times: 20 }),
          Effect.sync(() => void asked.push(cursors.length)),
        ),
      )
      return asked
    })

  it.effect("asks for a page when the consumer wants it, and not before", () =>
    Effect.gen(function* () {
      expect(yield* askedWhileHolding(0)).toEqual([1, 2, 3])
    }),
  )

  it.effect("asks as far ahead as prefetch says, and no further", () =>
    Effect.gen(function* () {
      expect(yield* askedWhileHolding(1)).toEqual([2, 3, 4])
      expect(yield* askedWhileHolding(3)).toEqual([4, 5, 6])
    }),
  )

  it.effect("asks for nothing before the stream runs", () =>
    Effect.gen(function* () {
      const { fetchPage, cursors } = paged(["a"], ["b"])
      const { items } = paginate(fetchPage)
      yield* Effect.yieldNow
      expect(cursors).toEqual([])
      expect(yield* Stream.runCollect(Stream.take(items, 1))).toEqual(["a"])
      expect(cursors).toEqual([undefined])
    }),
  )

  it.effect("delivers what was prefetched before it fails", () =>
    Effect.gen(function* () {
      const { fetchPage } = server((cursor) =>
        cursor === "c2"
          ? Effect.fail({ refusal: "out of order" })
          : { items: [cursor ?? "c0"], nextCursor: cursor === undefined ? "c1" : "c2" },
      )
      const seen: Array<string> = []
      const { items } = paginate(fetchPage, { prefetch: 3 })
      const error = yield* Effect.flip(
        Stream.runForEach(items, (item) => Effect.sync(() => void seen.push(item))),
      )
      expect(seen).toEqual(["c0", "c1"])
      expect(error.items).toEqual(seen)
    }),
  )
})
