import { describe, expect, it } from "vitest"
import type { JsonObject } from "@entente/protocol"
import { OwnProgress } from "../../src/question/own-progress.js"

/** Progress on a clock that the test moves. */
const clocked = (token: unknown = "t") => {
  let now = 0
  const sent: Array<JsonObject> = []
  const progress = new OwnProgress(
    token,
    {},
    () => now,
    (params) => sent.push(params),
  )
  const later = (...values: Parameters<OwnProgress["tell"]>): void => {
    now += 1_000
    progress.tell(...values)
  }
  return { progress, later, values: () => sent.map((params) => params["progress"]), sent }
}

describe("progress of an answer of ours", () => {
  it("V25-PROG-04 only rises", () => {
    const { later, values } = clocked()
    for (const value of [1, 1, 0.5, 1.25, Number.NaN, Infinity, -1, 3]) later(value)
    expect(values()).toEqual([1, 1.25, 3])
  })

  it("V25-PROG-04 is told ten times a second at most", () => {
    const { progress, later, values } = clocked()
    later(1)
    for (let value = 2; value < 100; value++) progress.tell(value)
    later(100)
    expect(values()).toEqual([1, 100])
  })

  it("V25-PROG-04 is over with the answer", () => {
    const { progress, later, values } = clocked()
    later(1)
    progress.end()
    later(2)
    expect(values()).toEqual([1])
  })

  it("V25-PROG-04 says no more than it knows", () => {
    const { later, sent } = clocked(0)
    later(1)
    later(2, Infinity)
    later(3, 4, "nearly")
    expect(sent).toEqual([
      { progressToken: 0, progress: 1 },
      { progressToken: 0, progress: 2 },
      { progressToken: 0, progress: 3, total: 4, message: "nearly" },
    ])
  })
})
