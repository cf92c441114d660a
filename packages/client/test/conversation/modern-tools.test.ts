import { describe, expect, it } from "vitest"
import { memoryPeer, modernServer, refusal, tool, withRules, type Rule } from "@entente/testkit"
import { startHttpPeer } from "@entente/testkit/node"
import { connected, reasonOf } from "../field/connected.js"

const called = (result: object): Rule => ({
  when: { method: "tools/call" },
  reply: [{ result: { resultType: "complete", ...result } }],
})

describe("the tools of a modern server", () => {
  it("V26-TOOL-01 may be none, and may become some and other ones", async () => {
    await using peer = await startHttpPeer(modernServer({ tools: [] }))
    await using client = await connected(peer.url)
    expect(await client.tools.list()).toMatchObject({ status: "complete", items: [] })
    peer.replace(modernServer({ tools: [tool("a")] }).rules)
    expect(await client.tools.list()).toMatchObject({
      status: "complete",
      items: [{ name: "a" }],
      changed: true,
    })
  })

  it("V26-TOOL-02 are not called a second time because of what they say of themselves", async () => {
    const annotations = { readOnlyHint: true, idempotentHint: true, destructiveHint: false }
    await using peer = await startHttpPeer(
      withRules(modernServer({ tools: [tool("a", { annotations })] }), {
        when: { method: "tools/call" },
        reply: [{ destroy: true }],
      }),
    )
    await using client = await connected(peer.url)
    const [read] = (await client.tools.list()).items
    expect(read?.annotations).toEqual(annotations)
    expect(await reasonOf(client.callTool({ name: "a" }))).toMatchObject({ _tag: "RequestLost" })
    expect(peer.requests("tools/call")).toHaveLength(1)
  })

  it.each(["n".repeat(200), "with spaces", "Grüße 世界", "a/b?c=d", "", "=?base64?x?="])(
    "V26-TOOL-04 V26-HDR-05 can be called whatever their name: %j",
    async (name) => {
      await using peer = await startHttpPeer(modernServer({ tools: [tool(name)] }))
      await using client = await connected(peer.url)
      expect((await client.tools.list()).items).toMatchObject([{ name }])
      const result = await client.callTool({ name, arguments: { a: 1 } })
      expect(result.content).toEqual([{ type: "text", text: '{"a":1}' }])
    },
  )

  it("V26-TOOL-06 V26-TOOL-15 keep every keyword of their schemas, and members of other revisions", async () => {
    const inputSchema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      $defs: { a: { $anchor: "here", type: "string" } },
      properties: { a: { $ref: "#/$defs/a" }, n: { enum: [null, 1] } },
      if: { required: ["a"] },
      else: { not: { required: ["b"] } },
      unknown: { kept: [true] },
    }
    const sent = tool("a", { inputSchema, execution: { taskSupport: "required" } })
    await using peer = await startHttpPeer(modernServer({ tools: [sent] }))
    await using client = await connected(peer.url)
    expect((await client.tools.list()).items).toEqual([sent])
    await client.callTool({ name: "a" })
    expect(peer.requests("tools/call")[0]?.message.params).not.toHaveProperty("task")
  })

  it("V26-TOOL-10 fail in two ways, each where it belongs", async () => {
    const failed = { content: [{ type: "text", text: "the disk is full" }], isError: true }
    const peer = memoryPeer(
      withRules(
        modernServer({ tools: [tool("a")] }),
        { when: { params: { name: "gone" } }, reply: refusal(200, -32602, "Unknown tool") },
        called(failed),
      ),
    )
    await using client = await connected(peer.transport)
    expect(await client.callTool({ name: "a" })).toMatchObject(failed)
    expect(await reasonOf(client.callTool({ name: "gone" }))).toMatchObject({
      _tag: "PeerError",
      rpcCode: -32602,
    })
  })

  it.each<[id: string, result: object]>([
    ["V26-TOOL-07", { content: [], structuredContent: null }],
    ["V26-TOOL-07", { content: [], structuredContent: [1, "a", null] }],
    ["V26-TOOL-07", { content: [], structuredContent: 0 }],
    ["V26-TOOL-09", { content: [], structuredContent: { not: "mirrored as text" } }],
    ["V26-TOOL-11", { content: [{ type: "resource_link", uri: "x:unlisted", name: "x" }] }],
  ])("%s answer with what the caller gets, as it is: %j", async (_, result) => {
    const peer = memoryPeer(withRules(modernServer({ tools: [tool("a")] }), called(result)))
    await using client = await connected(peer.transport)
    expect(await client.callTool({ name: "a" })).toEqual({ resultType: "complete", ...result })
  })

  it("V26-TOOL-11 may link to resources that no list has, which can be read", async () => {
    const link = { type: "resource_link", uri: "x:unlisted", name: "x" }
    const contents = [{ uri: "x:unlisted", text: "here" }]
    const peer = memoryPeer(
      withRules(modernServer({ tools: [tool("a")], resources: [] }), called({ content: [link] }), {
        when: { method: "resources/read", params: { uri: "x:unlisted" } },
        reply: [{ result: { resultType: "complete", ttlMs: 0, cacheScope: "private", contents } }],
      }),
    )
    await using client = await connected(peer.transport)
    expect((await client.resources.list()).items).toEqual([])
    const { content } = await client.callTool({ name: "a" })
    const [{ uri = "" } = {}] = content as ReadonlyArray<{ readonly uri?: string }>
    expect(await client.readResource({ uri })).toMatchObject({ contents })
  })

  it("V26-TOOL-14 get arguments as they were given: whether they suit is theirs to say", async () => {
    const inputSchema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] }
    const peer = memoryPeer(modernServer({ tools: [tool("a", { inputSchema })] }))
    await using client = await connected(peer.transport)
    await client.tools.list()
    const result = await client.callTool({ name: "a", arguments: { n: "no number" } })
    expect(result.content).toEqual([{ type: "text", text: '{"n":"no number"}' }])
  })
})
