import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import {
  CallToolResult,
  InputRequiredResult,
  InitializeResult,
  LegacyCallToolResult,
  LegacyTask,
  ReadResourceResult,
  Tool,
  validateTolerantly,
  type Shape,
} from "../src/index.js"

const initialize = (capabilities: unknown) => ({
  protocolVersion: "2025-11-25",
  capabilities,
  serverInfo: { name: "s", version: "1" },
})

const inputSchema = { type: "object", properties: { a: { default: null } } }

describe("null-is-absent", () => {
  it("drops a null where a member is optional, and notes it", () => {
    const sent = { name: "t", title: null, inputSchema }
    const read = validateTolerantly(Tool, sent, {})
    expect(read).toEqual({
      ok: true,
      value: { name: "t", inputSchema },
      notes: [{ code: "null-is-absent", detail: "/title" }],
    })
    expect(sent.title).toBeNull()
  })

  it("touches nothing else: what needs no repair is the original", () => {
    const annotations = { readOnlyHint: true }
    const read = validateTolerantly(Tool, { name: "t", title: null, inputSchema, annotations }, {})
    expect(read.ok && read.value.inputSchema).toBe(inputSchema)
    expect(read.ok && read.value.annotations).toBe(annotations)
  })

  it("hands out the very object, without notes, where nothing is wrong", () => {
    const sent = { name: "t", inputSchema, unknown: null }
    const read = validateTolerantly(Tool, sent, {})
    expect(read.ok && read.value).toBe(sent)
    expect(read.ok && read.notes).toEqual([])
  })

  it("reaches into nested objects and arrays, and leaves one note", () => {
    const read = validateTolerantly(
      CallToolResult,
      {
        content: [
          { type: "text", text: "a", annotations: null, _meta: null },
          { type: "resource", resource: { uri: "u:1", blob: "AA==", mimeType: null } },
        ],
        isError: null,
      },
      {},
    )
    expect(read).toEqual({
      ok: true,
      value: {
        content: [
          { type: "text", text: "a" },
          { type: "resource", resource: { uri: "u:1", blob: "AA==" } },
        ],
      },
      notes: [{ code: "null-is-absent", detail: "/content/0/annotations" }],
    })
  })

  it("reaches into records, whatever their keys are called", () => {
    const sent = JSON.parse(
      '{"resultType":"input_required","inputRequests":{"__proto__":{"method":"roots/list","params":null}},"requestState":null}',
    )
    const read = validateTolerantly(InputRequiredResult, sent, {})
    expect(read.ok && JSON.stringify(read.value)).toBe(
      '{"resultType":"input_required","inputRequests":{"__proto__":{"method":"roots/list"}}}',
    )
    expect(Object.getPrototypeOf(read.ok && read.value.inputRequests)).toBe(Object.prototype)
  })

  it("V26-TOOL-07 a null that is allowed stays", () => {
    const sent = { content: [], structuredContent: null, isError: null }
    const read = validateTolerantly(CallToolResult, sent, {})
    expect(read.ok && read.value).toEqual({ content: [], structuredContent: null })
    const task = { taskId: "t", status: "working", createdAt: "a", lastUpdatedAt: "b", ttl: null }
    expect(validateTolerantly(LegacyTask, task, {})).toMatchObject({ ok: true, value: task })
  })

  it("an unknown content block keeps its nulls", () => {
    const hologram = { type: "hologram", annotations: null }
    const sent = { content: [hologram, { type: "text", text: "a", _meta: null }] }
    const read = validateTolerantly(CallToolResult, sent, {})
    expect(read.ok && read.value.content[0]).toBe(hologram)
  })

  it("a null where a member is required, or in an array, is a fault", () => {
    expect(validateTolerantly(Tool, { name: null, inputSchema }, {})).toEqual({
      ok: false,
      pointer: "/name",
      reason: "Expected string",
    })
    const required = { type: "object", required: [null] }
    expect(validateTolerantly(Tool, { name: "t", inputSchema: required }, {})).toMatchObject({
      ok: false,
      pointer: "/inputSchema/required/0",
    })
  })

  it("C089 absent capabilities stay a fault when others are null", () => {
    const sent = { protocolVersion: "2025-11-25", serverInfo: { name: "s", version: "1" } }
    expect(validateTolerantly(InitializeResult, { ...sent, instructions: null }, {})).toMatchObject(
      { ok: false, pointer: "/capabilities" },
    )
  })

  it("tells the fault that is left once the nulls are gone", () => {
    const sent = { name: "t", title: null, inputSchema: { type: "array" } }
    expect(validateTolerantly(Tool, sent, {})).toMatchObject({
      ok: false,
      pointer: "/inputSchema/type",
    })
  })

  it("switched off, names the rule that would have helped", () => {
    const sent = { name: "t", title: null, inputSchema }
    const refused = { ok: false, pointer: "/title", tolerance: "null-is-absent" }
    expect(validateTolerantly(Tool, sent, { strict: true })).toMatchObject(refused)
    expect(validateTolerantly(Tool, sent, { "null-is-absent": false })).toMatchObject(refused)
    expect(validateTolerantly(Tool, { name: null, inputSchema }, { strict: true })).toEqual({
      ok: false,
      pointer: "/name",
      reason: "Expected string",
    })
  })

  it("an alternative that takes the null as it is comes before one that would drop it", () => {
    const loose = Schema.Struct({ kind: Schema.optionalKey(Schema.String) })
    const shape = Schema.Struct({
      one: Schema.Union([loose, Schema.Struct({ kind: Schema.Null })]),
      other: Schema.optionalKey(Schema.String),
    })
    expect(validateTolerantly(shape, { one: { kind: null }, other: null }, {})).toEqual({
      ok: true,
      value: { one: { kind: null } },
      notes: [{ code: "null-is-absent", detail: "/other" }],
    })
  })

  it("an alternative that did not fit in the end leaves no note", () => {
    const a = Schema.Struct({ kind: Schema.Literal("a"), x: Schema.optionalKey(Schema.String) })
    const b = Schema.Struct({ kind: Schema.Literal("b"), y: Schema.optionalKey(Schema.String) })
    const sent = { kind: "b", x: null, y: null }
    expect(validateTolerantly(Schema.Union([a, b]), sent, {})).toEqual({
      ok: true,
      value: { kind: "b", x: null },
      notes: [{ code: "null-is-absent", detail: "/y" }],
    })
  })

  it("takes any number of nulls in one go", () => {
    const contents = Array.from({ length: 5_000 }, () => ({
      uri: "u:1",
      text: "",
      mimeType: null,
    }))
    const read = validateTolerantly(ReadResourceResult, { contents }, {})
    expect(read.ok && read.value.contents.every((one) => !("mimeType" in one))).toBe(true)
  })

  it("leaves alone what a schema of someone else's does not describe member by member", () => {
    const tuple = Schema.Tuple([Schema.String])
    expect(validateTolerantly(tuple, [null], {})).toMatchObject({ ok: false, pointer: "/0" })
  })
})

describe("C103 empty-array-as-object", () => {
  const strict = { strict: true }

  it.each([
    [
      "/inputSchema/properties",
      Tool,
      { name: "t", inputSchema: { type: "object", properties: [] } },
    ],
    ["/_meta", Tool, { name: "t", inputSchema, _meta: [] }],
    ["/annotations", Tool, { name: "t", inputSchema, annotations: [] }],
    ["/capabilities/tools", InitializeResult, initialize({ tools: [] })],
    ["/capabilities", InitializeResult, initialize([])],
    ["/structuredContent", LegacyCallToolResult, { content: [], structuredContent: [] }],
    ["/content/0/_meta", CallToolResult, { content: [{ type: "text", text: "a", _meta: [] }] }],
  ] as const)("[] at %s is read as {}, in a copy, with a note", (pointer, shape: Shape, sent) => {
    const before = JSON.stringify(sent)
    const read = validateTolerantly(shape, sent, {})
    expect(read).toMatchObject({
      ok: true,
      notes: [{ code: "empty-array-as-object", detail: pointer }],
    })
    expect(read.ok && JSON.stringify(read.value)).toBe(before.replace(/\[\](?!.*\[\])/, "{}"))
    expect(JSON.stringify(sent)).toBe(before)
    expect(validateTolerantly(shape, sent, strict)).toMatchObject({
      ok: false,
      pointer,
      tolerance: "empty-array-as-object",
    })
  })

  it("an array that is not empty gets no such mercy", () => {
    const sent = { name: "t", inputSchema: { type: "object", properties: [1] } }
    for (const policy of [{}, strict]) {
      const read = validateTolerantly(Tool, sent, policy)
      expect(read).toMatchObject({ ok: false, pointer: "/inputSchema/properties" })
      expect(read).not.toHaveProperty("tolerance")
    }
  })

  it("a [] that may be one stays", () => {
    const sent = { content: [], structuredContent: [] }
    const read = validateTolerantly(CallToolResult, sent, {})
    expect(read.ok && read.value).toBe(sent)
  })

  it("an object that needs members is not made of nothing", () => {
    const read = validateTolerantly(Tool, { name: "t", inputSchema: [] }, {})
    expect(read).toMatchObject({ ok: false, pointer: "/inputSchema" })
    expect(read).not.toHaveProperty("tolerance")
  })

  it("comes with other repairs, and a refused one is named by its own place", () => {
    const sent = { name: "t", title: null, inputSchema: { type: "object", properties: [] } }
    expect(validateTolerantly(Tool, sent, {})).toMatchObject({
      ok: true,
      notes: [
        { code: "null-is-absent", detail: "/title" },
        { code: "empty-array-as-object", detail: "/inputSchema/properties" },
      ],
    })
    expect(validateTolerantly(Tool, sent, { "empty-array-as-object": false })).toMatchObject({
      ok: false,
      pointer: "/inputSchema/properties",
      tolerance: "empty-array-as-object",
    })
    expect(validateTolerantly(Tool, sent, { "null-is-absent": false })).toMatchObject({
      ok: false,
      pointer: "/title",
      tolerance: "null-is-absent",
    })
  })
})
