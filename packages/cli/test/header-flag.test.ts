import { describe, expect, it } from "vitest"
import { readHeader, readHeaders } from "../src/header-flag.js"

describe("--header", () => {
  it.each([
    ["Authorization: Bearer abc", ["Authorization", "Bearer abc"]],
    ["Authorization:Bearer abc", ["Authorization", "Bearer abc"]],
    ["X-Time: 10:30", ["X-Time", "10:30"]],
    ["X-Empty:", ["X-Empty", ""]],
  ])("reads %s", (text, expected) => {
    expect(readHeader(text)).toEqual(expected)
  })

  it.each([
    ["no colon", "Bearer secret"],
    ["CR and LF, which would begin another header", "X: secret\r\nY: 1"],
    ["a lone LF", "X: secret\nY: 1"],
    ["LF at the end", "X: secret\n"],
    ["NUL", "X: secret\u0000"],
    ["a name with a space", "X Y: secret"],
    ["no name", ": secret"],
    ["a character outside one byte", "X: secret☃"],
  ])("refuses %s, and does not repeat the value", (_, text) => {
    expect(() => readHeader(text)).toThrowError(/--header/)
    expect(() => readHeader(text)).not.toThrowError(/secret/)
  })

  it("takes each name once", () => {
    expect(readHeaders(["A:1", "B:2"])).toEqual({ A: "1", B: "2" })
    expect(() => readHeaders(["A:1", "a:2"])).toThrowError("--header a is given twice.")
  })
})
