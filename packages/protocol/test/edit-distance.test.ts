import { describe, expect, it } from "vitest"
import { editDistance } from "../src/index.js"

describe("editDistance", () => {
  it.each([
    ["", "", 0],
    ["", "abc", 3],
    ["sesion", "session", 1],
    ["kitten", "sitting", 3],
    ["abc", "cba", 2],
  ])("%s and %s: %i", (one, other, edits) => {
    expect(editDistance(one, other)).toBe(edits)
    expect(editDistance(other, one)).toBe(edits)
  })

  const words = ["", "a", "tool", "tools", "session", "sesion", "subscription", "noisses"]
  const limits = [1, 2, 3, 5, 8]

  it("is the limit where it takes that many or more, and exact below", () => {
    for (const one of words) {
      for (const other of words) {
        const exact = editDistance(one, other)
        const bounded = limits.map((limit) => editDistance(one, other, limit))
        expect(bounded).toEqual(limits.map((limit) => Math.min(limit, exact)))
      }
    }
  })
})
