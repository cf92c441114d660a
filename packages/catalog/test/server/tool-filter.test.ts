import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { toolFilter } from "../../src/server/tool-filter.js"

const passes = (name: string, allow?: ReadonlyArray<string>, deny?: ReadonlyArray<string>) =>
  toolFilter(allow, deny)(name) === undefined

describe("allow and deny", () => {
  it.each([
    ["read_file", ["read_*"], undefined, true],
    ["write_file", ["read_*"], undefined, false],
    ["read_secret", ["read_*"], ["*secret*"], false],
    ["anything", undefined, ["other"], true],
    ["files/read", ["files/*"], undefined, true],
    ["files/read", ["*"], undefined, true],
    ["read", ["{read,write}"], undefined, true],
    ["delete", ["!delete"], undefined, false],
    ["anything", [], undefined, false],
    ["Read", ["read"], undefined, false],
  ] as const)("%s with allow %j and deny %j passes: %s", (name, allow, deny, expected) => {
    expect(passes(name, allow, deny)).toBe(expected)
  })

  it("says which glob it was", () => {
    expect(toolFilter(undefined, ["a*", "b*"])("bad")).toBe('deny has "b*"')
    expect(toolFilter(["a*"], [])("bad")).toBe("allow does not name it")
  })

  it("`*` stands for whatever a server may write", () => {
    const name = fc.oneof(
      fc.string({ minLength: 1, unit: "binary", maxLength: 200 }),
      fc.constantFrom(
        ".",
        "..",
        "./a",
        "../a",
        "a/",
        "/",
        "a\nb",
        "\n",
        "*",
        "\\",
        "[",
        "!a",
        ".a",
      ),
    )
    fc.assert(
      fc.property(name, (name) => {
        expect(passes(name, ["*"])).toBe(true)
        expect(passes(name, undefined, ["*"])).toBe(false)
        expect(passes(`delete${name}`, undefined, ["delete*"])).toBe(false)
        expect(passes(`${name}delete`, undefined, ["*delete"])).toBe(false)
      }),
    )
  })

  it("keeps back what is too long to be judged, and at once", () => {
    const name = "a".repeat(1_000_000)
    expect(passes(name, undefined, ["*a*a*a*b"])).toBe(false)
    expect(passes(name, ["*"])).toBe(false)
    expect(passes(name)).toBe(true)
  })
})
