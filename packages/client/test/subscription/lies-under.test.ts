import { describe, expect, it } from "vitest"
import { liesUnder } from "../../src/subscription/lies-under.js"

describe("a URI that an update names", () => {
  it.each([
    ["file:///notes", "file:///notes"],
    ["file:///notes/today.md", "file:///notes"],
    ["file:///notes/today.md", "file:///notes/"],
    ["file:///notes#top", "file:///notes"],
    ["db://table?row=1", "db://table"],
    ["db://", "db://"],
    ["db://table", "db://"],
  ])("V26-SUB-14 V25-RES-03 %s is, or lies under, %s", (uri, parent) => {
    expect(liesUnder(uri, parent)).toBe(true)
  })

  it.each([
    ["file:///notes-old", "file:///notes"],
    ["file:///notes", "file:///notes/"],
    ["file:///", "file:///notes"],
    ["FILE:///notes", "file:///notes"],
    ["db://table2", "db://table"],
  ])("V26-SUB-14 V25-RES-03 %s does not lie under %s", (uri, parent) => {
    expect(liesUnder(uri, parent)).toBe(false)
  })
})
