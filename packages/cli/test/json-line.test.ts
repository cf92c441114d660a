import { describe, expect, it } from "vitest"
import { jsonLine } from "../src/render/json-line.js"

describe("jsonLine", () => {
  it("hides nothing and changes nothing", () => {
    const value = { text: "a\n\u001b[2J\u009b\u007f\u202e\u200b\u2028\u{e0041} naïve 🦊" }
    const line = jsonLine(value)
    expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u)
    expect(line).toContain("naïve 🦊")
    expect(JSON.parse(line)).toEqual(value)
  })
})
