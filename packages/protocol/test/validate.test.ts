import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import {
  Resource,
  displayName,
  ContentBlock,
  isContent,
  isKnownContent,
  jsonPointer,
  metaKey,
  Tool,
  toolHints,
  validate,
} from "../src/index.js"

const tool = (extra: object) => ({ name: "t", inputSchema: { type: "object" }, ...extra })

describe("validate", () => {
  it("V25-RPC-11 hands out the very object, with all that the schema does not mention", () => {
    const sent = JSON.parse(
      '{"zeta":1,"name":"t","inputSchema":{"$defs":{"x":{}},"type":"object","unevaluatedProperties":false},"__proto__":{"a":1}}',
    )
    const before = JSON.stringify(sent)
    const checked = validate(Tool, sent)
    expect(checked.ok && checked.value).toBe(sent)
    expect(JSON.stringify(sent)).toBe(before)
  })

  it("C011 points at the place of the fault and says what was expected", () => {
    expect(validate(Tool, { name: "bad", inputSchema: { anyOf: [] } })).toEqual({
      ok: false,
      pointer: "/inputSchema/type",
      reason: "Missing key",
    })
    expect(validate(Tool, tool({ description: 5 }))).toEqual({
      ok: false,
      pointer: "/description",
      reason: "Expected string",
    })
  })

  it("never quotes the value, which may be a secret", () => {
    const checked = validate(Tool, tool({ title: ["sesame"] }))
    expect(JSON.stringify(checked)).not.toContain("sesame")
  })

  it("escapes pointers as RFC 6901 wants", () => {
    expect(jsonPointer(["a/b", "c~d", 0, ""])).toBe("/a~1b/c~0d/0/")
    expect(jsonPointer([])).toBe("")
    const record = Schema.Record(Schema.String, Schema.String)
    expect(validate(record, { "a/b": 1 })).toMatchObject({ pointer: "/a~1b" })
  })

  it.each([null, undefined, 5, "x", true, [], [tool({})]])("refuses %j as a tool", (value) => {
    expect(validate(Tool, value)).toMatchObject({ ok: false, pointer: "" })
  })
})

describe("content blocks", () => {
  const known = [
    { type: "text", text: "" },
    { type: "image", data: "AA==", mimeType: "image/png" },
    { type: "audio", data: "AA==", mimeType: "audio/wav" },
    { type: "resource_link", uri: "u:1", name: "one" },
    { type: "resource", resource: { uri: "u:1", text: "" } },
  ]

  it.each(known)("V25-TOOL-04 $type is known", (block) => {
    const checked = validate(ContentBlock, block)
    expect(checked.ok && isKnownContent(checked.value)).toBe(true)
  })

  it.each(["hologram", "json", "__proto__", "toString", ""])(
    "C088 a block of the unknown kind %j is kept",
    (type) => {
      const block = { type, payload: { x: 1 } }
      const checked = validate(ContentBlock, block)
      expect(checked.ok && checked.value).toBe(block)
      expect(checked.ok && isKnownContent(checked.value)).toBe(false)
    },
  )

  it.each(["text", "image", "audio", "resource_link", "resource"])(
    "a broken block of the known kind %s does not pass for an unknown one",
    (type) => {
      expect(validate(ContentBlock, { type })).toMatchObject({ ok: false })
    },
  )

  it.each(["text", "image", "audio", "resource_link", "resource"] as const)(
    "one that calls itself %s and is none is of no known kind",
    (type) => {
      expect(isContent({ type }, type)).toBe(false)
      expect(isKnownContent({ type })).toBe(false)
    },
  )

  it("are told apart by kind", () => {
    const checked = validate(ContentBlock, { type: "text", text: "hi" })
    if (!checked.ok) throw new Error(checked.reason)
    expect(isContent(checked.value, "text") && checked.value.text).toBe("hi")
    expect(isContent(checked.value, "image")).toBe(false)
  })
})

describe("what people call an item", () => {
  it.each([
    [{ title: "A", annotations: { title: "B" } }, "A"],
    [{ annotations: { title: "B" } }, "B"],
    [{ annotations: {} }, "t"],
    [{}, "t"],
  ])("V25-TOOL-13 V26-TOOL-03 a tool with %j is called %s", (extra, title) => {
    const checked = validate(Tool, tool(extra))
    expect(checked.ok && displayName(checked.value)).toBe(title)
  })

  it("V25-TOOL-13 elsewhere only title comes before the name", () => {
    const resource = { uri: "u:1", name: "r", annotations: { title: "B" } }
    const checked = validate(Resource, resource)
    expect(checked.ok && displayName(checked.value)).toBe("r")
    expect(displayName({ name: "p", title: "A" })).toBe("A")
  })
})

describe("what a tool is said to do", () => {
  it.each([
    [{}, { readOnly: false, destructive: true, idempotent: false, openWorld: true }],
    [
      { readOnlyHint: true, destructiveHint: true, idempotentHint: false },
      { readOnly: true, destructive: false, idempotent: true, openWorld: true },
    ],
    [
      { destructiveHint: false, idempotentHint: true, openWorldHint: false },
      { readOnly: false, destructive: false, idempotent: true, openWorld: false },
    ],
  ])("V25-TOOL-03 V26-TOOL-02 %j means %j", (annotations, hints) => {
    const checked = validate(Tool, tool({ annotations }))
    expect(checked.ok && toolHints(checked.value)).toEqual(hints)
    const silent = validate(Tool, tool({}))
    expect(silent.ok && toolHints(silent.value).destructive).toBe(true)
  })
})

it("the keys of _meta are spelled as the specification spells them", () => {
  expect(Object.values(metaKey)).toEqual([
    "io.modelcontextprotocol/protocolVersion",
    "io.modelcontextprotocol/clientCapabilities",
    "io.modelcontextprotocol/clientInfo",
    "io.modelcontextprotocol/serverInfo",
    "io.modelcontextprotocol/logLevel",
    "io.modelcontextprotocol/subscriptionId",
    "io.modelcontextprotocol/related-task",
    "io.modelcontextprotocol/model-immediate-response",
  ])
})
