import { describe, expect, it } from "vitest"
import { matchesPattern } from "../../src/question/pattern.js"

describe("patterns of a form", () => {
  it.each([
    ["^\\d{5}(-\\d{4})?$", "12345-6789", true],
    ["^\\d{5}(-\\d{4})?$", "1234", false],
    ["^[^@]+@[^@]+\\.[a-z]+$", "someone@example.com", true],
    ["^(?:red|green|blue)$", "green", true],
    ["b", "abc", true],
    ["^\\p{Lu}", "Émile", true],
    ["^a{2,3}$", "aaaa", false],
    ["^(\\d{1,3})\\.(\\d{1,3})$", "10.20", true],
    ["[(+*|]", "(", true],
    ["\\(x\\)", "(x)", true],
    ["", "", true],
  ])("V25-ELI-04 V25-META-08 %s on %s is %s", (pattern, text, expected) => {
    expect(matchesPattern(pattern, text)).toBe(expected)
  })

  it.each([
    ["a repetition of repetitions", "^(a+)+$"],
    ["a repetition of alternatives", "^(a|aa)*$"],
    ["optional ones in a row", `^${"a?".repeat(40)}${"a".repeat(40)}$`],
    ["alternatives in a row", `^${"(a|a)".repeat(40)}$`],
    ["many stars", "^.*.*.*.*.*.*x$"],
    ["bounded repetitions of choices", "^(a{0,30}){0,30}$"],
    ["empty repetitions, multiplied", "^(((){1000}){1000}){1000}$"],
    ["looking ahead", "^(?=a*a*a*b)a"],
    ["looking back", "(?<=a)b"],
    ["a back-reference", "^(a*)\\1*b$"],
    ["a named one", "^(?<n>a*)\\k<n>b$"],
    ["no regular expression", "^[a"],
    ["brackets that do not match", "a)("],
    ["too long a one", "a".repeat(501)],
  ])("V25-META-08 %s is not tried", (_, pattern) => {
    expect(matchesPattern(pattern, "a".repeat(60))).toBeUndefined()
  })

  it("V25-META-08 what is tried comes to an end soon, also on long texts", () => {
    const text = `${"a".repeat(3_000)}!`
    expect(matchesPattern("^a*b", text)).toBe(false)
    expect(matchesPattern("a*a*b", text)).toBeUndefined()
  })
})
