import { describe, expect, it } from "vitest"
import {
  CallToolResult,
  GetPromptResult,
  ReadResourceResult,
  isBase64,
  isContent,
  isKnownContent,
  readContent,
  type JsonObject,
  type TolerancePolicy,
} from "../src/index.js"

const call = (result: JsonObject, policy: TolerancePolicy = {}) =>
  readContent("tools/call", CallToolResult, result, policy)

const get = (result: JsonObject, policy: TolerancePolicy = {}) =>
  readContent("prompts/get", GetPromptResult, result, policy)

const read = (result: JsonObject, policy: TolerancePolicy = {}) =>
  readContent("resources/read", ReadResourceResult, result, policy)

const text = { type: "text", text: "ok" }
const image = { type: "image", data: "AA==", mimeType: "image/png" }
const json = { type: "json", json: { a: 1 } }
const hologram = { type: "hologram", x: 1 }
const strict = { strict: true }

describe("content of a tool", () => {
  it("V25-TOOL-04 every known kind, and none at all, is handed out as it came", () => {
    const all = [
      text,
      image,
      { type: "audio", data: "AA==", mimeType: "audio/wav" },
      { type: "resource_link", uri: "u:not-listed", name: "one" },
      { type: "resource", resource: { uri: "u:1", blob: "AA==" } },
    ]
    for (const content of [all, []]) {
      const result = { content }
      const got = call(result, strict)
      expect(got.ok && got.value).toBe(result)
      expect(got.ok && got.notes).toEqual([])
    }
  })

  it("V25-TOOL-04 C088 unknown kinds stay in order, in the very result, with one note of their places", () => {
    const result = { content: [text, json, hologram] }
    const got = call(result)
    if (!got.ok) throw new Error(got.reason)
    expect(got.value).toBe(result)
    expect(got.value.content.map(isKnownContent)).toEqual([true, false, false])
    expect(got.notes).toEqual([
      {
        code: "unknown-content",
        detail:
          '/content/1: of the unknown kind "json"; /content/2: of the unknown kind "hologram"',
      },
    ])
  })

  it("C088 a resource_link is typed", () => {
    const got = call({ content: [{ type: "resource_link", uri: "u:1", name: "one" }, hologram] })
    const [link] = got.ok ? got.value.content : []
    expect(link !== undefined && isContent(link, "resource_link") && link.uri).toBe("u:1")
  })

  it("C088 under strict an unknown kind is an error that points to it", () => {
    expect(call({ content: [text, json] }, strict)).toEqual({
      ok: false,
      pointer: "/content/1",
      reason: 'of the unknown kind "json"',
      tolerance: "unknown-content",
    })
  })

  it("names ten places at most, and no kind at length", () => {
    const content = Array.from({ length: 50 }, () => ({ type: `x\u001b${"y".repeat(500)}` }))
    const got = call({ content })
    const [note] = got.ok ? got.notes : []
    expect(note?.detail).toContain("/content/9: ")
    expect(note?.detail).toMatch(/; and 40 more$/)
    expect(note?.detail).not.toContain("\u001b")
    expect(note?.detail.length).toBeLessThan(1_200)
  })

  it.each([
    [{ type: "text" }],
    [{ type: "image", data: "AA==" }],
    [{ type: "resource_link", uri: "u:1" }],
    [{ type: "resource", resource: { uri: "u:1" } }],
  ])("V25-PROMPT-05 %j costs none of the others, and counts as of no known kind", (block) => {
    const result = { content: [text, block, hologram, image] }
    const got = call(result)
    if (!got.ok) throw new Error(got.reason)
    expect(got.value).toEqual(result)
    expect(got.value.content[1]).toBe(block)
    expect(got.value.content.map(isKnownContent)).toEqual([true, false, false, true])
    expect(got.notes).toEqual([
      { code: "malformed-content", detail: `/content/1: no "${block.type}"` },
      { code: "unknown-content", detail: '/content/2: of the unknown kind "hologram"' },
    ])
    expect(call(result, strict)).toMatchObject({ ok: false, tolerance: "malformed-content" })
  })

  it.each([[null], ["text"], [[]], [{}], [{ type: 5 }]])(
    "%j is no block, and its result is refused",
    (block) => {
      const got = call({ content: [text, block] })
      expect(got).toMatchObject({ ok: false, pointer: expect.stringMatching(/^\/content\/1/) })
      expect(got).not.toHaveProperty("tolerance")
    },
  )

  it("what else is wrong is still wrong", () => {
    expect(call({ content: [hologram], isError: "no" })).toMatchObject({ pointer: "/isError" })
    expect(call({ content: { a: 1 } })).toMatchObject({ ok: false, pointer: "/content" })
    expect(call({})).toMatchObject({ ok: false, pointer: "/content" })
  })

  it("nulls in good blocks are dropped beside bad ones", () => {
    const good = { type: "text", text: "a", annotations: null }
    const got = call({ content: [good, { type: "text" }], isError: null })
    expect(got).toMatchObject({
      ok: true,
      value: { content: [{ type: "text", text: "a" }, { type: "text" }] },
      notes: [
        { code: "null-is-absent", detail: "/isError" },
        { code: "null-is-absent", detail: "/content/0/annotations" },
        { code: "malformed-content" },
      ],
    })
    expect(call({ content: [good, { type: "text" }] }, { "null-is-absent": false })).toMatchObject({
      ok: false,
      tolerance: "null-is-absent",
    })
  })
})

describe("content of a prompt", () => {
  const said = (content: unknown) => ({ role: "user", content })

  it("C088 V25-TOOL-04 is judged block by block as well", () => {
    const result = { messages: [said(text), said(hologram), said({ type: "text" })] }
    const got = get(result)
    expect(got.ok && got.value).toEqual(result)
    expect(got.ok && got.notes).toEqual([
      { code: "unknown-content", detail: '/messages/1/content: of the unknown kind "hologram"' },
      { code: "malformed-content", detail: '/messages/2/content: no "text"' },
    ])
    expect(get(result, strict)).toMatchObject({ ok: false, pointer: "/messages/1/content" })
  })

  it("what else is wrong is still wrong", () => {
    expect(get({ messages: [{ role: "robot", content: text }] })).toMatchObject({ ok: false })
    expect(get({ messages: [said(text), null] })).toMatchObject({ ok: false })
    expect(get({ messages: "none" })).toMatchObject({ ok: false, pointer: "/messages" })
  })
})

describe("Base64 that cannot be decoded", () => {
  const broken = "AA==!"
  const detail = (...pointers: ReadonlyArray<string>) =>
    pointers.map((pointer) => `${pointer}: its Base64 cannot be decoded`).join("; ")

  it("V25-PROMPT-05 is reported, not thrown, and nothing else suffers", () => {
    const content = [
      text,
      { ...image, data: broken },
      { type: "audio", data: broken, mimeType: "audio/wav" },
      { type: "resource", resource: { uri: "u:1", blob: broken } },
      image,
    ]
    const result = { content }
    const got = call(result)
    expect(got.ok && got.value).toBe(result)
    expect(got.ok && got.notes).toEqual([
      { code: "broken-base64", detail: detail("/content/1", "/content/2", "/content/3") },
    ])
    expect(call(result, strict)).toMatchObject({ ok: false, tolerance: "broken-base64" })
    const prompt = { messages: [{ role: "user", content: { ...image, data: broken } }] }
    expect(get(prompt)).toMatchObject({
      notes: [{ detail: detail("/messages/0/content") }],
    })
  })

  it("V25-RES-09 one bad item of a resource leaves the good ones, as does a URI that is none", () => {
    const contents = [
      { uri: "u:1", blob: "AA==" },
      { uri: "u:2", blob: broken },
      { uri: "not a uri", text: "three" },
    ]
    const result = { contents }
    const got = read(result)
    expect(got.ok && got.value).toBe(result)
    expect(got.ok && got.notes).toEqual([{ code: "broken-base64", detail: detail("/contents/1") }])
    expect(read(result, strict)).toMatchObject({ ok: false, pointer: "/contents/1" })
  })

  it.each(["", "AA==", "AAA=", "AAAA", "AA", "AAA", "QUJD\r\nREVG", " A A = = ", "+/+/"])(
    "%j can be decoded",
    (sent) => {
      expect(() => atob(sent)).not.toThrow() // or else it proves nothing
      expect(isBase64(sent)).toBe(true)
    },
  )

  it.each(["A", "A===", "AA=", "AAAA=", "AA=A", "-_-_", "AA==AA==", "é", "data:;base64,AA=="])(
    "%j cannot",
    (sent) => {
      expect(() => atob(sent)).toThrow(DOMException)
      expect(isBase64(sent)).toBe(false)
    },
  )
})
