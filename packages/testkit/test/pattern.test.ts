import { describe, expect, it } from "vitest"
import { matchesPattern } from "../src/pattern.js"

describe("patterns", () => {
  it.each([
    ["a literal", "a", "a", true],
    ["another literal", "a", "b", false],
    ["null is a value", null, null, true],
    ["null is not absent", null, undefined, false],
    ["objects in part", { a: 1 }, { a: 1, b: 2 }, true],
    ["a member that differs", { a: 1 }, { a: 2 }, false],
    ["a member that is not there", { a: 1 }, {}, false],
    ["nested objects in part", { a: { b: 1 } }, { a: { b: 1, c: 2 } }, true],
    ["arrays as a whole", [1, 2], [1, 2], true],
    ["a longer array", [1], [1, 2], false],
    ["objects inside arrays in part", [{ a: 1 }], [{ a: 1, b: 2 }], true],
    ["an inherited member", { toString: { $present: true } }, {}, false],
    ["$present", { $present: true }, "", true],
    ["$present of nothing", { $present: true }, undefined, false],
    ["$present: false", { $present: false }, undefined, true],
    ["$present: false below nothing", { a: { b: { $present: false } } }, undefined, true],
    ["$oneOf", { $oneOf: ["a", "b"] }, "b", true],
    ["$oneOf compares deeply", { $oneOf: [{ a: [1] }] }, { a: [1] }, true],
    ["$oneOf compares whole objects", { $oneOf: [{ a: 1 }] }, { a: 1, b: 2 }, false],
    ["$oneOf without a hit", { $oneOf: ["a"] }, "b", false],
    ["$noneOf", { $noneOf: ["a"] }, "b", true],
    ["$noneOf with a hit", { $noneOf: ["a"] }, "a", false],
    ["$noneOf of nothing", { $noneOf: ["a"] }, undefined, false],
    ["$lacks", { $lacks: "html" }, "text/plain", true],
    ["$lacks with a hit", { $lacks: "html" }, "text/html", false],
    ["$lacks of nothing", { $lacks: "html" }, undefined, true],
    ["two members are no operator", { $present: true, a: 1 }, "x", false],
  ])("%s", (_, pattern, value, expected) => {
    expect(matchesPattern(pattern, value)).toBe(expected)
  })
})
