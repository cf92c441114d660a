import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { collect, paginate } from "../src/index.js"
import { itself, noteBook, type Refusal, server } from "./scripted-server.js"

const isCursorInvalid = (error: Refusal) => error.refusal === "invalid cursor"
const invalid = Effect.fail({ refusal: "invalid cursor" })

/** A list of two pages that changes while page two is fetched, as often as said. */
const restless = (changes: number) => {
  let count = 0
  const list = server((cursor, _, { generation }) => {
    if (cursor === undefined) return { items: [`a${generation}`, "kept"], nextCursor: "two" }
    if (count < changes) count++
    return { items: [`b${generation}`] }
  })
  return { ...list, changeCount: () => count }
}

describe("a cursor that is no longer good", () => {
  it.effect("V25-PAGE-04 V26-PAGE-05 starts again from page one and drops what was read", () =>
    Effect.gen(function* () {
      const list = server((cursor, request) =>
        cursor === undefined
          ? { items: [`a${request}`], nextCursor: "two" }
          : request === 2
            ? invalid
            : { items: ["b"] },
      )
      const book = noteBook()
      const walk = yield* collect(list.fetchPage, { isCursorInvalid, onNote: book.onNote })
      expect(list.cursors).toEqual([undefined, "two", undefined, "two"])
      expect(walk).toMatchObject({ status: "complete", items: ["a3", "b"], stale: false })
      expect(walk.pages.map((page) => page.generation)).toEqual([1, 1])
      expect(book.notes).toEqual([
        { code: "walk-restarted", detail: "the cursor of page 2 was refused" },
      ])
    }),
  )

  it.effect("starts again only once", () =>
    Effect.gen(function* () {
      const list = server((cursor) =>
        cursor === undefined ? { items: ["a"], nextCursor: "two" } : invalid,
      )
      const walk = yield* collect(list.fetchPage, { isCursorInvalid })
      expect(list.cursors).toEqual([undefined, "two", undefined, "two"])
      expect(walk).toMatchObject({
        status: "partial",
        items: ["a"],
        reason: { code: "cursor-invalid", cursor: "two", error: { refusal: "invalid cursor" } },
      })
    }),
  )

  it.effect("is no explanation where no cursor was sent", () =>
    Effect.gen(function* () {
      const list = server(() => invalid)
      const walk = yield* collect(list.fetchPage, { isCursorInvalid })
      expect(list.cursors).toEqual([undefined])
      expect(walk).toMatchObject({ status: "partial", items: [], reason: { code: "page-failed" } })
    }),
  )

  it.effect("other failures end the walk at once", () =>
    Effect.gen(function* () {
      const list = server((cursor) =>
        cursor === undefined
          ? { items: ["a"], nextCursor: "two" }
          : Effect.fail({ refusal: "out of order" }),
      )
      const walk = yield* collect(list.fetchPage, { isCursorInvalid })
      expect(list.cursors).toEqual([undefined, "two"])
      expect(walk).toMatchObject({ status: "partial", reason: { code: "page-failed" } })
    }),
  )
})

describe("a list that changes while it is read", () => {
  it.effect("C097 is read again from page one, and only the last generation counts", () =>
    Effect.gen(function* () {
      const list = restless(1)
      const book = noteBook()
      const walk = yield* collect(list.fetchPage, {
        identify: itself,
        changeCount: list.changeCount,
        onNote: book.onNote,
      })
      expect(list.cursors).toEqual([undefined, "two", undefined, "two"])
      expect(walk).toMatchObject({ status: "complete", items: ["a1", "kept", "b1"], stale: false })
      expect(walk.pages.map((page) => page.items)).toEqual([["a1", "kept"], ["b1"]])
      expect(book.codes()).toEqual(["walk-restarted"])
    }),
  )

  it.effect("C097 is read three times at most, then says that it is out of date", () =>
    Effect.gen(function* () {
      const list = restless(Infinity)
      const book = noteBook()
      const walk = yield* collect(list.fetchPage, {
        changeCount: list.changeCount,
        onNote: book.onNote,
      })
      expect(list.cursors).toHaveLength(6)
      expect(walk).toMatchObject({ status: "complete", items: ["a2", "kept", "b2"], stale: true })
      expect(book.codes()).toEqual(["walk-restarted", "walk-restarted", "changed-while-listing"])
    }),
  )

  it.effect("a generation of which no page came leaves no pages of the one before", () =>
    Effect.gen(function* () {
      const list = restless(1)
      const fetchPage: typeof list.fetchPage = (cursor, at) =>
        at.generation === 1 ? Effect.fail({ refusal: "out of order" }) : list.fetchPage(cursor, at)
      let asked = 0
      const walk = yield* collect(fetchPage, { changeCount: () => Number(++asked > 2) })
      expect(walk).toMatchObject({ status: "partial", items: [], pages: [] })
    }),
  )

  it.effect("is said to be out of date once, however often it changes then", () =>
    Effect.gen(function* () {
      let count = 0
      const list = server((_, request) => {
        count++
        return { items: [`t${request}`], ...(request < 4 && { nextCursor: `c${request}` }) }
      })
      const book = noteBook()
      const policy = { changeCount: () => count, maxRestarts: 0, onNote: book.onNote }
      expect(yield* collect(list.fetchPage, policy)).toMatchObject({ stale: true })
      expect(book.codes()).toEqual(["changed-while-listing"])
    }),
  )

  it.effect("is not read again under maxRestarts: 0", () =>
    Effect.gen(function* () {
      const list = restless(1)
      const walk = yield* collect(list.fetchPage, { changeCount: list.changeCount, maxRestarts: 0 })
      expect(list.cursors).toHaveLength(2)
      expect(walk).toMatchObject({ status: "complete", items: ["a0", "kept", "b0"], stale: true })
    }),
  )

  it.effect("a change between two pages is seen before the next is asked for", () =>
    Effect.gen(function* () {
      let count = 0
      const list = server((cursor, _, { generation }) =>
        cursor === undefined
          ? { items: [`a${generation}`], nextCursor: "two" }
          : { items: [`b${generation}`] },
      )
      const delivered: Array<string> = []
      const { pages } = paginate(list.fetchPage, { identify: itself, changeCount: () => count })
      yield* Stream.runForEach(pages, (page) =>
        Effect.sync(() => {
          delivered.push(...page.items)
          if (page.generation === 0) count++
        }),
      )
      expect(list.cursors).toEqual([undefined, undefined, "two"])
      expect(delivered).toEqual(["a0", "a1", "b1"])
    }),
  )

  it.effect(
    "V25-LIST-02 a single page is read again too, and said to be out of date in the end",
    () =>
      Effect.gen(function* () {
        let count = 0
        const list = server(() => {
          count++
          return { items: ["a"] }
        })
        const book = noteBook()
        const walk = yield* collect(list.fetchPage, {
          changeCount: () => count,
          onNote: book.onNote,
        })
        expect(list.cursors).toHaveLength(3)
        expect(walk).toMatchObject({ status: "complete", items: ["a"], stale: true })
        expect(book.codes()).toEqual(["walk-restarted", "walk-restarted", "changed-while-listing"])
      }),
  )

  it.effect("a change after the last page is not the walk's business", () =>
    Effect.gen(function* () {
      let count = 0
      const list = server(() => ({ items: ["a"] }))
      const book = noteBook()
      const { items } = paginate(list.fetchPage, {
        changeCount: () => count,
        onNote: book.onNote,
      })
      yield* Stream.runForEach(items, () => Effect.sync(() => void count++))
      expect(list.cursors).toHaveLength(1)
      expect(book.notes).toEqual([])
    }),
  )
})

describe("a stream that starts again", () => {
  it.effect("delivers nothing twice, and its pages say the generation", () =>
    Effect.gen(function* () {
      const list = restless(1)
      const { pages } = paginate(list.fetchPage, {
        identify: itself,
        changeCount: list.changeCount,
      })
      const seen = yield* Stream.runCollect(pages)
      expect(seen.map(({ page, generation, items }) => [generation, page, items])).toEqual([
        [0, 1, ["a0", "kept"]],
        [1, 1, ["a1"]],
        [1, 2, ["b1"]],
      ])
    }),
  )

  it.effect("judges progress by the new generation, not by what was delivered", () =>
    Effect.gen(function* () {
      const list = server((cursor, request) =>
        cursor === undefined
          ? { items: ["a"], nextCursor: "same" }
          : request === 3
            ? invalid
            : {
                items: [request % 2 === 0 ? "b" : "c"],
                ...(request < 6 && { nextCursor: "same" }),
              },
      )
      const { items } = paginate(list.fetchPage, { identify: itself, isCursorInvalid })
      expect(yield* Stream.runCollect(items)).toEqual(["a", "b", "c"])
      expect(list.cursors).toEqual([undefined, "same", "same", undefined, "same", "same"])
    }),
  )

  it.effect("its error carries the items of the last generation only", () =>
    Effect.gen(function* () {
      const list = restless(1)
      const fetchPage: typeof list.fetchPage = (cursor, at) =>
        at.generation === 1 && at.page === 2
          ? Effect.fail({ refusal: "out of order" })
          : list.fetchPage(cursor, at)
      const { items } = paginate(fetchPage, { identify: itself, changeCount: list.changeCount })
      const error = yield* Effect.flip(Stream.runDrain(items))
      expect(error.items).toEqual(["a1", "kept"])
      expect(error).toMatchObject({ itemCount: 2, pageCount: 1 })
    }),
  )

  it.effect("without identities goes on after a change, and says that it is out of date", () =>
    Effect.gen(function* () {
      const list = restless(1)
      const book = noteBook()
      const { items } = paginate(list.fetchPage, {
        changeCount: list.changeCount,
        onNote: book.onNote,
      })
      expect(yield* Stream.runCollect(items)).toEqual(["a0", "kept", "b0"])
      expect(book.codes()).toEqual(["changed-while-listing"])
    }),
  )

  it.effect("without identities ends at an invalid cursor, once it has delivered anything", () =>
    Effect.gen(function* () {
      const full = server((cursor) =>
        cursor === undefined ? { items: ["a"], nextCursor: "two" } : invalid,
      )
      const error = yield* Effect.flip(
        Stream.runDrain(paginate(full.fetchPage, { isCursorInvalid }).items),
      )
      expect(error.code).toBe("cursor-invalid")
      expect(full.cursors).toEqual([undefined, "two"])

      const empty = server((cursor, request) =>
        request === 2
          ? invalid
          : cursor === undefined
            ? { items: [], nextCursor: "two" }
            : { items: ["b"] },
      )
      const { items } = paginate(empty.fetchPage, { isCursorInvalid })
      expect(yield* Stream.runCollect(items)).toEqual(["b"])
    }),
  )
})
