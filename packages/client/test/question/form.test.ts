import { describe, expect, it } from "vitest"
import type { JsonObject } from "@entente/protocol"
import { defaultsOf, type FormAnswer, type FormContent } from "@entente/client"
import { form, legacy, modern, registry } from "./registry.js"

/** Asks with a form and has it answered with some content. */
const filled = (params: JsonObject, content?: unknown) => {
  const { ask, noted } = registry({
    elicitation: {
      // What a careless host may give is more than the types allow.
      form: () =>
        ({ action: "accept", ...(content === undefined ? {} : { content }) }) as FormAnswer,
    },
  })
  return Object.assign(ask("elicitation/create", params), { noted })
}

const one = (field: JsonObject, value: unknown) => filled(form({ f: field }), { f: value })

const accepted = (value: unknown) => ({ action: "accept", content: { f: value } })
const invalid = { kind: "invalid-answer", rpcCode: -32603, pointer: "/content/f" }

const text = { type: "string" }
const sizes = [
  { const: "s", title: "Small" },
  { const: "l", title: "Large" },
]

describe("what a form may ask for", () => {
  it.each([
    ["a text", text, "x"],
    ["a text with bounds", { ...text, minLength: 2, maxLength: 3 }, "ab"],
    ["code points, not units", { ...text, maxLength: 1 }, "😀"],
    ["email", { ...text, format: "email" }, "a.b+c@example.com"],
    ["uri", { ...text, format: "uri" }, "mailto:a@example.com"],
    ["date", { ...text, format: "date" }, "2024-02-29"],
    ["date-time", { ...text, format: "date-time" }, "2024-02-29T23:59:60.5+05:30"],
    ["pattern", { ...text, pattern: "^[A-Z]{2}-\\d+$" }, "AB-12"],
    ["a number", { type: "number", minimum: 0, maximum: 2 }, 1.5],
    ["a whole number", { type: "integer" }, -3],
    ["yes or no", { type: "boolean" }, false],
  ])("V25-ELI-03 V25-ELI-04 V26-ELIC-10 V26-ELIC-14: %s", async (_, field, value) => {
    expect(await one(field, value)).toEqual(accepted(value))
  })

  it.each([
    ["enum", { ...text, enum: ["s", "l"] }, "l"],
    ["enum with enumNames", { ...text, enum: ["s", "l"], enumNames: ["Small", "Large"] }, "l"],
    ["oneOf", { ...text, oneOf: sizes }, "l"],
    [
      "items.enum",
      { type: "array", items: { ...text, enum: ["s", "l"] }, minItems: 1 },
      ["s", "l"],
    ],
    ["items.anyOf", { type: "array", items: { anyOf: sizes }, maxItems: 1 }, ["l"]],
  ])(
    "V25-ELI-04 V26-ELIC-11 a choice as %s, and nothing that is not offered",
    async (_, field, value) => {
      expect(await one(field, value)).toEqual(accepted(value))
      const other = Array.isArray(value) ? ["xl"] : "xl"
      expect(await one(field, other)).toMatchObject(invalid)
    },
  )

  it("V25-ELI-01 V26-ELIC-02 no mode means form", async () => {
    for (const mode of [{}, { mode: "form" }]) {
      expect(await filled({ ...form({ f: text }), ...mode }, { f: "x" })).toEqual(accepted("x"))
    }
  })

  const refused: ReadonlyArray<readonly [string, JsonObject, string]> = [
    ["a nested object", { properties: { f: { type: "object", properties: {} } } }, "/properties/f"],
    ["a list of anything", { properties: { f: { type: "array", items: text } } }, "/properties/f"],
    ["no type", { properties: { f: {} } }, "/properties/f"],
    ["null as a type", { properties: { f: { type: ["string", "null"] } } }, "/properties/f"],
    ["no properties", { properties: undefined }, "/properties"],
    ["another root", { type: "array", properties: {} }, "/type"],
    ["an unknown format", { properties: { f: { ...text, format: "ipv4" } } }, "/properties/f"],
    ["a choice of numbers", { properties: { f: { type: "integer", enum: [1] } } }, "/enum"],
    ["a reference", { properties: { f: { ...text, $ref: "#/x" } } }, "/properties/f/$ref"],
    ["alternatives at the root", { properties: {}, anyOf: [{}] }, "/anyOf"],
    ["a condition on a field", { properties: { f: { ...text, not: {} } } }, "/properties/f/not"],
    ["a required stranger", { properties: {}, required: ["g"] }, "/required/0"],
  ]

  it.each(refused)(
    "V25-ELI-02 V26-ELIC-17 %s is refused with -32602, and nobody is asked",
    async (_, schema, pointer) => {
      let asked = 0
      const { ask } = registry({
        elicitation: {
          form: () => {
            asked++
            return { action: "accept" }
          },
        },
      })
      const requestedSchema = JSON.parse(
        JSON.stringify({ type: "object", ...schema }),
      ) as JsonObject
      for (const circumstances of [legacy, modern]) {
        const params = { message: "?", requestedSchema }
        const answer = await ask("elicitation/create", params, circumstances)
        expect(answer).toMatchObject({ kind: "invalid-question", rpcCode: -32602 })
        expect(answer).toHaveProperty("pointer", expect.stringContaining(pointer))
      }
      expect(asked).toBe(0)
    },
  )

  it.each([
    ["no message", { requestedSchema: { type: "object", properties: {} } }],
    ["no schema", { message: "?" }],
    ["an unknown mode", { ...form({}), mode: "voice" }],
    ["no params at all", undefined],
  ])("V25-ELI-02 %s is -32602", async (_, params) => {
    const { ask } = registry({ elicitation: { form: () => ({ action: "cancel" }) } })
    expect(await ask("elicitation/create", params)).toMatchObject({
      kind: "invalid-question",
      rpcCode: -32602,
    })
  })

  it("keeps what is harmless: other keywords, a dialect, null where a member is optional", async () => {
    const field = { ...text, description: null, "x-order": 1, examples: ["a"] }
    const schema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      additionalProperties: false,
    }
    expect(await filled(form({ f: field }, schema), { f: "x" })).toEqual(accepted("x"))
  })
})

describe("what is sent", () => {
  it.each([
    ["a number for a text", text, 1],
    ["a text for a number", { type: "number" }, "1"],
    ["no whole number", { type: "integer" }, 1.5],
    ["no number at all", { type: "number" }, Number.NaN],
    ["infinity", { type: "number" }, Infinity],
    ["a text for yes or no", { type: "boolean" }, "true"],
    ["too short", { ...text, minLength: 2 }, "a"],
    ["too long", { ...text, maxLength: 1 }, "ab"],
    ["too small", { type: "number", minimum: 1 }, 0],
    ["too big", { type: "integer", maximum: 1 }, 2],
    ["no email", { ...text, format: "email" }, "somebody"],
    ["two signs", { ...text, format: "email" }, "a@b@c"],
    ["no uri", { ...text, format: "uri" }, "not a uri"],
    ["no date", { ...text, format: "date" }, "2023-02-29"],
    ["another date", { ...text, format: "date" }, "29.02.2024"],
    ["no offset", { ...text, format: "date-time" }, "2024-02-29T12:00:00"],
    ["no such hour", { ...text, format: "date-time" }, "2024-02-29T24:00:00Z"],
    ["another pattern", { ...text, pattern: "^a+$" }, "b"],
    ["too few choices", { type: "array", items: { ...text, enum: ["a"] }, minItems: 1 }, []],
    [
      "too many choices",
      { type: "array", items: { ...text, enum: ["a"] }, maxItems: 1 },
      ["a", "a"],
    ],
    ["one choice for several", { type: "array", items: { ...text, enum: ["a"] } }, "a"],
    ["an object", text, { x: 1 }],
    ["null", text, null],
  ])("V25-ELI-07 V26-ELIC-13 is never %s", async (_, field, value) => {
    expect(await one(field, value)).toMatchObject(invalid)
  })

  it("V25-ELI-07 V26-ELIC-13 the host reads which field and why, the server only that there is no answer", async () => {
    const answer = await one({ ...text, format: "email" }, "my secret")
    expect(answer).toMatchObject({
      message: expect.stringMatching(/expected the format email at \/content\/f/) as string,
      rpcMessage: "This client could not answer",
    })
    expect(JSON.stringify(answer)).not.toContain("my secret")
  })

  it.each([
    ["a field that is required", form({ f: text }, { required: ["f"] }), {}, "/content/f"],
    ["what the form does not have", form({ f: text }), { g: "x" }, "/content/g"],
    ["what is no object", form({ f: text }), ["x"], "/content"],
  ])("V25-ELI-07 is never without %s, or with it", async (_, params, content, pointer) => {
    expect(await filled(params, content)).toMatchObject({ kind: "invalid-answer", pointer })
  })

  it.each([
    ["nothing", undefined],
    ["no action", {}],
    ["another action", { action: "maybe" }],
    ["a text", "accept"],
  ])("V25-ELI-06 is never %s", async (_, answer) => {
    const { ask } = registry({ elicitation: { form: () => answer as unknown as FormAnswer } })
    expect(await ask("elicitation/create", form({}))).toMatchObject({ kind: "invalid-answer" })
  })

  it.each(["decline", "cancel"] as const)(
    "V25-ELI-06 V26-ELIC-05 trap 41: %s goes out as it is, without content",
    async (action) => {
      const careless = {
        action,
        content: { f: "typed, then thought better of it" },
        _meta: { "a.example/b": 1 },
      }
      const { ask } = registry({ elicitation: { form: () => careless as FormAnswer } })
      expect(await ask("elicitation/create", form({ f: text }))).toEqual({
        action,
        _meta: { "a.example/b": 1 },
      })
    },
  )

  it("V26-ELIC-12 V26-RTYPE-06 is what the person edited, with no resultType", async () => {
    const { ask } = registry({
      elicitation: {
        form: (_, { defaults }) => ({ action: "accept", content: { ...defaults, f: "edited" } }),
      },
    })
    const params = form({ f: { ...text, default: "before" }, g: { ...text, default: "kept" } })
    expect(await ask("elicitation/create", params, modern)).toEqual({
      action: "accept",
      content: { f: "edited", g: "kept" },
    })
  })

  it("V26-SEC-17 a field called __proto__ is a field like any other", async () => {
    const properties = JSON.parse(
      '{"__proto__":{"type":"string","default":"x"},"constructor":{"type":"number"}}',
    ) as JsonObject
    const answer = await filled(form(properties), {})
    expect(JSON.stringify(answer)).toBe('{"action":"accept","content":{"__proto__":"x"}}')
    expect(({} as { x?: string }).x).toBeUndefined()
  })
})

describe("defaults", () => {
  const properties = {
    name: { ...text, default: "John" },
    age: { type: "integer", default: 30 },
    score: { type: "number", default: 95.5 },
    status: { ...text, enum: ["active", "inactive"], default: "active" },
    size: { ...text, oneOf: sizes, default: "l" },
    verified: { type: "boolean", default: false },
    tags: { type: "array", items: { ...text, enum: ["a", "b"] }, default: ["b"] },
    none: text,
  }
  const all = {
    name: "John",
    age: 30,
    score: 95.5,
    status: "active",
    size: "l",
    verified: false,
    tags: ["b"],
  }

  it("V25-ELI-05 V26-ELIC-13 of every kind fill what the answer leaves out", async () => {
    for (const content of [undefined, {}, { name: undefined }]) {
      expect(await filled(form(properties), content)).toEqual({ action: "accept", content: all })
    }
    expect(await filled(form(properties), { age: 31, none: "x" })).toEqual({
      action: "accept",
      content: { ...all, age: 31, none: "x" },
    })
  })

  it("V25-ELI-05 satisfy what is required", async () => {
    expect(await filled(form({ f: { ...text, default: "x" } }, { required: ["f"] }))).toEqual(
      accepted("x"),
    )
  })

  it("V25-ELI-05 are there before anybody answers, for the form to begin with", async () => {
    const seen: Array<FormContent> = []
    const { ask } = registry({
      elicitation: {
        form: (params, { defaults }) => {
          seen.push(defaults, defaultsOf(params.requestedSchema))
          return { action: "cancel" }
        },
      },
    })
    await ask("elicitation/create", form(properties))
    expect(seen).toEqual([all, all])
  })

  it("that their own field refuses are not used", async () => {
    const field = { ...text, enum: ["a"], default: "z" }
    expect(await filled(form({ f: field }))).toEqual({ action: "accept", content: {} })
    expect(await filled(form({ f: field }, { required: ["f"] }))).toMatchObject(invalid)
  })

  it("are not a person's answer to decline with", async () => {
    const { ask } = registry({ elicitation: { form: () => ({ action: "decline" }) } })
    expect(await ask("elicitation/create", form(properties))).toEqual({ action: "decline" })
  })
})

it("V26-ELIC-15 fields that ask for secrets are pointed out to the handler, and noted", async () => {
  const seen: Array<unknown> = []
  const { ask, noted } = registry({
    elicitation: {
      form: (_, { secretFields }) => {
        seen.push(secretFields)
        return { action: "decline" }
      },
    },
  })
  const properties = {
    api_key: text,
    x: { ...text, title: "Your password" },
    name: { ...text, title: "Name of the compass" },
  }
  await ask("elicitation/create", form(properties))
  expect(seen).toEqual([["api_key", "x"]])
  expect(noted()).toEqual(["secret-asked-by-form"])
})

it("V25-ELI-04 a pattern that might never come to an end is not tried, and noted", async () => {
  const asked = one({ ...text, pattern: "^(a+)+$" }, `${"a".repeat(60)}b`)
  expect(await asked).toEqual(accepted(`${"a".repeat(60)}b`))
  expect(asked.noted()).toEqual(["pattern-unchecked"])
})
