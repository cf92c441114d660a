import { describe, expect, it } from "vitest"
import type { Target } from "./provider-rules.js"
import { broken, changes, good, projected, targets, toolWith } from "./targets.js"

type Schema = Record<string, unknown>

const nested = (depth: number): unknown => {
  let schema: unknown = { type: "string" }
  for (let level = 0; level < depth; level++) schema = { type: "array", items: schema }
  return schema
}

/** Sixty definitions that each name the next one twice: 2^60 schemas once they are resolved. */
const doubling = (): Schema => {
  const $defs: Schema = { d60: { type: "string" } }
  for (let index = 0; index < 60; index++) {
    const $ref = `#/$defs/d${index + 1}`
    $defs[`d${index}`] = { type: "object", properties: { a: { $ref }, b: { $ref } } }
  }
  return { type: "object", properties: { a: { $ref: "#/$defs/d0" } }, $defs }
}

/** Unions within unions, each beside what has to go into all of its branches. */
const multiplying = (): unknown => {
  let schema: unknown = { type: "string" }
  for (let level = 0; level < 20; level++) {
    schema = { properties: { a: schema }, anyOf: [{ minProperties: 1 }, { maxProperties: 3 }, {}] }
  }
  return { type: "object", properties: { a: schema } }
}

const chain = (): Schema => {
  const $defs: Schema = { d3000: { type: "string" } }
  for (let index = 0; index < 3000; index++) $defs[`d${index}`] = { $ref: `#/$defs/d${index + 1}` }
  return { type: "object", properties: { a: { $ref: "#/$defs/d0" } }, $defs }
}

const circular = (): Schema => {
  const schema: Schema = { type: "object" }
  schema["properties"] = { a: schema }
  return schema
}

const long = "x".repeat(900_000)

/** What costs no provider anything but that one tool. */
const rejected: ReadonlyArray<readonly [what: string, schema: unknown]> = [
  ["100,000 levels", { type: "object", properties: { a: nested(100_000) } }],
  [
    "50,000 properties",
    {
      type: "object",
      properties: Object.fromEntries(
        Array.from({ length: 50_000 }, (_, index) => [`p${index}`, true]),
      ),
    },
  ],
  ["two million characters", { type: "object", description: long + long + long }],
  ["an object that holds itself", circular()],
  ["no object", "schema"],
  ["a list", []],
  ["nothing", null],
  ["another type", { type: "string" }],
  ["a root that nothing conforms to", { type: ["array", "null"] }],
]

const inlining: ReadonlyArray<Target> = [
  "gemini parameters",
  "bedrock",
  "bedrock strict",
  "ai-sdk",
  "ai-sdk strict",
]

/** What is too much only where references are replaced. */
const tooMuchInlined: ReadonlyArray<
  readonly [what: string, schema: unknown, rejecting: ReadonlyArray<Target>]
> = [
  ["2^60 schemas", doubling(), inlining],
  ["a chain of 3,000", chain(), [...inlining, "gemini parametersJsonSchema"]],
  [
    "a long text in a thousand places",
    {
      type: "object",
      properties: Object.fromEntries(
        Array.from({ length: 1000 }, (_, index) => [`p${index}`, { $ref: "#/$defs/long" }]),
      ),
      $defs: { long: { type: "string", description: long } },
    },
    inlining,
  ],
]

describe.each(targets)("%s", (target) => {
  it.each(rejected)("rejects %s, and that tool alone", (_, schema) => {
    const outcome = projected([good, toolWith(schema, "bad")], target)
    expect(outcome.sent.map(({ name }) => name)).toEqual(["s__good"])
    const about = outcome.projection.report.filter(({ tool }) => tool === "bad")
    expect(about.at(-1)?.kind).toBe("rejected")
    expect(about.at(-1)?.pointer).toMatch(/^\/inputSchema/)
  })

  it.each(tooMuchInlined)("keeps or rejects %s", (_, schema, rejecting) => {
    const outcome = projected([toolWith(schema, "bad"), good], target)
    const isRejected = outcome.projection.report.some(({ kind }) => kind === "rejected")
    expect(isRejected).toBe(rejecting.includes(target))
    expect(outcome.sent.map(({ name }) => name)).toEqual(
      isRejected ? ["s__good"] : ["s__bad", "s__good"],
    )
    expect(JSON.stringify(outcome.projection.tools).length).toBeLessThan(2_000_000)
    expect(broken(outcome, target)).toEqual([])
  })

  it("bounds what unions beside other keywords become", () => {
    const outcome = projected([toolWith(multiplying(), "bad"), good], target)
    expect(outcome.sent.at(-1)?.name).toBe("s__good")
    expect(broken(outcome, target)).toEqual([])
  })

  it("ends references that lead to nothing but each other", () => {
    const schema = {
      type: "object",
      properties: { a: { $ref: "#/$defs/A" }, b: { $ref: "#/$defs/B" } },
      $defs: {
        A: { $ref: "#/$defs/A" },
        B: { $ref: "#/$defs/C" },
        C: { allOf: [{ $ref: "#/$defs/B" }] },
      },
    }
    expect(broken(projected([toolWith(schema)], target), target)).toEqual([])
  })

  it("leaves a property called __proto__ out, and touches no prototype", () => {
    const schema: unknown = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}},"__proto__":{"anyOf":[]}}',
    )
    const outcome = projected([toolWith(schema)], target)
    expect(broken(outcome, target)).toEqual([])
    expect(changes(outcome.projection.report)).toContain(
      "keyword-dropped /inputSchema/properties/__proto__",
    )
    const [{ schema: sent } = { schema: undefined }] = outcome.sent
    expect(Object.keys((sent as { properties: object }).properties)).toEqual(["constructor"])
    expect(Object.getPrototypeOf(sent)).toBe(Object.prototype)
    expect(({} as Schema)["anyOf"]).toBeUndefined()
  })

  it("leaves out what is not valid, and says so", () => {
    const schema = {
      type: "object",
      title: 5,
      required: "a",
      additionalProperties: "no",
      properties: {
        a: { type: "strnig", enum: [], minLength: -1, pattern: "(" },
        b: "string",
        c: { type: "array", items: 5, minItems: 1.5 },
        d: { anyOf: {}, type: "integer", minimum: "0" },
      },
    }
    const outcome = projected([toolWith(schema)], target)
    expect(broken(outcome, target)).toEqual([])
    const at = ["title", "required", "additionalProperties", "properties/b"].concat(
      [
        "a/type",
        "a/enum",
        "a/minLength",
        "a/pattern",
        "c/items",
        "c/minItems",
        "d/anyOf",
        "d/minimum",
      ].map((pointer) => `properties/${pointer}`),
    )
    expect(changes(outcome.projection.report)).toEqual(
      expect.arrayContaining(at.map((pointer) => `keyword-dropped /inputSchema/${pointer}`)),
    )
  })

  it("takes older drafts as 2020-12", () => {
    const schema = {
      $schema: "http://json-schema.org/draft-04/schema#",
      type: "object",
      properties: {
        a: {
          type: "integer",
          minimum: 0,
          exclusiveMinimum: true,
          maximum: 5,
          exclusiveMaximum: false,
        },
        b: {
          type: "array",
          items: [{ type: "string" }, { type: "integer" }],
          additionalItems: false,
        },
      },
      dependencies: { a: ["b"], b: { required: ["a"] } },
    }
    const outcome = projected([toolWith(schema)], target)
    expect(broken(outcome, target)).toEqual([])
    if (target !== "openai") return
    expect(outcome.sent[0]?.schema).toEqual({
      type: "object",
      properties: {
        a: { type: "integer", minimum: 0, exclusiveMinimum: 0, maximum: 5 },
        b: { type: "array", prefixItems: [{ type: "string" }, { type: "integer" }], items: false },
      },
      dependentRequired: { a: ["b"] },
      dependentSchemas: { b: { required: ["a"] } },
    })
  })
})

it("works in a time that grows with the schema and no faster", () => {
  const wide = (length: number) =>
    toolWith({
      type: "object",
      properties: Object.fromEntries(
        Array.from({ length }, (_, index) => [
          `p${index}`,
          { anyOf: [{ type: "string" }, { type: "null" }] },
        ]),
      ),
    })
  // No clock: the schemas that are made are counted.
  for (const target of targets) {
    const limits = { schemas: 20_000 }
    expect(projected([wide(1500)], target, { limits }).sent).toHaveLength(1)
  }
})
