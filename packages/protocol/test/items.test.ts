import { describe, expect, it } from "vitest"
import { readPage, type Exclusion, type PageContext, type TolerancePolicy } from "../src/index.js"

const context = (policy: TolerancePolicy = {}, page = 0): PageContext => ({
  page,
  target: "demo",
  policy,
})

const tool = (name: string) => ({ name, inputSchema: { type: "object" } })
const anyOf = { name: "bad", inputSchema: { anyOf: [{ type: "object" }] } }

describe("readPage", () => {
  it("C001 hands out the very items and the cursor byte for byte", () => {
    const a = { ...tool("a"), "x-vendor": { deep: null } }
    const read = readPage("tools/list", { tools: [a], nextCursor: "p 2\u0000ü" }, context())
    expect(read).toMatchObject({ ok: true, nextCursor: "p 2\u0000ü", quarantined: [], notes: [] })
    expect(read.ok && read.items[0]).toBe(a)
  })

  it("V25-PAGE-03 no cursor is the end", () => {
    expect(readPage("tools/list", { tools: [] }, context())).toEqual({
      ok: true,
      items: [],
      nextCursor: undefined,
      quarantined: [],
      notes: [],
    })
  })

  it('C004 V26-PAGE-02 "" is a cursor like any other', () => {
    const read = readPage("tools/list", { tools: [], nextCursor: "" }, context())
    expect(read).toMatchObject({ ok: true, nextCursor: "", notes: [] })
  })

  it("V25-PAGE-05 a null cursor counts as absent, with a note", () => {
    const page = { tools: [], nextCursor: null }
    expect(readPage("tools/list", page, context())).toMatchObject({
      ok: true,
      nextCursor: undefined,
      notes: [{ code: "null-is-absent", detail: "/nextCursor" }],
    })
    expect(readPage("tools/list", page, context({ strict: true }))).toMatchObject({
      ok: false,
      error: { _tag: "NotTolerated", tolerance: "null-is-absent", stage: "list" },
    })
  })

  it.each([8, false, {}, ["p2"]])("the cursor %j is a violation", (nextCursor) => {
    expect(readPage("tools/list", { tools: [], nextCursor }, context())).toMatchObject({
      ok: false,
      error: { _tag: "ProtocolViolation", code: "invalid-result", pointer: "/nextCursor" },
    })
  })

  it.each([
    ["tools/list", "/tools"],
    ["prompts/list", "/prompts"],
    ["resources/list", "/resources"],
    ["resources/templates/list", "/resourceTemplates"],
    ["tasks/list", "/tasks"],
  ] as const)("%s without its list is a violation at %s", (method, pointer) => {
    for (const result of [{}, { [pointer.slice(1)]: null }, { [pointer.slice(1)]: {} }]) {
      const read = readPage(method, result, context())
      expect(read).toMatchObject({ ok: false, error: { _tag: "ProtocolViolation", pointer } })
      expect(!read.ok && read.error.message).toContain(method)
    }
  })

  it("C011 sets a broken tool aside and keeps the others", () => {
    const ok = tool("ok")
    const read = readPage("tools/list", { tools: [ok, anyOf] }, context({}, 3))
    expect(read).toEqual({
      ok: true,
      items: [ok],
      nextCursor: undefined,
      quarantined: [
        { page: 3, index: 1, name: "bad", pointer: "/inputSchema/type", reason: "Missing key" },
      ],
      notes: [{ code: "item-quarantined", detail: "/tools/1/inputSchema/type: Missing key" }],
    })
  })

  it("C011 fails at the first broken item where the rule is off", () => {
    const page = { tools: [tool("ok"), anyOf] }
    for (const policy of [{ strict: true }, { "item-quarantined": false }]) {
      expect(readPage("tools/list", page, context(policy))).toMatchObject({
        ok: false,
        error: { _tag: "NotTolerated", tolerance: "item-quarantined", target: "demo" },
      })
    }
  })

  it("C013 keeps a tool whose output schema is broken", () => {
    const outputSchema = { type: "object", properties: { list: { type: "long" } } }
    const read = readPage("tools/list", { tools: [{ ...tool("orders"), outputSchema }] }, context())
    expect(read).toMatchObject({ ok: true, quarantined: [], notes: [] })
  })

  it("keeps an item whose optional members are null, with one note for the page", () => {
    const tools = [{ ...tool("a"), title: null }, tool("b"), { ...tool("c"), description: null }]
    expect(readPage("tools/list", { tools }, context())).toMatchObject({
      ok: true,
      items: [tool("a"), tool("b"), tool("c")],
      notes: [{ code: "null-is-absent", detail: "/tools/0/title and 1 more" }],
    })
  })

  it("strict mode blames the null, not the quarantine", () => {
    const page = { tools: [{ ...tool("a"), title: null }] }
    expect(readPage("tools/list", page, context({ strict: true }))).toMatchObject({
      ok: false,
      error: { _tag: "NotTolerated", tolerance: "null-is-absent" },
    })
  })

  it("with nulls refused but quarantine kept, the item is set aside", () => {
    const page = { tools: [{ ...tool("a"), title: null }] }
    expect(readPage("tools/list", page, context({ "null-is-absent": false }))).toMatchObject({
      ok: true,
      items: [],
      quarantined: [{ name: "a", pointer: "/title" }],
    })
  })

  it("names broken items as well as it can", () => {
    const resources = [null, 5, { name: "n" }, { uri: "u:1" }, { uri: 7 }]
    const read = readPage("resources/list", { resources }, context())
    expect(read.ok && read.quarantined.map(({ name }) => name)).toEqual([
      undefined,
      undefined,
      undefined,
      "u:1",
      undefined,
    ])
  })

  it("quotes nothing of the page in an error", () => {
    const page = { tools: [{ name: "sesame", inputSchema: "sesame" }], nextCursor: "sesame" }
    const read = readPage("tools/list", page, context({ strict: true }))
    expect(!read.ok && JSON.stringify({ ...read.error })).not.toContain("sesame")
  })

  it("one bad item among ten thousand costs only itself", () => {
    const tools = Array.from({ length: 10_000 }, (_, i) => (i === 5_000 ? anyOf : tool(`t${i}`)))
    const read = readPage("tools/list", { tools }, context())
    expect(read.ok && read.items.length).toBe(9_999)
  })

  it("C103 one [] where an object belongs costs neither its tool nor the other", () => {
    const info = { name: "info", inputSchema: { type: "object", properties: [] } }
    const read = readPage("tools/list", { tools: [info, tool("b")] }, context())
    expect(read).toMatchObject({
      ok: true,
      items: [{ name: "info", inputSchema: { type: "object", properties: {} } }, tool("b")],
      quarantined: [],
      notes: [{ code: "empty-array-as-object", detail: "/tools/0/inputSchema/properties" }],
    })
    expect(readPage("tools/list", { tools: [info] }, context({ strict: true }))).toMatchObject({
      ok: false,
      error: { _tag: "NotTolerated", tolerance: "empty-array-as-object" },
    })
    const full = { name: "full", inputSchema: { type: "object", properties: [1] } }
    expect(readPage("tools/list", { tools: [full, tool("b")] }, context())).toMatchObject({
      ok: true,
      items: [tool("b")],
      quarantined: [{ name: "full", pointer: "/inputSchema/properties" }],
    })
  })

  describe("with a reason to leave items out", () => {
    const exclude = ({ name }: { readonly name: string }): Exclusion | undefined =>
      name.startsWith("bad")
        ? { code: "tool-left-out", pointer: "/inputSchema/properties/r", reason: "not-a-token: no" }
        : undefined

    it.each([{}, { strict: true }])(
      "V26-XHDR-04 V26-XHDR-05 leaves out just those, each with a note, under the policy %j",
      (policy) => {
        const tools = [tool("bad 1"), tool("ok"), tool("bad\u001b[2J 2")]
        const read = readPage("tools/list", { tools }, { ...context(policy, 2), exclude })
        expect(read).toEqual({
          ok: true,
          items: [tools[1]],
          nextCursor: undefined,
          quarantined: [
            { page: 2, index: 0, name: "bad 1" },
            { page: 2, index: 2, name: "bad\u001b[2J 2" },
          ].map((place) => ({
            ...place,
            pointer: "/inputSchema/properties/r",
            reason: "not-a-token: no",
          })),
          notes: ["bad 1, /tools/0", "bad [2J 2, /tools/2"].map((place) => ({
            code: "tool-left-out",
            detail: `${place}/inputSchema/properties/r: not-a-token: no`,
          })),
        })
      },
    )
  })
})
