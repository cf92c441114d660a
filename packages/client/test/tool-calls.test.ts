import { describe, expect, it } from "vitest"
import {
  legacyServer,
  memoryPeer,
  modernServer,
  refusal,
  tool,
  withRules,
  type Rule,
} from "@entente/testkit"
import { connected, reasonOf } from "./field/connected.js"

const offers = { tools: [tool("a"), tool("b")], prompts: [{ name: "p" }] }
const eras = [
  ["legacy", legacyServer(offers)],
  ["modern", modernServer(offers)],
] as const

describe.each(eras)("a call of a %s server", (era, script) => {
  const failing = (code: number): Rule => ({
    when: { method: "tools/call", params: { arguments: { code } } },
    reply: refusal(200, code, "no", { why: ["because"] }),
  })

  it.each([-32602, -32603, -32600, 7])(
    "V25-TOOL-06 V26-TOOL-10 V26-ERR-04 that ends in the error %i rejects, with all that was said",
    async (code) => {
      const peer = memoryPeer(withRules(script, failing(code)))
      await using client = await connected(peer.transport, { mode: era })
      await expect(client.callTool({ name: "a", arguments: { code } })).rejects.toMatchObject({
        _tag: "PeerError",
        rpcCode: code,
        message: expect.stringContaining("no"),
        data: { why: ["because"] },
      })
      expect(peer.requests("tools/call")).toHaveLength(1)
    },
  )

  it("V25-TOOL-06 of a tool nobody has rejects with the code of the server", async () => {
    const peer = memoryPeer(script)
    await using client = await connected(peer.transport, { mode: era })
    await expect(client.callTool({ name: "nobody" })).rejects.toMatchObject({ rpcCode: -32602 })
  })

  it("V25-TOOL-05 V26-TOOL-10 whose tool failed is a result that says so", async () => {
    const content = [{ type: "text", text: "disk full" }]
    const result = { resultType: "complete", content, isError: true }
    const failed: Rule = { when: { method: "tools/call" }, reply: [{ result }] }
    const peer = memoryPeer(withRules(script, failed))
    await using client = await connected(peer.transport, { mode: era })
    expect(await client.callTool({ name: "a" })).toEqual(result)
  })

  it("V25-TOOL-10 without arguments sends none, or an empty object, and never null", async () => {
    const schemas = [
      { type: "object" },
      { type: "object", additionalProperties: false },
      { type: "object", properties: {}, required: [] },
    ]
    const tools = schemas.map((inputSchema, index) => tool(`t${index}`, { inputSchema }))
    const server = era === "legacy" ? legacyServer({ tools }) : modernServer({ tools })
    const peer = memoryPeer(server)
    await using client = await connected(peer.transport, { mode: era })
    const { items, quarantined } = await client.tools.list()
    expect({ items, quarantined }).toEqual({ items: tools, quarantined: [] })
    for (const { name } of items) {
      await client.callTool({ name })
      await client.callTool({ name, arguments: {} })
    }
    // What a caller without types may give.
    for (const odd of [null, [], "text", 7]) {
      const params = { name: "t0", arguments: odd as unknown as Record<string, unknown> }
      expect(await reasonOf(client.callTool(params))).toMatchObject({ _tag: "InvalidInput" })
    }
    const sent = peer.requests("tools/call").map(({ message }) => message.params ?? {})
    expect(sent).toHaveLength(6)
    for (const params of sent) expect(params["arguments"] ?? {}).toEqual({})
  })

  it("V25-PROMPT-01 V26-PROM-01 for a prompt takes texts as arguments, and refuses all else here", async () => {
    const messages = [{ role: "user", content: { type: "text", text: "hi" } }]
    const result = { resultType: "complete", messages }
    const peer = memoryPeer(
      withRules(script, { when: { method: "prompts/get" }, reply: [{ result }] }),
    )
    await using client = await connected(peer.transport, { mode: era })
    const given = { city: "Zürich", count: "7", empty: "" }
    expect(await client.getPrompt({ name: "p", arguments: given })).toEqual(result)
    expect(await client.getPrompt({ name: "p" })).toEqual(result)
    for (const odd of [{ count: 7 }, { flag: true }, { nothing: null }, { list: ["x"] }, null]) {
      const params = { name: "p", arguments: odd as unknown as Record<string, string> }
      expect(await reasonOf(client.getPrompt(params))).toMatchObject({
        _tag: "InvalidInput",
        message: expect.stringContaining("arguments"),
      })
    }
    const sent = peer.requests("prompts/get").map(({ message }) => message.params)
    expect(sent).toMatchObject([{ name: "p", arguments: given }, { name: "p" }])
    expect(sent).toHaveLength(2)
  })
})
