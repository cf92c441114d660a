import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { readArguments, type NamedTool } from "@entente/catalog"
import { compileSchema } from "@entente/client"
import { isJsonObject, type JsonObject } from "@entente/protocol"
import { dropNulls } from "../../src/argument/drop-nulls.js"
import { PlaceSchema } from "../../src/argument/place-schema.js"
import { WidenedPlaces } from "../../src/argument/widened-places.js"

const name = fc.constantFrom("a", "b", "c")
const scalar = fc.constantFrom(null, 1, "x", true)
const types = fc.constantFrom("string", "null", "object", "array", "number")

const pattern = fc.constantFrom("^a", "b")

const keyword = (key: string, values: fc.Arbitrary<unknown>) => fc.tuple(fc.constant(key), values)

const schemas = (each: fc.Arbitrary<unknown>) => fc.array(each, { minLength: 1, maxLength: 2 })

/** Schemas with few names and many ways to say something of null. */
const { schema } = fc.letrec<{ schema: unknown; object: JsonObject }>((tie) => ({
  schema: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.boolean(),
    fc.constantFrom({ $ref: "#" }, { $ref: "#/properties/a" }, { $ref: "#/$defs/d" }),
    tie("object"),
  ),
  // A few keywords each: with many, hardly a value conforms.
  object: fc
    .uniqueArray(
      fc.oneof(
        keyword("type", fc.oneof(types, fc.uniqueArray(types, { minLength: 1 }))),
        keyword("enum", fc.array(scalar, { minLength: 1, maxLength: 3 })),
        keyword("const", scalar),
        keyword("required", fc.uniqueArray(name)),
        keyword("properties", fc.dictionary(name, tie("schema"), { minKeys: 1, maxKeys: 3 })),
        keyword("patternProperties", fc.dictionary(pattern, tie("schema"), { maxKeys: 1 })),
        keyword("additionalProperties", tie("schema")),
        keyword("items", tie("schema")),
        keyword("prefixItems", schemas(tie("schema"))),
        keyword("allOf", schemas(tie("schema"))),
        keyword("anyOf", schemas(tie("schema"))),
        keyword("oneOf", schemas(tie("schema"))),
        keyword("not", tie("schema")),
        keyword("if", tie("schema")),
        keyword("else", tie("schema")),
      ),
      { selector: ([key]) => key, maxLength: 4 },
    )
    .map((pairs): JsonObject => Object.fromEntries(pairs)),
}))

const dialect = fc.constantFrom({}, { $schema: "http://json-schema.org/draft-07/schema#" })

const root: fc.Arbitrary<JsonObject> = fc
  .tuple(schema, schema, dialect)
  .map(([one, other, $schema]) => ({
    ...(isJsonObject(one) ? one : {}),
    ...$schema,
    $defs: { d: other },
  }))

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    scalar,
    fc.dictionary(name, tie("value"), { maxKeys: 3 }),
    fc.array(tie("value"), { maxLength: 3 }),
  ),
}))

const given = fc.dictionary(name, value, { maxKeys: 3 })

const tool = (inputSchema: JsonObject, widened: ReadonlyArray<string>): NamedTool => ({
  server: "s1",
  name: "s1__tool",
  tool: { name: "tool", inputSchema: { ...inputSchema, type: "object" } },
  widened,
})

/** How many times a value is null, in objects and in arrays. */
const nulls = (each: unknown): readonly [number, number] => {
  let members = 0
  let elements = 0
  const count = (within: unknown): void => {
    if (Array.isArray(within)) {
      elements += within.filter((element) => element === null).length
      within.forEach(count)
    } else if (isJsonObject(within)) {
      members += Object.values(within).filter((member) => member === null).length
      Object.values(within).forEach(count)
    }
  }
  count(each)
  return [members, elements]
}

describe("nulls that are left out (C091)", () => {
  it("are none that the schema takes: arguments that conform go as they are", async () => {
    let conforming = 0
    // To make a check takes longest, so each gets many values.
    const inputs = fc.array(given, { minLength: 30, maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(root, inputs, async (inputSchema, values) => {
        const compiled = await compileSchema(inputSchema)
        if (!compiled.ok) return
        for (const input of values) {
          if (compiled.check(input)._tag !== "Valid" || nulls(input)[0] === 0) continue
          conforming++
          const read = dropNulls(input, inputSchema, new WidenedPlaces([]), true)
          expect(read).toEqual({ arguments: input, pointers: [] })
          expect(read.arguments).toBe(input)
        }
      }),
      { numRuns: 100 },
    )
    expect(conforming).toBeGreaterThan(100)
  })

  it("are refused by the validator wherever they are said to be", async () => {
    let refused = 0
    await fc.assert(
      fc.asyncProperty(root, async (inputSchema) => {
        const compiled = await compileSchema(inputSchema)
        if (!compiled.ok || new PlaceSchema(inputSchema).null(inputSchema) !== "refused") return
        refused++
        expect(compiled.check(null)._tag).not.toBe("Valid")
      }),
      { numRuns: 250 },
    )
    expect(refused).toBeGreaterThan(10)
  })

  it("are all that changes, and what was given stays as it was", async () => {
    const pointer = fc.constantFrom(
      "/properties/a",
      "/properties/b/items/properties/a",
      "/$defs/d/properties/c",
    )
    await fc.assert(
      fc.asyncProperty(root, given, fc.array(pointer), async (inputSchema, input, widened) => {
        const copy = structuredClone(input)
        const read = await readArguments(tool(inputSchema, widened), input, { dropNulls: true })
        expect(input).toEqual(copy)
        if (!read.ok) return
        const [members, elements] = nulls(input)
        const [membersLeft, elementsLeft] = nulls(read.arguments)
        const dropped = read.changes.flatMap((change) =>
          change.kind === "nulls-dropped" ? change.pointers : [],
        )
        expect(membersLeft).toBe(members - dropped.length)
        expect(elementsLeft).toBe(elements)
      }),
      { numRuns: 150 },
    )
  })
})
