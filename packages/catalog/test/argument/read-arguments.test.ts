import { describe, expect, it } from "vitest"
import { readArguments, type NamedTool, type ReadArgumentsOptions } from "@entente/catalog"
import type { JsonObject } from "@entente/protocol"

/** A tool with a schema, as a projection names it. */
const tool = (schema: JsonObject, widened?: ReadonlyArray<string>): NamedTool => ({
  server: "s1",
  name: "s1__tool",
  tool: { name: "tool", inputSchema: { type: "object", ...schema } },
  ...(widened === undefined ? {} : { widened }),
})

/** The arguments as they are sent; fails where they are not. */
const sent = async (
  named: NamedTool,
  given: unknown,
  options?: ReadArgumentsOptions,
): Promise<unknown> => {
  const read = await readArguments(named, given, options)
  expect(read).toMatchObject({ ok: true })
  return read.ok ? read.arguments : undefined
}

const since = { properties: { since: { type: "string" }, q: { type: "string" } } }

describe("arguments that a model gives", () => {
  it("are taken as they are, where they are an object", async () => {
    const given = { q: "x" }
    const read = await readArguments(tool(since), given)
    expect(read).toEqual({ ok: true, arguments: given, changes: [] })
    expect(read.ok && read.arguments).toBe(given)
  })

  it.each(['{"q":"x"}', ' {"q":\n"x"} '])(
    "are parsed, where they are the text %j",
    async (text) => {
      expect(await sent(tool(since), text)).toEqual({ q: "x" })
    },
  )

  it.each(["", " \n", undefined, null, "null"])("are {} where they are %j", async (given) => {
    expect(await readArguments(tool(since), given)).toEqual({
      ok: true,
      arguments: {},
      changes: [{ kind: "filled", detail: "The model gave no arguments; they are {}." }],
    })
    const read = await readArguments(tool({ ...since, required: ["q"] }), given)
    expect(read).toEqual({
      ok: false,
      faults: [{ pointer: "", message: "must have required property 'q'" }],
    })
  })

  it.each([
    ['{"q":"x"', "The arguments end before their JSON does."],
    ['{"q":"secr', "The arguments end before their JSON does."],
    ['{"q":', "The arguments end before their JSON does."],
    ['{q:"secret"}', "The arguments are no JSON."],
    ["I would rather not. secret", "The arguments are no JSON."],
    ['"{\\"q\\":1}"', "The arguments must be an object, not string."],
    ["[1]", "The arguments must be an object, not array."],
    [7, "The arguments must be an object, not number."],
  ])("are refused in words, where they are %j", async (given, message) => {
    const read = await readArguments(tool(since), given)
    expect(read).toEqual({ ok: false, faults: [{ pointer: "", message }] })
    expect(JSON.stringify(read)).not.toContain("secr")
  })

  it("C014: are held against the whole schema of the server, which a projection may have cut", async () => {
    const named = tool({
      properties: { mode: { type: "string" } },
      allOf: [
        {
          if: { properties: { mode: { const: "x" } } },
          // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
          then: { required: ["size"] },
        },
      ],
    })
    expect(await readArguments(named, { mode: "x" })).toEqual({
      ok: false,
      faults: [{ pointer: "", message: "must have required property 'size'" }],
    })
    expect(await sent(named, { mode: "x", size: 1 })).toEqual({ mode: "x", size: 1 })
    expect(await sent(named, { mode: "y" })).toEqual({ mode: "y" })
  })

  it("say where they are wrong, and what should not be there", async () => {
    const row = { properties: { n: { type: "integer" } }, additionalProperties: false }
    const named = tool({ properties: { "a/b": { type: "array", items: row } } })
    expect(await readArguments(named, { "a/b": [{}, { n: "1" }] })).toEqual({
      ok: false,
      faults: [{ pointer: "/a~1b/1/n", message: "must be integer" }],
    })
    expect(await readArguments(named, { "a/b": [{ m: 1 }] })).toMatchObject({
      faults: [{ pointer: "/a~1b/0", message: 'must NOT have additional properties: "m"' }],
    })
    const closed = tool({ ...since, unevaluatedProperties: false })
    expect(await readArguments(closed, { m: 1 })).toMatchObject({
      faults: [{ message: 'must NOT have unevaluated properties: "m"' }],
    })
  })

  it.each<[JsonObject, string, RegExp]>([
    [{ $schema: "https://example.com/own" }, "/inputSchema/$schema", /names the dialect/],
    [
      { properties: { q: { $ref: "other.json" } } },
      "/inputSchema/properties/q/$ref",
      /leads to nothing/,
    ],
    [{ properties: { q: { pattern: "(?=a)b" } } }, "/inputSchema/properties/q/pattern", /\./],
    [
      Array.from({ length: 120 }).reduce<JsonObject>((inner) => ({ not: inner }), {}),
      "/inputSchema",
      /nested more than/,
    ],
  ])("go unchecked, and it is said so, by the schema %j", async (schema, pointer, detail) => {
    const read = await readArguments(tool(schema), { q: 1 })
    expect(read).toEqual({
      ok: true,
      arguments: { q: 1 },
      changes: [{ kind: "unchecked", pointer, detail: expect.stringMatching(detail) }],
    })
  })

  it("go unchecked where a check would take too long, and it is said so", async () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => {
        const $ref = `#/$defs/${index + 1}`
        return [String(index), { anyOf: [{ $ref }, { $ref }] }]
      }),
    )
    const named = tool({ $ref: "#/$defs/0", $defs: { ...$defs, 40: { required: ["a"] } } })
    expect(await readArguments(named, { since: null }, { dropNulls: true })).toEqual({
      ok: true,
      arguments: { since: null },
      changes: [
        {
          kind: "unchecked",
          pointer: "/inputSchema",
          detail: expect.stringMatching(/^The arguments were not checked: needs more than/),
        },
      ],
    })
  })

  it("may be nested as deeply as a model likes", async () => {
    const text = `{"q":${"[".repeat(100_000)}${"]".repeat(100_000)}}`
    const read = await readArguments(tool({}), text, { dropNulls: true })
    expect(read).toMatchObject({ ok: true, changes: [{ kind: "unchecked" }] })
  })
})

describe("nulls for what may be absent", () => {
  it("C091: go with the normaliser, and what was given is told of", async () => {
    const given = { since: null, q: "x" }
    expect(await readArguments(tool(since), given, { dropNulls: true })).toEqual({
      ok: true,
      arguments: { q: "x" },
      changes: [
        {
          kind: "nulls-dropped",
          pointers: ["/since"],
          given: { since: null, q: "x" },
          detail: "Left out null at /since: the tool's schema has none there.",
        },
      ],
    })
    expect(given).toEqual({ since: null, q: "x" })
  })

  it("C091: without it the arguments go unchanged as far as the schema, which refuses them", async () => {
    expect(await readArguments(tool(since), { since: null, q: "x" })).toEqual({
      ok: false,
      faults: [{ pointer: "/since", message: "must be string" }],
    })
    // Nothing says that null is wrong here.
    const open = tool({ properties: { since: { description: "a date" } } })
    const given = { since: null, q: "x" }
    const read = await readArguments(open, given)
    expect(read.ok && read.arguments).toBe(given)
  })

  it.each<[string, JsonObject, unknown, unknown]>([
    ["a member of an unknown name", since, { other: null }, { other: null }],
    [
      "one that may be null",
      { properties: { a: { type: ["string", "null"] } } },
      { a: null },
      { a: null },
    ],
    [
      "one of a list with null",
      { properties: { a: { enum: ["b", null] } } },
      { a: null },
      { a: null },
    ],
    ["one of a list without", { properties: { a: { enum: ["b"] } } }, { a: null }, {}],
    ["one with one value", { properties: { a: { const: 1 } } }, { a: null }, {}],
    [
      "an element of an array, which would move the others",
      { properties: { a: { type: "array" } } },
      { a: [null, 1] },
      { a: [null, 1] },
    ],
    [
      "a member of an object in an array",
      { properties: { a: { items: { properties: { b: { type: "number" } } } } } },
      { a: [{ b: null }, { b: 1 }, { c: null }] },
      { a: [{}, { b: 1 }, { c: null }] },
    ],
    [
      "a member of a tuple's object",
      { properties: { a: { prefixItems: [true, { properties: { b: { type: "number" } } }] } } },
      { a: [{ b: null }, { b: null }] },
      { a: [{ b: null }, {}] },
    ],
    [
      "a member of a tuple's object in draft-07, and of what follows",
      {
        $schema: "http://json-schema.org/draft-07/schema#",
        properties: {
          a: {
            items: [{ properties: { b: { type: "number" } } }],
            additionalItems: { properties: { c: { type: "number" } } },
          },
        },
      },
      {
        a: [
          { b: null, c: null },
          { b: null, c: null },
        ],
      },
      { a: [{ c: null }, { b: null }] },
    ],
    [
      "a value in a map",
      { properties: { a: { additionalProperties: { type: "string" } } } },
      { a: { b: null, c: "d" } },
      { a: { c: "d" } },
    ],
    [
      "one that a reference describes",
      { properties: { a: { $ref: "#/$defs/a~1b" } }, $defs: { "a/b": { type: "string" } } },
      { a: null },
      {},
    ],
    [
      "one at any depth of a schema that refers to itself",
      {
        properties: { next: { $ref: "#/$defs/node" } },
        $defs: {
          node: {
            type: "object",
            properties: { v: { type: "number" }, next: { $ref: "#/$defs/node" } },
          },
        },
      },
      { next: { next: { v: null, next: { v: 1, next: null } } } },
      { next: { next: { next: { v: 1 } } } },
    ],
    [
      "one that all branches refuse",
      { properties: { a: { anyOf: [{ type: "string" }, { type: "number" }] } } },
      { a: null },
      {},
    ],
    [
      "one that one branch takes",
      { properties: { a: { oneOf: [{ type: "string" }, { type: "null" }] } } },
      { a: null },
      { a: null },
    ],
    [
      "one of an object that another schema describes as well",
      { properties: { a: true }, allOf: [{ properties: { a: { type: "string" } } }] },
      { a: null },
      {},
    ],
    [
      "one that a pattern may describe, so that it is left to the validator",
      {
        properties: {
          m: { patternProperties: { "^a": {} }, additionalProperties: { type: "string" } },
        },
      },
      { m: { a: null } },
      { m: { a: null } },
    ],
    [
      "one whose reference is all that counts in draft-07",
      {
        $schema: "http://json-schema.org/draft-07/schema#",
        properties: { a: { $ref: "#/definitions/any", type: "string" } },
        definitions: { any: {} },
      },
      { a: null },
      { a: null },
    ],
    [
      "one of a schema with an address of its own, to which its references are relative",
      {
        properties: {
          m: {
            $id: "https://example.com/m",
            properties: { a: { $ref: "#/$defs/x" } },
            $defs: { x: {} },
          },
        },
        $defs: { x: { type: "string" } },
      },
      { m: { a: null } },
      { m: { a: null } },
    ],
    [
      "one called __proto__",
      JSON.parse('{"properties":{"b":{"type":"string"}}}'),
      JSON.parse('{"__proto__":null,"b":null}'),
      JSON.parse('{"__proto__":null}'),
    ],
  ])("C091: with the normaliser, %s", async (_, schema, given, expected) => {
    expect(await sent(tool(schema), given, { dropNulls: true })).toEqual(expected)
  })

  it.each<[string, JsonObject]>([
    ["one that is required", { ...since, required: ["since"] }],
    [
      "one that a reference requires",
      { ...since, $ref: "#/$defs/a", $defs: { a: { required: ["since"] } } },
    ],
    [
      "one that all branches require",
      { ...since, anyOf: [{ required: ["since"] }, { required: ["since", "q"] }] },
    ],
  ])("C091: %s is refused for its null, and not for its absence", async (_, schema) => {
    expect(await readArguments(tool(schema), { since: null }, { dropNulls: true })).toEqual({
      ok: false,
      faults: [{ pointer: "/since", message: "must be string" }],
    })
  })

  it("C091: a schema that refers to itself at once, or leads nowhere, costs nothing", async () => {
    for (const $ref of ["#/properties/since", "#/nowhere", "#/%", "#anchor"]) {
      const read = await readArguments(
        tool({ properties: { since: { $ref } } }),
        { since: null },
        { dropNulls: true },
      )
      expect(read).toMatchObject({
        ok: true,
        arguments: { since: null },
        changes: [{ kind: "unchecked" }],
      })
    }
  })

  it("C085: go where the strict projection has widened the member, with no option", async () => {
    const host = tool({ properties: { host: { type: "string" } } }, ["/properties/host"])
    expect(await readArguments(host, '{"host":null}')).toEqual({
      ok: true,
      arguments: {},
      changes: [
        {
          kind: "nulls-dropped",
          pointers: ["/host"],
          given: { host: null },
          detail: "Left out null at /host: the tool's schema has none there.",
        },
      ],
    })
    expect(await sent(host, { host: "h" })).toEqual({ host: "h" })
    expect(await readArguments(host, { host: 1 })).toMatchObject({ ok: false })
  })

  it.each<[string, JsonObject, ReadonlyArray<string>, unknown, unknown]>([
    [
      "that says nothing of null itself",
      { properties: { a: { properties: { b: { type: "string" } } } } },
      ["/properties/a"],
      { a: null },
      {},
    ],
    [
      "in arrays and maps",
      {
        properties: {
          rows: { type: "array", items: { type: "object", properties: { n: { type: "number" } } } },
          map: { additionalProperties: { properties: { n: { type: "number" } } } },
        },
      },
      ["/properties/rows/items/properties/n", "/properties/map/additionalProperties/properties/n"],
      { rows: [{ n: null }, { n: 1 }], map: { x: { n: null } } },
      { rows: [{}, { n: 1 }], map: { x: {} } },
    ],
    [
      "in a branch, whatever the server's own schema is built like",
      {
        properties: { a: { $ref: "#/$defs/a" } },
        $defs: { a: { properties: { b: { type: "string" } } } },
      },
      ["/properties/a/anyOf/0/properties/b"],
      { a: { b: null } },
      { a: {} },
    ],
    [
      "in a definition, wherever it is used",
      {
        properties: { tree: { $ref: "#/$defs/node" } },
        $defs: {
          node: {
            type: "object",
            properties: { left: { $ref: "#/$defs/node" }, v: { type: "number" } },
          },
        },
      },
      ["/properties/tree", "/$defs/node/properties/left", "/$defs/node/properties/v"],
      { tree: { left: { left: null, v: null }, v: 1 } },
      { tree: { left: {}, v: 1 } },
    ],
    [
      "with a name that a pointer has to escape",
      { properties: { "a/b~c": { type: "string" }, items: { type: "string" } } },
      ["/properties/a~1b~0c", "/properties/items"],
      { "a/b~c": null, items: null },
      {},
    ],
  ])("C085: go from a member %s", async (_, schema, widened, given, expected) => {
    expect(await sent(tool(schema, widened), given)).toEqual(expected)
  })

  it("C085: stay where they are the server's own, or where nothing was widened", async () => {
    const named = tool(
      {
        properties: {
          a: { type: ["string", "null"] },
          b: { properties: { host: {} } },
          host: { type: "string" },
        },
      },
      ["/properties/a", "/properties/host", "/what/is/this", "", "/properties"],
    )
    expect(await sent(named, { a: null, b: { host: null }, host: null })).toEqual({
      a: null,
      b: { host: null },
    })
  })
})
