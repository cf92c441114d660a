import { describe, expect, it } from "vitest"
import { annotationBounds, mirroredParameters, type JsonObject } from "../../src/index.js"

const annotated = (name: unknown, type: unknown = "string"): JsonObject => ({
  type,
  "x-mcp-header": name,
})
const schema = (properties: JsonObject, extra: JsonObject = {}): JsonObject => ({
  type: "object",
  properties,
  ...extra,
})
const nothing = { ok: true, parameters: [] }

describe("the arguments that leave as headers", () => {
  it("V26-XHDR-01 V26-XHDR-16 are those that are annotated, and no others", () => {
    const read = mirroredParameters(
      schema({
        depot: annotated("Depot"),
        grams: { type: "integer" },
        count: annotated("Count", "integer"),
        express: annotated("Method", "boolean"),
      }),
    )
    expect(read).toEqual({
      ok: true,
      parameters: [
        { path: ["depot"], name: "Depot", type: "string" },
        { path: ["count"], name: "Count", type: "integer" },
        { path: ["express"], name: "Method", type: "boolean" },
      ],
    })
  })

  it("V26-XHDR-03 may lie at any depth, as long as only properties leads there", () => {
    const inner = schema({ region: annotated("Region") })
    expect(mirroredParameters(schema({ to: schema({ "a/b~c": inner }) }))).toEqual({
      ok: true,
      parameters: [{ path: ["to", "a/b~c", "region"], name: "Region", type: "string" }],
    })
  })

  it.each<[name: unknown, what: string]>([
    ["", "an empty text"],
    ["My Region", "a space"],
    ["Region:Primary", "a colon"],
    ["Région", "a letter beyond ASCII"],
    ["Region\t1", "a tab"],
    ["Region\r\nX-Admin: 1", "a line break"],
    ["Region\n", "a line break at the end"],
    ["a@b", "a delimiter"],
    [7, "a number"],
    [null, "null"],
    [["Region"], "an array"],
    [true, "true"],
  ])("V26-XHDR-03 a T-25 have a name that a header can have, unlike %j (%s)", (name, _what) => {
    expect(mirroredParameters(schema({ ok: annotated("Ok"), region: annotated(name) }))).toEqual({
      ok: false,
      rule: "not-a-token",
      pointer: "/properties/region",
      reason: expect.stringContaining("not-a-token: "),
    })
  })

  it("V26-XHDR-03 a may have every character of a token", () => {
    const name = "!#$%&'*+-.^_`|~09AZaz"
    expect(mirroredParameters(schema({ a: annotated(name) }))).toMatchObject({
      parameters: [{ name }],
    })
  })

  it.each([
    ["Region", "Region"],
    ["MyField", "myfield"],
  ])("V26-XHDR-03 b have names that differ in more than case, unlike %s and %s", (one, other) => {
    const properties = { a: annotated(one), b: schema({ c: annotated(other) }) }
    expect(mirroredParameters(schema(properties))).toMatchObject({
      ok: false,
      rule: "not-unique",
      pointer: "/properties/b/properties/c",
    })
  })

  it.each([
    "number",
    "object",
    "array",
    "null",
    "String",
    ["string", "null"],
    ["string"],
    undefined,
  ])("V26-XHDR-03 c T-25 are no %j", (type) => {
    const one = { ...annotated("One"), type, enum: ["a"] }
    expect(mirroredParameters(schema({ one }))).toMatchObject({
      ok: false,
      rule: "not-primitive",
      pointer: "/properties/one",
    })
  })

  it("V26-XHDR-03 c are not the arguments as a whole", () => {
    const root = { ...schema({}), "x-mcp-header": "All" }
    expect(mirroredParameters(root)).toMatchObject({ rule: "not-primitive", pointer: "" })
  })

  it.each([
    { const: 2 ** 53 },
    { enum: [2 ** 60, -(2 ** 60)] },
    { minimum: 2 ** 53 },
    { maximum: -(2 ** 53) },
  ])("V26-XHDR-03 d are no integers of which none is safe, as with %j", (limits) => {
    const big = { ...annotated("Big", "integer"), ...limits }
    expect(mirroredParameters(schema({ big }))).toMatchObject({
      ok: false,
      rule: "integer-out-of-range",
      pointer: "/properties/big",
    })
  })

  it.each([{ minimum: 0, maximum: 2 ** 63 }, { const: 7 }, { enum: [1, 2 ** 60] }])(
    "V26-XHDR-03 d may be integers of which some are not safe, as with %j",
    (limits) => {
      const one = { ...annotated("One", "integer"), ...limits }
      expect(mirroredParameters(schema({ one }))).toMatchObject({ ok: true })
    },
  )

  const region = { type: "object", properties: { r: annotated("R") } }
  it.each<[pointer: string, place: JsonObject]>([
    ["/items/properties/r", { items: region }],
    ["/items/0/properties/r", { items: [region] }],
    ["/prefixItems/1/properties/r", { prefixItems: [true, region] }],
    ["/additionalItems/properties/r", { additionalItems: region }],
    ["/unevaluatedItems/properties/r", { unevaluatedItems: region }],
    ["/contains/properties/r", { contains: region }],
    ["/oneOf/0/properties/r", { oneOf: [region] }],
    ["/anyOf/1/properties/r", { anyOf: [{}, region] }],
    ["/allOf/0/properties/r", { allOf: [region] }],
    ...["not", "if", "then", "else"].map((keyword): [string, JsonObject] => [
      `/${keyword}/properties/r`,
      { [keyword]: region },
    ]),
    ["/$defs/a~1b/properties/r", { $defs: { "a/b": region } }],
    ["/definitions/a/properties/r", { definitions: { a: region } }],
    ["/patternProperties/^x/properties/r", { patternProperties: { "^x": region } }],
    ["/additionalProperties/properties/r", { additionalProperties: region }],
    ["/unevaluatedProperties/properties/r", { unevaluatedProperties: region }],
    ["/propertyNames", { propertyNames: annotated("N") }],
    ["/dependentSchemas/a/properties/r", { dependentSchemas: { a: region } }],
    ["/dependencies/a/properties/r", { dependencies: { b: ["c"], a: region } }],
    ["/contentSchema/properties/r", { contentSchema: region }],
  ])("V26-XHDR-03 e V26-XHDR-06 T-25 C032 are not at %s", (pointer, place) => {
    for (const [prefix, whole] of [
      ["", { ...schema({ ok: annotated("Ok") }), ...place }],
      ["/properties/xs", schema({ ok: annotated("Ok"), xs: place })],
    ] as const) {
      expect(mirroredParameters(whole)).toEqual({
        ok: false,
        rule: "not-statically-reachable",
        pointer: `${prefix}${pointer}`,
        reason: expect.stringContaining("not-statically-reachable: "),
      })
    }
  })

  it("T-25 a definition that is annotated is at fault even if a property refers to it", () => {
    const read = mirroredParameters(
      schema({ a: { $ref: "#/$defs/a" } }, { $defs: { a: annotated("A") } }),
    )
    expect(read).toMatchObject({ rule: "not-statically-reachable", pointer: "/$defs/a" })
  })

  it("V26-XHDR-06 a property that is called x-mcp-header is a property", () => {
    const called = schema({
      "x-mcp-header": { type: "string" },
      to: schema({ "x-mcp-header": {} }),
    })
    expect(mirroredParameters(called)).toEqual(nothing)
    const both = schema({ "x-mcp-header": annotated("Real") })
    expect(mirroredParameters(both)).toEqual({
      ok: true,
      parameters: [{ path: ["x-mcp-header"], name: "Real", type: "string" }],
    })
  })

  it.each(["const", "default", "x-vendor", "$comment"])(
    "V26-XHDR-06 what looks like an annotation inside %s is a value",
    (keyword) => {
      const value = { properties: { r: annotated("R") }, "x-mcp-header": "R" }
      expect(mirroredParameters(schema({ a: { type: "object", [keyword]: value } }))).toEqual(
        nothing,
      )
    },
  )

  it.each(["enum", "examples"])("V26-XHDR-06 nor is it one in a list of %s", (keyword) => {
    const values = [annotated("R"), { items: annotated("R") }]
    expect(mirroredParameters(schema({ a: { [keyword]: values } }))).toEqual(nothing)
  })

  it("is read from a schema of any shape without a fault of ours", () => {
    const shapes: ReadonlyArray<JsonObject> = [
      {},
      { properties: null },
      { properties: [annotated("A")] },
      { properties: { a: true, b: null, c: "x", d: [annotated("A")] } },
      { items: null, allOf: "x", not: false, $defs: 7, prefixItems: [null, true] },
    ]
    for (const shape of shapes) expect(mirroredParameters(shape)).toEqual(nothing)
  })

  it("V26-XHDR-06 has names that every object inherits without being fooled by them", () => {
    const text = `{"type":"object","properties":{
      "__proto__":{"type":"string","x-mcp-header":"Proto"},
      "constructor":{"type":"object","properties":{"prototype":{"type":"boolean","x-mcp-header":"__proto__"}}}
    }}`
    expect(mirroredParameters(JSON.parse(text) as JsonObject)).toEqual({
      ok: true,
      parameters: [
        { path: ["__proto__"], name: "Proto", type: "string" },
        { path: ["constructor", "prototype"], name: "__proto__", type: "boolean" },
      ],
    })
    const inherited = Object.create({ "x-mcp-header": "R", type: "string" }) as JsonObject
    expect(mirroredParameters(schema({ inherited }))).toEqual(nothing)
  })

  it("is not looked for without an end: what is deeper or larger than the bounds is at fault", () => {
    const nested = (levels: number): JsonObject => {
      let inner: JsonObject = annotated("Deep")
      for (let level = 1; level < levels; level++) inner = schema({ a: inner })
      return schema({ a: inner })
    }
    expect(mirroredParameters(nested(annotationBounds.depth))).toMatchObject({ ok: true })
    expect(mirroredParameters(nested(annotationBounds.depth + 1))).toMatchObject({
      ok: false,
      rule: "too-large",
    })
    expect(mirroredParameters(nested(100_000))).toMatchObject({ rule: "too-large" })
    const wide = (size: number): JsonObject =>
      schema({ a: { allOf: Array.from({ length: size }, () => ({})) } })
    expect(mirroredParameters(wide(annotationBounds.schemas - 2))).toEqual(nothing)
    expect(mirroredParameters(wide(annotationBounds.schemas - 1))).toMatchObject({
      rule: "too-large",
    })
  })

  it("tells the first fault in the order of the schema", () => {
    const read = mirroredParameters(
      schema({ a: { items: annotated("A") }, b: annotated("B C") }, { allOf: [annotated("D")] }),
    )
    expect(read).toMatchObject({ pointer: "/properties/a/items" })
  })
})
