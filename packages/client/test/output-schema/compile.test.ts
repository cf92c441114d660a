import { Ajv } from "ajv"
import { Ajv2020 } from "ajv/dist/2020.js"
import * as fc from "fast-check"
import { afterEach, describe, expect, it, vi } from "vitest"
import type { JsonObject } from "@entente/protocol"
import { compile, type Verdict } from "../../src/output-schema/compile.js"
import { limits } from "../../src/output-schema/limits.js"

const draft07 = "http://json-schema.org/draft-07/schema#"

const check = (schema: JsonObject, value: unknown): Verdict => {
  const compiled = compile(schema)
  if (!compiled.ok) throw new Error(`${compiled.pointer}: ${compiled.reason}`)
  return compiled.check(value)
}

/** Whether a value conforms; fails where that could not be found out. */
const conforms = (schema: JsonObject, value: unknown): boolean => {
  const verdict = check(schema, value)
  expect(verdict._tag).not.toBe("Unknown")
  return verdict._tag === "Valid"
}

/** Where and why a schema is not used. */
const fault = (schema: JsonObject): string => {
  const compiled = compile(schema)
  return compiled.ok ? "none" : `${compiled.pointer} ${compiled.reason}`
}

afterEach(() => {
  vi.unstubAllGlobals()
})

describe("dialects", () => {
  const pair = { prefixItems: [{ type: "string" }, { type: "number" }], items: false }

  it("V26-SCHEMA-01 V25-META-07 a schema without $schema is 2020-12", () => {
    expect(conforms(pair, ["a", 1])).toBe(true)
    expect(conforms(pair, [1, "a"])).toBe(false)
    expect(conforms(pair, ["a", 1, 2])).toBe(false)
  })

  it.each([
    "https://json-schema.org/draft/2020-12/schema",
    "https://json-schema.org/draft/2020-12/schema#",
    "http://json-schema.org/draft/2020-12/schema",
  ])("V26-SCHEMA-02 V25-META-07 2020-12 declared as %s", ($schema) => {
    expect(conforms({ $schema, ...pair }, [1, "a"])).toBe(false)
  })

  it.each([
    "http://json-schema.org/draft-07/schema#",
    "http://json-schema.org/draft-07/schema",
    "https://json-schema.org/draft-07/schema#",
    "https://json-schema.org/draft-07/schema",
  ])("V26-SCHEMA-02 V25-META-07 draft-07 declared as %s has its own keywords", ($schema) => {
    const tuple = { $schema, items: [{ type: "string" }], additionalItems: { type: "number" } }
    expect(conforms(tuple, ["a", 1])).toBe(true)
    expect(conforms(tuple, ["a", "b"])).toBe(false)
    // Not a keyword of draft-07.
    expect(conforms({ $schema, prefixItems: [{ type: "string" }] }, [1])).toBe(true)
  })

  it("draft-07 heeds nothing beside a reference", () => {
    const definitions = { text: { type: "string" } }
    const $ref = "#/definitions/text"
    expect(conforms({ $schema: draft07, definitions, $ref, minLength: 5 }, "a")).toBe(true)
    expect(conforms({ definitions, $ref, minLength: 5 }, "a")).toBe(false)
  })

  it.each(["urn:x", "http://json-schema.org/draft-04/schema#", 7, null])(
    "V26-SCHEMA-02 V25-META-07 V25-META-08 another dialect is named, not guessed: %s",
    ($schema) => {
      expect(fault({ $schema, type: "object" })).toBe(
        `/$schema names the dialect ${JSON.stringify($schema)}, which is none of 2020-12 and draft-07`,
      )
    },
  )

  it("V26-SCHEMA-02 another dialect inside is one as well", () => {
    const inner = { $id: "urn:inner", $schema: draft07, type: "string" }
    expect(fault({ properties: { a: inner } })).toBe(
      "/properties/a/$schema names another dialect than the root",
    )
  })
})

describe("references", () => {
  it.each([
    ["a JSON pointer", { $defs: { "a/b c": { type: "string" } }, $ref: "#/$defs/a~1b%20c" }],
    ["an anchor", { $defs: { a: { $anchor: "text", type: "string" } }, $ref: "#text" }],
    ["an $id", { $defs: { a: { $id: "text.json", type: "string" } }, $ref: "text.json" }],
    [
      "an absolute $id",
      {
        $id: "https://x.test/root",
        $defs: { a: { $id: "/t", type: "string" } },
        $ref: "https://x.test/t",
      },
    ],
    [
      "an anchor in a resource of its own",
      {
        $defs: { a: { $id: "urn:a", $defs: { b: { $anchor: "t", type: "string" } } } },
        $ref: "urn:a#t",
      },
    ],
    ["a $dynamicRef", { $defs: { a: { $dynamicAnchor: "t", type: "string" } }, $dynamicRef: "#t" }],
    [
      "a place no keyword leads to",
      { components: { a: { type: "string" } }, $ref: "#/components/a" },
    ],
    [
      "a draft-07 anchor",
      { $schema: draft07, definitions: { a: { $id: "#t", type: "string" } }, $ref: "#t" },
    ],
  ])("V26-SCHEMA-07 lead to %s", (_, schema) => {
    expect(conforms(schema, "text")).toBe(true)
    expect(conforms(schema, 1)).toBe(false)
  })

  const tree = {
    type: "object",
    properties: { name: { type: "string" }, children: { type: "array", items: { $ref: "#" } } },
    required: ["name"],
  }

  it("V25-META-08 V26-SCHEMA-07 a schema may refer to itself", () => {
    expect(conforms(tree, { name: "a", children: [{ name: "b", children: [] }] })).toBe(true)
    expect(check(tree, { name: "a", children: [{ name: "b", children: [{}] }] })).toEqual({
      _tag: "Invalid",
      pointer: "/children/0/children/0",
      reason: "must have required property 'name'",
    })
  })

  it("one that leads to itself and nowhere else is found out", () => {
    expect(check({ $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/a" } } }, 1)).toMatchObject({
      _tag: "Unknown",
      reason: "refers to itself without end, or is too complicated",
    })
  })

  it("V26-SCHEMA-04 V26-SCHEMA-07 V26-SEC-05 V25-META-08 nothing is ever fetched", async () => {
    const fetched = vi.fn()
    vi.stubGlobal("fetch", fetched)
    const canary = "https://canary.test/"
    expect(fault({ $ref: `${canary}ref.json` })).toContain("/$ref")
    expect(fault({ $schema: `${canary}schema` })).toContain("/$schema")
    expect(conforms({ $id: `${canary}id`, type: "string" }, "a")).toBe(true)
    await Promise.resolve()
    expect(fetched).not.toHaveBeenCalled()
  })

  it.each([
    ["https://canary.test/other.json", "/properties/a/$ref"],
    ["other.json", "/properties/a/$ref"],
    ["#/$defs/missing", "/properties/a/$ref"],
    ["#missing", "/properties/a/$ref"],
    ["#/constructor", "/properties/a/$ref"],
    ["#/__proto__", "/properties/a/$ref"],
    ["#%", "/properties/a/$ref"],
    ["http://[", "/properties/a/$ref"],
  ])(
    "V26-SCHEMA-05 V25-META-08 one that leads nowhere makes the schema useless: %s",
    ($ref, pointer) => {
      expect(fault({ properties: { a: { $ref } } })).toBe(
        `${pointer} leads to nothing inside this schema, and nothing is fetched`,
      )
    },
  )

  it("two schemas of one name are not guessed at", () => {
    const $defs = { a: { $anchor: "x", type: "string" }, b: { $anchor: "x", type: "number" } }
    expect(fault({ $defs, $ref: "#x" })).toContain("/$defs/b has the same $id or anchor")
    const dynamic = {
      a: { $id: "urn:a", $dynamicAnchor: "x" },
      b: { $id: "urn:b", $dynamicAnchor: "x" },
    }
    expect(fault({ $defs: dynamic, $dynamicRef: "urn:a#x" })).toContain(
      "/$dynamicRef means something",
    )
  })
})

describe("a schema that is not valid", () => {
  it("C013 V26-SCHEMA-09 names the place", () => {
    const schema = {
      type: "object",
      properties: { list: { type: "array", items: { type: "long" } } },
    }
    expect(fault(schema)).toBe(
      "/properties/list/items/type is not one or more of array, boolean, integer, null, number, object and string",
    )
  })

  it.each([
    [{ type: 5 }, "/type"],
    [{ type: [] }, "/type"],
    [{ type: ["string", "string"] }, "/type"],
    [{ minLength: -1 }, "/minLength"],
    [{ maxItems: 1.5 }, "/maxItems"],
    [{ multipleOf: 0 }, "/multipleOf"],
    [{ exclusiveMaximum: true }, "/exclusiveMaximum"],
    [{ enum: "a" }, "/enum"],
    [{ enum: [] }, "/enum"],
    [{ required: "a" }, "/required"],
    [{ required: ["a", "a"] }, "/required"],
    [{ uniqueItems: "yes" }, "/uniqueItems"],
    [{ properties: { "a/b": 5 } }, "/properties/a~1b"],
    [{ properties: [] }, "/properties"],
    [{ items: [{ type: "string" }] }, "/items"],
    [{ allOf: [] }, "/allOf"],
    [{ allOf: { a: {} } }, "/allOf"],
    [{ not: null }, "/not"],
    [{ $ref: 5 }, "/$ref"],
    [{ pattern: "(" }, "/pattern"],
    [{ pattern: "(?=a)" }, "/pattern"],
    [{ pattern: 5 }, "/pattern"],
    [{ patternProperties: { "(a)\\1": {} } }, "/patternProperties/(a)\\1"],
    [{ dependentRequired: { a: [1] } }, "/dependentRequired"],
    [{ $defs: { unused: { type: "int" } } }, "/$defs/unused/type"],
    [JSON.parse('{ "properties": { "__proto__": { "type": "string" } } }'), "/properties"],
  ])("V26-SCHEMA-09 is never taken for one that allows everything: %j", (schema, pointer) => {
    expect(fault(schema).split(" ")[0]).toBe(pointer)
  })

  it("keywords that only the compiler would know do nothing", () => {
    const schema = {
      $async: true,
      nullable: true,
      id: "x",
      discriminator: {},
      instanceof: "Date",
      type: "string",
    }
    expect(conforms(schema, "a")).toBe(true)
    expect(conforms(schema, null)).toBe(false)
    expect(conforms({ "x-work": "); throw 1; (" }, 1)).toBe(true)
  })

  it("nothing in a schema becomes code, and no prototype is touched", () => {
    const name = "\"];globalThis.broken = 1;//${globalThis.broken = 1}`'\u2028"
    const schema = {
      $id: name,
      properties: { [name]: { const: name, enum: [name] } },
      required: [name],
      patternProperties: { "[\"'`]": { type: "string" } },
    }
    expect(conforms(schema, { [name]: name })).toBe(true)
    expect(conforms(schema, {})).toBe(false)
    expect(globalThis).not.toHaveProperty("broken")
    const value = JSON.parse('{ "__proto__": { "polluted": true }, "constructor": 5 }')
    expect(conforms({ type: "object", additionalProperties: true }, value)).toBe(true)
    expect({}).not.toHaveProperty("polluted")
  })

  it("members of a prototype are nobody's", () => {
    expect(conforms({ required: ["toString"] }, {})).toBe(false)
    expect(conforms({ properties: { constructor: { type: "string" } } }, {})).toBe(true)
  })

  it("a value is looked at, never changed", () => {
    const value = { a: "1" }
    const schema = {
      properties: { a: { type: "number" }, b: { default: 2 } },
      additionalProperties: false,
    }
    expect(conforms(schema, value)).toBe(false)
    expect(value).toEqual({ a: "1" })
  })

  it("format says what a text is, not that another is wrong", () => {
    expect(conforms({ type: "string", format: "uri" }, "not a uri")).toBe(true)
    expect(conforms({ format: "no-such-format" }, "a")).toBe(true)
  })
})

describe("V26-SCHEMA-06 limits", () => {
  const nested = (levels: number): JsonObject =>
    levels === 0 ? { type: "string" } : { not: nested(levels - 1) }

  it("of a schema", () => {
    expect(fault(nested(limits.schemaDepth + 1))).toContain("levels deep")
    const properties = Object.fromEntries(
      Array.from({ length: limits.subschemas + 1 }, (_, index) => [`p${index}`, {}]),
    )
    expect(fault({ properties })).toContain(`more than ${limits.subschemas} schemas`)
    expect(
      fault({ enum: Array.from({ length: limits.schemaValues }, (_, index) => index) }),
    ).toContain(`more than ${limits.schemaValues} values`)
  })

  it("of the names in it, and of its patterns", () => {
    const name = "n".repeat(limits.schemaCharacters)
    expect(fault({ properties: { [name]: {} } })).toContain(
      `more than ${limits.schemaCharacters} characters`,
    )
    const pattern = `[${"a".repeat(limits.patternCharacters)}]`
    expect(fault({ properties: { a: { pattern } } })).toBe("/properties/a/pattern is too long")
  })

  it("are wide enough for a schema that is just below them", () => {
    const properties = Object.fromEntries(
      Array.from({ length: limits.subschemas - 1 }, (_, index) => [
        `p${index}`,
        { type: "string" },
      ]),
    )
    expect(conforms({ properties }, { p1: "a" })).toBe(true)
    expect(conforms({ properties }, { p998: 1 })).toBe(false)
    expect(conforms(nested(limits.schemaDepth - 1), "a")).toBe(false)
  })

  it("of a value", () => {
    const list = { items: { $ref: "#" } }
    const deep = (levels: number): unknown => JSON.parse("[".repeat(levels) + "]".repeat(levels))
    expect(check(list, deep(limits.contentDepth))._tag).toBe("Valid")
    expect(check(list, deep(100_000))).toEqual({
      _tag: "Unknown",
      reason: `is nested more than ${limits.contentDepth} levels deep`,
    })
    expect(
      check(
        {},
        Array.from({ length: limits.contentValues }, () => 0),
      )._tag,
    ).toBe("Unknown")
  })

  /** Each definition names the next one twice: 2 to the power of their number. */
  const doubling = (first: (next: JsonObject) => JsonObject) => {
    const names = Array.from({ length: 60 }, (_, index) => index)
    const $defs = Object.fromEntries(
      names.map((index) => [`d${index}`, first({ $ref: `#/$defs/d${index + 1}` })]),
    )
    return { $ref: "#/$defs/d0", $defs: { ...$defs, d60: { type: "string" } } }
  }

  it.each([
    ["by references that double", doubling((next) => ({ allOf: [next, next] })), "a"],
    ["by alternatives that double", doubling((next) => ({ anyOf: [next, next] })), 1],
    [
      "by patterns",
      { pattern: Array.from({ length: 15 }, () => "(?:[ab]?){50}").join("") + "c" },
      "ab".repeat(50_000),
    ],
    [
      "by errors that pile up",
      { contains: { $ref: "#/$defs/a" }, $defs: { a: { type: "string" } } },
      Array.from({ length: 300_000 }, () => 1),
    ],
    [
      "by long texts measured again and again",
      { allOf: Array.from({ length: 900 }, () => ({ maxLength: 1e9 })) },
      "a".repeat(1_000_000),
    ],
    [
      "by values compared again and again",
      { allOf: Array.from({ length: 400 }, () => ({ not: { const: 1 } })) },
      Array.from({ length: 10_000 }, () => ({ a: 1 })),
    ],
  ])("of the work, %s", (_, schema, value) => {
    expect(check(schema, value)).toEqual({
      _tag: "Unknown",
      reason: `needs more than ${limits.steps} steps`,
    })
  })

  it("uniqueItems takes one pass", () => {
    const items = Array.from({ length: 50_000 }, (_, index) => ({ index, of: { a: 1, b: [2] } }))
    expect(conforms({ uniqueItems: true }, items)).toBe(true)
    expect(conforms({ uniqueItems: true }, [...items, { of: { b: [2], a: 1 }, index: 7 }])).toBe(
      false,
    )
    expect(conforms({ uniqueItems: false }, [1, 1])).toBe(true)
    expect(conforms({ uniqueItems: true }, [1, "1", true, null, "null", [1], { 0: 1 }])).toBe(true)
  })

  it("values are compared by what JSON says of them, whatever their members are called", () => {
    const value = () =>
      JSON.parse('{ "constructor": {}, "valueOf": 1, "toString": [], "__proto__": 2 }')
    expect(conforms({ const: value() }, value())).toBe(true)
    expect(conforms({ enum: [{}, value()] }, value())).toBe(true)
    expect(conforms({ enum: [{}] }, value())).toBe(false)
    expect(conforms({ uniqueItems: true }, [value(), value()])).toBe(false)
    expect(conforms({ const: { a: 1, b: 2 } }, { b: 2, a: 1 })).toBe(true)
    expect(conforms({ const: "1" }, 1)).toBe(false)
    expect(conforms({ const: null }, JSON.parse("1e999"))).toBe(false)
  })

  it("a schema can be used again after it has run into one", () => {
    const compiled = compile(doubling((next) => ({ allOf: [next, next] })))
    expect(compiled.ok && compiled.check("a")._tag).toBe("Unknown")
    expect(compiled.ok && compiled.check(1)._tag).toBe("Invalid")
  })
})

describe("compared with the compiler alone", () => {
  const scalar = fc.constantFrom(null, true, 0, 1, 1.5, -2, "", "a", "ab", "b1")
  const name = fc.constantFrom("a", "b", "c")
  const value = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      scalar,
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(name, tie("value"), { maxKeys: 3, noNullPrototype: true }),
    ),
  })).value

  const part = (dialect: "2020-12" | "draft-07") =>
    fc.letrec<{ schema: unknown }>((tie) => {
      const schema = tie("schema")
      const schemas = fc.array(schema, { minLength: 1, maxLength: 3 })
      const map = fc.dictionary(name, schema, { maxKeys: 3 })
      const count = fc.nat(3)
      const names = fc.uniqueArray(name, { maxLength: 2 })
      const both = {
        type: fc.constantFrom(
          "string",
          "array",
          "object",
          "integer",
          ["null", "number"],
          "boolean",
        ),
        enum: fc.uniqueArray(value, { minLength: 1, maxLength: 3, selector: JSON.stringify }),
        const: value,
        minimum: fc.constantFrom(0, 1),
        exclusiveMaximum: fc.constantFrom(1, 2),
        multipleOf: fc.constantFrom(0.5, 2),
        minLength: count,
        maxLength: count,
        pattern: fc.constantFrom("^a", "b$", "\\d", "^(?:ab?)+$"),
        minItems: count,
        maxItems: count,
        uniqueItems: fc.boolean(),
        minProperties: count,
        maxProperties: count,
        required: names,
        allOf: schemas,
        anyOf: schemas,
        oneOf: schemas,
        not: schema,
        if: schema,
        // oxlint-disable-next-line unicorn/no-thenable -- a keyword; nobody awaits this table
        then: schema,
        else: schema,
        contains: schema,
        properties: map,
        patternProperties: fc.dictionary(fc.constantFrom("^a", "[bc]"), schema, { maxKeys: 2 }),
        additionalProperties: schema,
        propertyNames: schema,
        dependencies: fc.dictionary(name, fc.oneof(schema, names), { maxKeys: 2 }),
      }
      const $ref = fc.constantFrom("#", "#/definitions/a", "#/definitions/b")
      const only =
        dialect === "draft-07"
          ? { items: fc.oneof(schema, schemas), additionalItems: schema }
          : {
              $ref,
              items: schema,
              prefixItems: schemas,
              minContains: count,
              maxContains: count,
              dependentRequired: fc.dictionary(name, names, { maxKeys: 2 }),
              dependentSchemas: map,
              unevaluatedItems: schema,
              unevaluatedProperties: schema,
            }
      return {
        schema: fc.oneof(
          { depthSize: "small", maxDepth: 3 },
          fc.boolean(),
          // Ajv heeds `type` beside a reference even where draft-07 says that nothing counts there.
          fc.record({ $ref }),
          fc
            .subarray(Object.entries({ ...both, ...only }), { minLength: 1, maxLength: 3 })
            .chain((entries) => fc.record(Object.fromEntries<fc.Arbitrary<unknown>>(entries))),
        ),
      }
    }).schema

  /** A schema of its dialect, with two definitions for references to lead to. */
  const whole = (dialect: "2020-12" | "draft-07", $schema: string | undefined) =>
    fc.tuple(part(dialect), part(dialect), part(dialect)).map(([root, a, b]) => ({
      ...($schema === undefined ? {} : { $schema }),
      definitions: { a, b },
      allOf: [root],
    }))

  const options = {
    strict: false,
    validateSchema: false,
    validateFormats: false,
    ownProperties: true,
    logger: false,
  } as const
  const compilers = {
    "2020-12": () => new Ajv2020(options),
    // By the letter of draft-07 (8.3) nothing counts beside a reference.
    "draft-07": () => new Ajv({ ...options, ignoreKeywordsWithRef: true }),
  }

  /** What the compiler alone says; undefined where it overflows, as references to themselves make it do. */
  const alone = (dialect: keyof typeof compilers, schema: JsonObject, subject: unknown) => {
    try {
      return compilers[dialect]().validate(schema, subject)
    } catch (error) {
      if (error instanceof RangeError) return undefined
      throw error
    }
  }

  it.each([
    ["2020-12", undefined],
    ["draft-07", draft07],
  ] as const)("what is prepared for it means the same: %s", (dialect, $schema) => {
    const verdicts = { true: 0, false: 0 }
    const property = fc.property(whole(dialect, $schema), value, (schema, subject) => {
      const expected = alone(dialect, schema, subject)
      const verdict = check(schema, subject)
      // References can lead round in circles; which of the two notices that depends on the order of keywords.
      fc.pre(expected !== undefined && verdict._tag !== "Unknown")
      verdicts[`${expected}`]++
      expect(verdict._tag).toBe(expected ? "Valid" : "Invalid")
    })
    fc.assert(property, { numRuns: 150 })
    // Otherwise it would have shown nothing.
    expect(verdicts.true).toBeGreaterThan(20)
    expect(verdicts.false).toBeGreaterThan(20)
  })
})
