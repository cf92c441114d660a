import { describe, expect, expectTypeOf, it } from "vitest"
import { readArguments } from "../../src/argument/read-arguments.js"
import type { OpenAiTool } from "../../src/projection/format/tools.js"
import { project } from "../../src/projection/project.js"
import type { ServerTool } from "../../src/projection/projection.js"
import { broken, changes, projected, targets, toolWith } from "./targets.js"

const tool: ServerTool = {
  server: "clock",
  tool: {
    name: "now",
    description: "Tells the time.",
    inputSchema: { type: "object", properties: { zone: { type: "string" } } },
  },
}
const name = "clock__now"
const description = "Tells the time."
const schema = { type: "object", properties: { zone: { type: "string" } } }
const strictSchema = {
  type: "object",
  properties: { zone: { type: ["string", "null"] } },
  required: ["zone"],
  additionalProperties: false,
}

describe("the form of each API", () => {
  it("Anthropic", () => {
    expect(project([tool], "anthropic").tools).toEqual([
      { name, description, input_schema: schema },
    ])
    expect(project([tool], "anthropic", { strict: true }).tools).toEqual([
      { name, description, input_schema: strictSchema, strict: true },
    ])
  })

  it("OpenAI, where a Responses tool without a word on strict would be strict", () => {
    const { tools } = project([tool], "openai")
    expectTypeOf(tools).toEqualTypeOf<Array<OpenAiTool> | undefined>()
    expect(tools).toEqual([
      { type: "function", function: { name, description, parameters: schema, strict: false } },
    ])
    expect(project([tool], "openai-responses").tools).toEqual([
      { type: "function", name, description, parameters: schema, strict: false },
    ])
    expect(project([tool], "openai-responses", { strict: true }).tools).toEqual([
      { type: "function", name, description, parameters: strictSchema, strict: true },
    ])
  })

  it("Gemini, by either field", () => {
    const parameters = { type: "OBJECT", properties: { zone: { type: "STRING" } } }
    expect(project([tool], "gemini").tools).toEqual([
      { functionDeclarations: [{ name, description, parameters }] },
    ])
    const options = { gemini: { field: "parametersJsonSchema" } } as const
    expect(project([tool], "gemini", options).tools).toEqual([
      { functionDeclarations: [{ name, description, parametersJsonSchema: schema }] },
    ])
  })

  it("Bedrock", () => {
    expect(project([tool], "bedrock").tools).toEqual({
      tools: [{ toolSpec: { name, description, inputSchema: { json: schema } } }],
    })
    expect(project([tool], "bedrock", { strict: true }).tools?.tools[0]?.toolSpec.strict).toBe(true)
  })

  it("the AI SDK", () => {
    expect(project([tool], "ai-sdk").tools).toEqual({
      [name]: { description, inputSchema: schema },
    })
  })

  it("names lead back to the very tools, and a server's second tool of a name is left out", () => {
    const again = { ...tool, tool: { ...tool.tool, description: "Another." } }
    const { names, tools, report } = project([tool, again], "anthropic")
    expect(tools).toHaveLength(1)
    expect(names.toolOf(name)?.tool).toBe(tool.tool)
    expect(names.nameOf("clock", "now")).toBe(name)
    expect(changes(report)).toEqual(["rejected /name"])
  })

  it("what is handed out may be changed without touching the server's definition", () => {
    const inputSchema = {
      type: "object",
      properties: { a: { default: { b: [1] }, enum: [[1]] } },
    } as const
    const { tools } = project([{ server: "s", tool: { name: "x", inputSchema } }], "anthropic")
    const [first] = tools ?? []
    const a = first?.input_schema.properties["a"] as { default: { b: Array<number> } }
    a.default.b.push(2)
    expect(inputSchema.properties.a.default.b).toEqual([1])
  })
})

describe("names of arguments", () => {
  const odd = toolWith({
    type: "object",
    properties: {
      "filter[id]": { type: "string" },
      $top: { type: "integer" },
      top: { type: "string" },
      "filter id": { type: "object", properties: { "a b": { type: "string" } } },
      ["x".repeat(70)]: { type: "boolean" },
      ["x".repeat(71)]: { type: "boolean" },
    },
    required: ["filter[id]", "top"],
  })

  it.each(targets)("%s gets what it takes, and they lead back", (target) => {
    const outcome = projected([odd], target)
    expect(broken(outcome, target)).toEqual([])
    const [named] = outcome.projection.names.all
    const properties = Object.keys(odd.tool.inputSchema.properties ?? {})
    const sent = outcome.sent[0]?.schema as { properties: object }
    const back = Object.keys(sent.properties).map((key) => named?.renamed?.get(key) ?? key)
    expect(back).toEqual(properties)
  })

  it("Anthropic: each is told, its deeper names stay, and a call has the server's own", async () => {
    const { tools, names, report } = project([odd], "anthropic", { strict: true })
    expect(tools?.[0]?.input_schema).toMatchObject({
      properties: {
        filter_id: { type: "string" },
        top_2: { type: ["integer", "null"] },
        top: { type: "string" },
        filter_id_2: { properties: { "a b": {} } },
      },
      required: expect.arrayContaining(["filter_id", "top"]),
    })
    expect(changes(report)).toContain("renamed /inputSchema/properties/filter[id]")
    const [named] = names.all
    if (named === undefined) throw new Error("it is there")
    expect(named.widened).toContain("/properties/top_2")
    expect(
      await readArguments(named, {
        filter_id: "7",
        top: "x",
        top_2: null,
        filter_id_2: { "a b": "y" },
      }),
    ).toMatchObject({
      ok: true,
      arguments: { "filter[id]": "7", top: "x", "filter id": { "a b": "y" } },
    })
  })
})
