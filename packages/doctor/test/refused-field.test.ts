import { describe, expect, it } from "vitest"
import { refusedField } from "../src/hypothesis/listing/refused-field.js"

const issues = JSON.stringify([
  { code: "invalid_type", expected: "string", received: "null", path: ["params", "cursor"] },
])

const shapes = [
  ["zod, in the text", { message: `Invalid params: ${issues}` }, "cursor", true],
  [
    "zod, unknown keys",
    { message: "bad", data: [{ code: "unrecognized_keys", keys: ["_meta"], path: ["params"] }] },
    "_meta",
    true,
  ],
  [
    "pydantic",
    { message: "1 validation error", data: [{ type: "missing", loc: ["params", "_meta"] }] },
    "_meta",
    true,
  ],
  [
    "joi",
    {
      message: "bad",
      data: { details: [{ message: '"cursor" must be a string', path: ["cursor"] }] },
    },
    "cursor",
    true,
  ],
  [
    "ajv",
    { message: "bad", data: [{ instancePath: "/params/cursor", keyword: "type" }] },
    "cursor",
    true,
  ],
  [
    "ajv, missing",
    { message: "bad", data: [{ params: { missingProperty: "params" } }] },
    "params",
    true,
  ],
  [
    "pydantic, in words",
    { message: "params.cursor: Input should be a valid string" },
    "cursor",
    false,
  ],
  ["words", { message: "Invalid params: missing field `_meta`" }, "_meta", false],
  ["words about params", { message: "params must be an object" }, "params", false],
] as const

describe("the field that an error names", () => {
  it.each(shapes)("is found as %s writes it", (_, error, field, exact) => {
    expect(refusedField({ code: -32602, ...error })).toEqual({ field, exact })
  })

  it.each(["Invalid params", "Invalid request parameters", "Bad Request"])(
    "is not made up from the name of the code: %s",
    (message) => expect(refusedField({ code: -32602, message })).toBeUndefined(),
  )

  it("is looked for within bounds, whatever the error is", () => {
    let deep: unknown = "cursor"
    for (let depth = 0; depth < 10_000; depth++) deep = { path: [deep] }
    const wide = Array.from({ length: 100_000 }, () => ({ path: ["x"] }))
    expect(
      refusedField({ code: -32602, message: "[".repeat(1_000_000), data: deep }),
    ).toBeUndefined()
    expect(refusedField({ code: -32602, message: "bad", data: wide })).toBeUndefined()
  })
})
