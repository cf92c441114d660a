import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { describe, expect, it } from "vitest"
import { collect, paginate } from "../src/index.js"

/** A fetch that never answers, and says when it was started and when it was let go. */
const silent = () => {
  const state = { asked: 0, released: 0 }
  let started = () => {}
  const whenAsked = new Promise<void>((resolve) => (started = resolve))
  const fetchPage = () =>
    Effect.callback<{ readonly items: ReadonlyArray<string> }>(() => {
      state.asked++
      started()
      return Effect.sync(() => void state.released++)
    })
  return { state, whenAsked, fetchPage }
}

describe("interrupting", () => {
  for (const prefetch of [0, 1, 2]) {
    it(`a stream lets the page under way go in the same tick, prefetch ${prefetch}`, async () => {
      const { state, whenAsked, fetchPage } = silent()
      const fiber = Effect.runFork(Stream.runDrain(paginate(fetchPage, { prefetch }).items))
      await whenAsked
      expect(state).toEqual({ asked: 1, released: 0 })
      fiber.interruptUnsafe()
      expect(state).toEqual({ asked: 1, released: 1 })
    })
  }

  it("a collection lets the page under way go in the same tick", async () => {
    const { state, whenAsked, fetchPage } = silent()
    const fiber = Effect.runFork(collect(fetchPage, { deadline: "Infinity" }))
    await whenAsked
    fiber.interruptUnsafe()
    expect(state).toEqual({ asked: 1, released: 1 })
  })

  it("leaving a for await loop lets a prefetched page go", async () => {
    let released = 0
    const fetchPage = (cursor: string | undefined) =>
      cursor === undefined
        ? Effect.succeed({ items: ["a"], nextCursor: "two" })
        : Effect.onInterrupt(Effect.never, () => Effect.sync(() => void released++))
    for await (const item of Stream.toAsyncIterable(paginate(fetchPage, { prefetch: 1 }).items)) {
      expect(item).toBe("a")
      break
    }
    expect(released).toBe(1)
  })
})
