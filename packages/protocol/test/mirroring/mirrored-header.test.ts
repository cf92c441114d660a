import { describe, expect, it } from "vitest"
import {
  mirroredHeaders,
  mirroredParameters,
  type JsonObject,
  type MirroredParameter,
  type MirroredType,
} from "../../src/index.js"

const one = (
  type: MirroredType,
  ...path: ReadonlyArray<string>
): ReadonlyArray<MirroredParameter> => [{ path: path.length === 0 ? ["a"] : path, name: "A", type }]
const header = (value: string) => ({ ok: true, headers: { "Mcp-Param-A": value } })
const none = { ok: true, headers: {} }

describe("the header of an argument", () => {
  it.each<[id: string, type: MirroredType, value: unknown, header: string]>([
    ["V26-XHDR-08", "string", "us-west1", "us-west1"],
    ["V26-XHDR-08", "string", "", ""],
    ["V26-XHDR-08", "string", "42", "42"],
    ["V26-XHDR-08", "string", "null", "null"],
    ["V26-XHDR-08", "integer", 42, "42"],
    ["V26-XHDR-08", "integer", -7, "-7"],
    ["V26-XHDR-08", "integer", 0, "0"],
    ["V26-XHDR-08", "integer", -0, "0"],
    ["V26-XHDR-08", "integer", 5.0, "5"],
    ["V26-XHDR-03 d", "integer", 2 ** 53 - 1, "9007199254740991"],
    ["V26-XHDR-03 d", "integer", -(2 ** 53) + 1, "-9007199254740991"],
    ["V26-XHDR-08", "boolean", true, "true"],
    ["V26-XHDR-08", "boolean", false, "false"],
    ["V26-XHDR-09", "string", "Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="],
    ["V26-XHDR-09", "string", " padded ", "=?base64?IHBhZGRlZCA=?="],
    ["V26-XHDR-09", "string", "line1\nline2", "=?base64?bGluZTEKbGluZTI=?="],
    ["V26-XHDR-09", "string", "inner spaces stay", "inner spaces stay"],
    ["V26-XHDR-09", "string", "Liège", "=?base64?TGnDqGdl?="],
    ["V26-XHDR-09", "string", "🙂", "=?base64?8J+Zgg==?="],
    ["V26-XHDR-10", "string", "=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="],
    ["V26-XHDR-11", "string", "a\tb", "=?base64?YQli?="],
    ["V26-SEC-06", "string", "x\r\nX-Admin: 1", "=?base64?eA0KWC1BZG1pbjogMQ==?="],
  ])("%s of type %s with the value %j is %s", (_id, type, value, expected) => {
    expect(mirroredHeaders(one(type), { a: value })).toEqual(header(expected))
  })

  it.each<[what: string, args: JsonObject | undefined, path: ReadonlyArray<string>]>([
    ["null", { a: null }, ["a"]],
    ["undefined, which JSON leaves out", { a: undefined }, ["a"]],
    ["missing", { b: "x" }, ["a"]],
    ["missing with all the arguments", undefined, ["a"]],
    ["behind a member that is missing", {}, ["a", "b"]],
    ["behind null", { a: null }, ["a", "b"]],
    ["behind a text", { a: "text" }, ["a", "length"]],
    ["behind an array", { a: ["x"] }, ["a", "0"]],
    ["inherited", {}, ["constructor", "name"]],
    ["inherited by everything", {}, ["toString"]],
    ["the prototype", {}, ["__proto__"]],
  ])("V26-XHDR-07 is absent where the argument is %s", (_what, args, path) => {
    expect(mirroredHeaders(one("string", ...path), args)).toEqual(none)
  })

  it("V26-XHDR-07 is of the value at exactly its path, whatever the members are called", () => {
    const args = JSON.parse('{"__proto__":{"a/b":"deep"},"a/b":"shallow"}') as JsonObject
    expect(mirroredHeaders(one("string", "__proto__", "a/b"), args)).toEqual(header("deep"))
  })

  it.each<[type: MirroredType, value: unknown]>([
    ["integer", 2 ** 60],
    ["integer", 2 ** 53],
    ["integer", -(2 ** 53)],
    ["integer", 1e21],
    ["integer", 1.5],
    ["integer", NaN],
    ["integer", Infinity],
    ["integer", "42"],
    ["integer", true],
    ["integer", 7n],
    ["string", 42],
    ["string", {}],
    ["string", ["a"]],
    ["string", "half of \ud83d a pair"],
    ["string", new Date(0)],
    ["boolean", "true"],
    ["boolean", 0],
  ])("V26-XHDR-17 is refused where a %s is wanted and the value does not do", (type, value) => {
    const read = mirroredHeaders(one(type, "to", "a"), { to: { a: value } })
    expect(read).toEqual({
      ok: false,
      pointer: "/to/a",
      reason: expect.stringMatching(/^Expected /),
    })
  })

  it("V26-XHDR-17 is refused without a word of the value, which may be a secret", () => {
    const read = mirroredHeaders(one("integer"), { a: "hunter2" })
    expect(JSON.stringify(read)).not.toContain("hunter2")
  })

  it("V26-SEC-06 never has a name or a value that could split or open a header", () => {
    const hostile = ["\r\nSet-Cookie: a=b", "\0", "\u0085", "\u2028", "a\rb", "é\n", "\x7f"]
    for (const value of hostile) {
      const read = mirroredHeaders(one("string"), { a: value })
      expect(read.ok && read.headers["Mcp-Param-A"]).toMatch(/^=\?base64\?[A-Za-z0-9+/]+=*\?=$/)
    }
  })

  it("V26-XHDR-16 has a prefix that no header of the protocol has", () => {
    const parameters = mirroredParameters({
      type: "object",
      properties: {
        a: { type: "string", "x-mcp-header": "Method" },
        b: { type: "string", "x-mcp-header": "__proto__" },
      },
    })
    const read = mirroredHeaders(parameters.ok ? parameters.parameters : [], { a: "x", b: "y" })
    expect(read.ok && Object.entries(read.headers)).toEqual([
      ["Mcp-Param-Method", "x"],
      ["Mcp-Param-__proto__", "y"],
    ])
  })
})
