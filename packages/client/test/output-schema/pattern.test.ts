import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { limits } from "../../src/output-schema/limits.js"
import { Exhausted, Meter } from "../../src/output-schema/meter.js"
import { Automaton } from "../../src/output-schema/pattern/automaton.js"
import { UnusablePattern } from "../../src/output-schema/pattern/syntax.js"

const matches = (source: string, text: string): boolean =>
  new Automaton(source, new Meter(limits.steps)).test(text)

/** Patterns made of few letters, so that texts of the same letters often match. */
const pattern: fc.Arbitrary<string> = fc.letrec<{ choice: string; sequence: string; atom: string }>(
  (tie) => ({
    choice: fc.array(tie("sequence"), { minLength: 1, maxLength: 3 }).map((all) => all.join("|")),
    sequence: fc
      .array(
        fc.oneof(
          fc.constantFrom("^", "$", "\\b", "\\B"),
          fc
            .tuple(
              tie("atom"),
              fc.constantFrom("", "", "*", "+", "?", "{2}", "{1,}", "{0,3}", "*?", "+?"),
            )
            .map(([atom, sign]) => atom + sign),
        ),
        { maxLength: 4 },
      )
      .map((all) => all.join("")),
    atom: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constantFrom("a", "b", "-", " ", "é", "😀", ".", "[ab]", "[^a]", "[a-c\\d]", "\\d", "\\w"),
      fc.constantFrom("\\s", "\\S", "\\W", "\\.", "\\u0061", "\\x62", "\\p{L}", "\\u{1F600}"),
      fc.constantFrom("[\\]\\-]", "[^]", "[]", "\\cA", "\\/", "\\0"),
      tie("choice").chain((inner) => fc.constantFrom(`(${inner})`, `(?:${inner})`)),
    ),
  }),
).choice

const text = fc
  .array(
    fc.constantFrom("a", "b", "c", "-", " ", "1", "_", "é", "😀", "\n", "\u2028", "\0", "]", "."),
    {
      maxLength: 8,
    },
  )
  .map((all) => all.join(""))

describe("the patterns of a schema", () => {
  it("V26-SCHEMA-06 match exactly what ECMAScript's own engine matches", () => {
    let matched = 0
    const property = fc.property(pattern, text, (source, subject) => {
      // V8 looks for \\B between the halves of a character too, against ECMA-262 (22.2.7.2, AdvanceStringIndex).
      fc.pre(!(source.includes("\\B") && subject.includes("😀")))
      const expected = new RegExp(source, "u").test(subject)
      if (expected) matched++
      expect(matches(source, subject)).toBe(expected)
    })
    fc.assert(property, { numRuns: 3_000 })
    // Otherwise it would have shown nothing.
    expect(matched).toBeGreaterThan(500)
  })

  it.each([
    ["^[\\w-.]+$", "a-b.c", true],
    ["^[\\w-.]+$", "a b", false],
    ["\\-\\_", "-_", true],
    ["a{,2}", "a{,2}", true],
    ["^{x}$", "{x}", true],
    ["^{.$", "{😀", false],
  ])(
    "those that are none in the Unicode reading have the older meaning: %s",
    (source, subject, is) => {
      expect(() => new RegExp(source, "u")).toThrow(SyntaxError) // or else it proves nothing
      expect(new RegExp(source).test(subject)).toBe(is)
      expect(matches(source, subject)).toBe(is)
    },
  )

  it.each([
    ["(a+)+$", `${"a".repeat(50_000)}b`],
    ["^(?:a|a|aa)*$", `${"a".repeat(50_000)}b`],
    ["(.*)*=(.*)*;", "=".repeat(50_000)],
    ["^(([a-z])+.)+[A-Z]([a-z])+$", "a".repeat(50_000)],
  ])("V26-SCHEMA-06 V25-META-08 do not run away: %s", (source, subject) => {
    // The step limit would end it as well, but it is not even reached.
    expect(matches(source, subject)).toBe(false)
  })

  it("V26-SCHEMA-06 count their work", () => {
    const meter = new Meter(1_000)
    expect(new Automaton("a.*b", meter).test("a".repeat(100))).toBe(false)
    meter.reset()
    expect(() => new Automaton("a.*b", meter).test("a".repeat(1_000))).toThrow(Exhausted)
  })

  it.each([
    ["(?=a)a", "looks around"],
    ["(?<!a)b", "looks around"],
    ["(a)\\1", "refers back"],
    ["(?<n>a)\\k<n>", "refers back"],
    ["(?:a{1000}){1000}", "too large"],
    ["(?:a{0,1000}){1000}", "too large"],
    ["(", "no regular expression"],
    ["[z-a]", "no regular expression"],
  ])("those that need more than linear time, or are none, are refused: %s", (source, reason) => {
    expect(() => new Automaton(source, new Meter(1))).toThrow(UnusablePattern)
    expect(() => new Automaton(source, new Meter(1))).toThrow(reason)
  })
})
