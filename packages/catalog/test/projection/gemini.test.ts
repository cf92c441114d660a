import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { argumentSchema } from "./arbitrary-schema.js"
import { broken, changes, projected, toolWith } from "./targets.js"

const becomes = (property: unknown) => {
  const schema = { type: "object", properties: { p: property } }
  const outcome = projected([toolWith(schema)], "gemini parameters")
  expect(broken(outcome, "gemini parameters")).toEqual([])
  const sent = outcome.sent[0]?.schema as { properties: { p: unknown } }
  return { p: sent.properties.p, report: changes(outcome.projection.report) }
}

const at = "/inputSchema/properties/p"

describe("Gemini's `parameters`", () => {
  it.each([
    {
      what: "null beside a type",
      given: { type: ["string", "null"] },
      p: { type: "STRING", nullable: true },
    },
    {
      what: "null as a branch",
      given: { anyOf: [{ type: "integer", minimum: 1 }, { type: "null" }], description: "D" },
      p: { type: "INTEGER", minimum: 1, nullable: true, description: "D" },
    },
    { what: "null alone", given: { type: "null" }, p: { type: "NULL" } },
    {
      what: "several types",
      given: { type: ["string", "integer"], minLength: 2, minimum: 1 },
      p: {
        anyOf: [
          { type: "STRING", minLength: 2 },
          { type: "INTEGER", minimum: 1 },
        ],
      },
    },
    {
      what: "a union beside other keywords",
      given: {
        type: "object",
        properties: { a: { type: "string" } },
        anyOf: [{ required: ["a"] }, { minProperties: 2 }],
        description: "D",
      },
      p: {
        anyOf: [
          {
            type: "OBJECT",
            properties: { a: { type: "STRING" } },
            required: ["a"],
            description: "D",
          },
          {
            type: "OBJECT",
            properties: { a: { type: "STRING" } },
            minProperties: 2,
            description: "D",
          },
        ],
      },
    },
    { what: "a constant", given: { const: "x" }, p: { type: "STRING", enum: ["x"] } },
    { what: "a constant number", given: { const: 5 }, p: { type: "NUMBER" } },
    {
      what: "numbers that are listed",
      given: { type: "integer", enum: [1, 2] },
      p: { type: "INTEGER" },
    },
    { what: "an empty text that is listed", given: { enum: ["", "a"] }, p: { type: "STRING" } },
    {
      what: "null that is listed",
      given: { enum: ["a", null] },
      p: { type: "STRING", enum: ["a"], nullable: true },
    },
    {
      what: "values of several types",
      given: { enum: ["a", 1, true] },
      p: { anyOf: [{ type: "STRING", enum: ["a"] }, { type: "NUMBER" }, { type: "BOOLEAN" }] },
    },
    {
      what: "a list of texts",
      given: { type: "array", items: { enum: ["a"] } },
      p: { type: "ARRAY", items: { type: "STRING", enum: ["a"] } },
    },
    {
      what: "a tuple",
      given: {
        type: "array",
        prefixItems: [{ type: "string" }, { type: "integer" }],
        items: false,
      },
      p: {
        type: "ARRAY",
        items: { anyOf: [{ type: "STRING" }, { type: "INTEGER" }] },
        maxItems: 2,
      },
    },
    { what: "no items", given: { type: "array", items: false }, p: { type: "ARRAY", maxItems: 0 } },
    {
      what: "an object by its properties",
      given: { properties: { a: { type: "string" } } },
      p: { type: "OBJECT", properties: { a: { type: "STRING" } } },
    },
    { what: "a text by its length", given: { maxLength: 3 }, p: { type: "STRING", maxLength: 3 } },
    {
      what: "required names that are not there",
      given: { type: "object", properties: { a: { type: "string" } }, required: ["a", "b"] },
      p: { type: "OBJECT", properties: { a: { type: "STRING" } }, required: ["a"] },
    },
    {
      what: "required on a text",
      given: { type: "string", required: ["a"], properties: {} },
      p: { type: "STRING" },
    },
    {
      what: "a date and a mail",
      given: {
        type: "object",
        properties: {
          d: { type: "string", format: "date-time" },
          m: { type: "string", format: "email" },
        },
      },
      p: {
        type: "OBJECT",
        properties: { d: { type: "STRING", format: "date-time" }, m: { type: "STRING" } },
      },
    },
    {
      what: "a format of another type",
      given: { type: "string", format: "int32" },
      p: { type: "STRING" },
    },
    {
      what: "`nullable` of OpenAPI",
      given: { type: "boolean", nullable: true },
      p: { type: "BOOLEAN", nullable: true },
    },
    {
      what: "parts that all hold",
      given: { allOf: [{ type: "string" }, { minLength: 1 }] },
      p: { type: "STRING", minLength: 1 },
    },
    {
      what: "exactly one of",
      given: { oneOf: [{ type: "string" }, { type: "boolean" }] },
      p: { anyOf: [{ type: "STRING" }, { type: "BOOLEAN" }] },
    },
    {
      what: "negations and conditions",
      given: { type: "string", not: { const: "x" }, if: { minLength: 1 } },
      p: { type: "STRING" },
    },
  ])("$what", ({ given, p }) => {
    expect(becomes(given).p).toMatchObject(p)
    // An array always says what it holds.
    const beyond = Object.keys(becomes(given).p as object).filter((keyword) => !(keyword in p))
    expect(beyond.filter((keyword) => keyword !== "items")).toEqual([])
  })

  it("names every type that there is for what could be anything, and says that it narrows", () => {
    const { p, report } = becomes({ description: "What you like." })
    expect(report).toEqual([`filled ${at}`])
    expect((p as { anyOf: ReadonlyArray<{ type: string }> }).anyOf.map(({ type }) => type)).toEqual(
      ["STRING", "NUMBER", "BOOLEAN", "OBJECT", "ARRAY"],
    )
  })

  it("says of each keyword that says nothing that it went", () => {
    const { report } = becomes({ type: "integer", minLength: 1, enum: [1] })
    expect(report).toEqual([`keyword-dropped ${at}/minLength`, `keyword-dropped ${at}/enum`])
  })

  it("requires names of properties alone that are there, whatever the schema", () => {
    const missing = (node: unknown): ReadonlyArray<unknown> => {
      if (typeof node !== "object" || node === null) return []
      const { required, properties } = node as { required?: unknown; properties?: object }
      const names = Array.isArray(required) ? required : []
      const inner = Object.values(node).flatMap(missing)
      return [...names.filter((name) => !Object.hasOwn(properties ?? {}, name)), ...inner]
    }
    fc.assert(
      fc.property(argumentSchema, (schema) => {
        const { sent } = projected([toolWith(schema)], "gemini parameters")
        expect(sent.flatMap((each) => missing(each.schema))).toEqual([])
      }),
      { numRuns: 50 },
    )
  })

  it("a tool without arguments has neither field", () => {
    for (const target of ["gemini parameters", "gemini parametersJsonSchema"] as const) {
      const { projection } = projected([toolWith({ type: "object" })], target)
      expect(projection.tools).toEqual([{ functionDeclarations: [{ name: "s__tool" }] }])
    }
  })
})

describe("Gemini's `parametersJsonSchema`", () => {
  it("takes references, tuples, closed objects and types in small letters", () => {
    const schema = {
      type: "object",
      properties: {
        a: { type: ["string", "null"], description: "D" },
        b: { $ref: "#/$defs/B" },
        c: { type: "array", prefixItems: [{ type: "string" }], items: { type: "integer" } },
        d: { enum: ["x", 1] },
      },
      required: ["a"],
      additionalProperties: false,
      $defs: { B: { type: "object", additionalProperties: { type: "number" } } },
    }
    const outcome = projected([toolWith(schema)], "gemini parametersJsonSchema")
    expect(outcome.sent[0]?.schema).toEqual(schema)
    expect(outcome.projection.report).toEqual([])
  })

  it("has no constants, no siblings of a reference, and no null among listed values", () => {
    const schema = {
      type: "object",
      properties: {
        a: { const: "x" },
        b: { $ref: "#/$defs/B", description: "D" },
        c: { enum: ["x", null], title: "C" },
        d: { const: true },
      },
      $defs: { B: { type: "string" } },
    }
    const outcome = projected([toolWith(schema)], "gemini parametersJsonSchema")
    expect(broken(outcome, "gemini parametersJsonSchema")).toEqual([])
    expect(outcome.sent[0]?.schema).toMatchObject({
      properties: {
        a: { enum: ["x"] },
        b: { description: "D", anyOf: [{ $ref: "#/$defs/B" }] },
        c: { title: "C", anyOf: [{ enum: ["x"] }, { type: "null" }] },
        d: { type: "boolean" },
      },
    })
  })
})
