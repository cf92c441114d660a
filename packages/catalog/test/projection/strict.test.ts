import { describe, expect, it } from "vitest"
import { readArguments } from "../../src/argument/read-arguments.js"
import { project } from "../../src/projection/project.js"
import { violations, type Target } from "./provider-rules.js"
import { broken, changes, good, projected, toolWith } from "./targets.js"

describe("C085 strict", () => {
  const nested = {
    type: "object",
    properties: {
      host: { type: "string" },
      options: { type: "object", properties: { tls: { type: "boolean" } } },
      routes: {
        type: "array",
        items: {
          type: "object",
          properties: { to: { enum: ["a"] }, via: { const: 1 } },
          required: ["to"],
        },
      },
    },
    required: ["routes"],
  }

  it.each(["openai strict", "anthropic strict", "bedrock strict", "ai-sdk strict"] as const)(
    "%s: every object is closed and requires all, and what was optional takes null",
    (target) => {
      const { sent, projection } = projected([toolWith(nested)], target)
      expect(sent[0]).toMatchObject({
        strict: true,
        schema: {
          properties: {
            host: { type: ["string", "null"] },
            options: {
              type: ["object", "null"],
              properties: { tls: { type: ["boolean", "null"] } },
              required: ["tls"],
              additionalProperties: false,
            },
            routes: {
              items: {
                properties: {
                  to: { type: "string", enum: ["a"] },
                  via: { anyOf: [{ type: "number", const: 1 }, { type: "null" }] },
                },
                required: ["to", "via"],
                additionalProperties: false,
              },
            },
          },
          required: ["host", "options", "routes"],
          additionalProperties: false,
        },
      })
      expect(violations(target, sent[0]?.schema)).toEqual([])
      expect(projection.names.all[0]?.widened).toEqual([
        "/properties/options/properties/tls",
        "/properties/routes/items/properties/via",
        "/properties/host",
        "/properties/options",
      ])
    },
  )

  it("a null for what was widened is none when it comes back; another null stays", async () => {
    const schema = {
      type: "object",
      properties: { host: { type: "string" }, tag: { type: ["string", "null"] } },
    }
    const { names, tools } = project([toolWith(schema)], "openai", { strict: true })
    expect(tools?.[0]?.function.parameters.properties).toEqual({
      host: { type: ["string", "null"] },
      tag: { type: ["string", "null"] },
    })
    const [named] = names.all
    if (named === undefined) throw new Error("it is there")
    expect(named.widened).toEqual(["/properties/host"])
    expect(await readArguments(named, { host: null, tag: null })).toMatchObject({
      ok: true,
      arguments: { tag: null },
    })
  })

  it.each([
    [
      "takes others by a schema",
      { properties: { m: { type: "object", additionalProperties: { type: "string" } } } },
      "/properties/m/additionalProperties",
    ],
    [
      "takes others",
      { properties: { a: { type: "string" } }, additionalProperties: true },
      "/additionalProperties",
    ],
    [
      "takes others by pattern",
      { properties: { m: { type: "object", properties: {}, patternProperties: { "^x": {} } } } },
      "/properties/m/patternProperties",
    ],
    [
      "is an object of anything",
      { properties: { o: { type: "object" } } },
      "/properties/o/properties",
    ],
    [
      "could be anything",
      { properties: { x: { description: "What you like." } } },
      "/properties/x",
    ],
    ["is a list of anything", { properties: { l: { type: "array" } } }, "/properties/l/items"],
    [
      "requires what it does not describe",
      { properties: { a: { type: "string" } }, required: ["b"] },
      "/required",
    ],
    [
      "is an object and a union at once",
      {
        properties: {
          o: {
            type: "object",
            properties: { a: { type: "string" } },
            anyOf: [{ required: ["a"] }, {}],
          },
        },
      },
      "/properties/o/anyOf",
    ],
  ])("what %s goes without, and says why", (_, schema, pointer) => {
    for (const target of ["openai strict", "anthropic strict", "bedrock strict"] as const) {
      const strict = projected([toolWith({ type: "object", ...schema }), good], target)
      expect(strict.sent.map((each) => each.strict)).toEqual([false, true])
      expect(broken(strict, target)).toEqual([])
      const [why, ...others] = strict.projection.report.filter(
        ({ kind }) => kind === "strict-disabled",
      )
      expect([why?.pointer, others]).toEqual([`/inputSchema${pointer}`, []])
      expect(why?.detail).toMatch(/^The tool is not strict: what stands here /)
      // All or nothing: what goes out is what would have gone out without asking.
      const loose = projected(
        [toolWith({ type: "object", ...schema })],
        target.replace(" strict", "") as Target,
      )
      expect(strict.sent[0]?.schema).toEqual(loose.sent[0]?.schema)
      expect(strict.projection.names.all[0]?.widened).toBeUndefined()
    }
  })

  it("is off unless asked for, and where there is no such mode the report says so", () => {
    expect(project([good], "anthropic").tools?.[0]).not.toHaveProperty("strict")
    expect(project([good], "openai").tools?.[0]?.function.strict).toBe(false)
    const { report } = project([good], "gemini", { strict: true })
    expect(changes(report)).toEqual(["strict-disabled /inputSchema"])
  })
})
