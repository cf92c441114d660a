import { afterEach, expect, it, vi } from "vitest"

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

it.each([
  ["with setImmediate", true],
  ["as in a browser, without it", false],
])("the next turn comes after what is done at once, and in order (%s)", async (_, immediate) => {
  if (!immediate) vi.stubGlobal("setImmediate", undefined)
  vi.resetModules()
  const { nextTurn } = await import("../../src/wrapper/next-turn.js")
  const order: Array<string> = []
  await new Promise<void>((resolve) => {
    nextTurn(() => order.push("first turn"))
    nextTurn(() => {
      order.push("second turn")
      resolve()
    })
    queueMicrotask(() => order.push("at once"))
  })
  expect(order).toEqual(["at once", "first turn", "second turn"])
})
