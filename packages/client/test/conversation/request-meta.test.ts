import { describe, expect, it } from "vitest"
import type { ConnectOptions } from "@entente/client"
import { connected, reasonOf } from "../field/connected.js"
import {
  legacyServer,
  memoryPeer,
  modernServer,
  tool,
  withRules,
  type Peer,
  type Rule,
} from "@entente/testkit"

const legacy = legacyServer({ tools: [tool("a")] })
const modern = modernServer({ tools: [tool("a")] })

const handlers: NonNullable<ConnectOptions["handlers"]> = {
  elicitation: { form: () => ({ action: "decline" }) },
}

const capabilitiesKey = "io.modelcontextprotocol/clientCapabilities"

const metaOf = (peer: Peer): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  peer
    .requests("tools/call")
    .map(({ message }) => (message.params?.["_meta"] ?? {}) as Readonly<Record<string, unknown>>)

describe("what a caller puts into _meta", () => {
  it.each([
    ["legacy", legacy],
    ["modern", modern],
  ])(
    "V25-META-04 V25-META-06 V26-META-10 V26-META-12 V26-META-14 goes out beside what the era wants: %s",
    async (era, script) => {
      const peer = memoryPeer(script)
      await using client = await connected(peer.transport)
      const meta = { "com.example/ticket": { deep: [1] }, "com.example.mcp/free": 1, plain: null }
      await client.callTool({ name: "a" }, { meta })
      const [sent] = metaOf(peer)
      expect(sent).toMatchObject(meta)
      const own = Object.keys(sent ?? {}).filter((key) => !Object.hasOwn(meta, key))
      // The only names without a prefix are those that the protocol has reserved for itself.
      expect(own.filter((key) => !key.includes("/"))).toEqual(["progressToken"])
      expect(own.filter((key) => key.includes("/")).toSorted()).toEqual(
        era === "legacy"
          ? []
          : [
              capabilitiesKey,
              "io.modelcontextprotocol/clientInfo",
              "io.modelcontextprotocol/protocolVersion",
            ],
      )
    },
  )

  it.each([
    "io.modelcontextprotocol/protocolVersion",
    "io.modelcontextprotocol/logLevel",
    "dev.mcp/x",
    "io.mcp/x",
    "com.mcp.tools/x",
    "mcp.dev/x",
    "tools.mcp.com/x",
    "-bad/x",
    "com..example/x",
    "com.example/-x",
    "with space",
  ])("V25-META-04 V25-META-05 V26-META-10 V26-META-11 has no key %j", async (key) => {
    for (const script of [legacy, modern]) {
      const peer = memoryPeer(script)
      await using client = await connected(peer.transport)
      const call = client.callTool({ name: "a" }, { meta: { [key]: 1 } })
      expect(await reasonOf(call)).toMatchObject({
        _tag: "InvalidInput",
        message: expect.stringContaining(JSON.stringify(key)),
      })
      expect(peer.methods()).not.toContain("tools/call")
    }
  })

  it("V26-META-13 V25-META-06 comes back from a server as it is, odd values under reserved keys too", async () => {
    const _meta = {
      "io.modelcontextprotocol/serverInfo": 7,
      "io.modelcontextprotocol/subscriptionId": [],
      "io.modelcontextprotocol/protocolVersion": null,
      progressToken: {},
      traceparent: false,
      "org.example/own": { kept: true },
      "": "",
    }
    const content = [{ type: "text", text: "x", _meta: { "org.example/deep": 1 } }]
    for (const [script, resultType] of [
      [legacy, {}],
      [modern, { resultType: "complete" }],
    ] as const) {
      const result = { ...resultType, content, _meta }
      const odd: Rule = { when: { method: "tools/call" }, reply: [{ result }] }
      const peer = memoryPeer(withRules(script, odd))
      await using client = await connected(peer.transport)
      expect(await client.callTool({ name: "a" })).toEqual(result)
    }
  })

  it.each([
    "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    "cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-what-comes-later",
  ])("V26-TRACE-01 a traceparent of %j is sent", async (traceparent) => {
    const peer = memoryPeer(modern)
    await using client = await connected(peer.transport)
    await client.callTool({ name: "a" }, { meta: { traceparent } })
    expect(metaOf(peer)[0]).toMatchObject({ traceparent })
  })

  it.each([
    "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
    "00-00000000000000000000000000000000-b7ad6b7169203331-01",
    "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
    "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
    "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
    "",
    7,
  ])("V26-TRACE-01 a traceparent of %j is refused", async (traceparent) => {
    const peer = memoryPeer(modern)
    await using client = await connected(peer.transport)
    const call = reasonOf(client.callTool({ name: "a" }, { meta: { traceparent } }))
    expect(await call).toMatchObject({ _tag: "InvalidInput" })
    expect(metaOf(peer)).toEqual([])
  })

  it("V26-TRACE-01 tracestate and baggage are what a header could carry", async () => {
    const peer = memoryPeer(modern)
    await using client = await connected(peer.transport)
    const meta = { tracestate: "vendor=t61rcWkgMzE", baggage: "user=Am%C3%A9lie,k=v;p=1" }
    await client.callTool({ name: "a" }, { meta })
    expect(metaOf(peer)[0]).toMatchObject(meta)
    for (const bad of [{ baggage: "a=b\r\nx: y" }, { tracestate: "ü" }, { tracestate: 1 }]) {
      const error = await reasonOf(client.callTool({ name: "a" }, { meta: bad }))
      expect(error).toMatchObject({ _tag: "InvalidInput" })
    }
    expect(metaOf(peer)).toHaveLength(1)
  })
})

describe("the client capabilities of one request", () => {
  it("V26-META-05 are those of its own options, and of no other request", async () => {
    const peer = memoryPeer(modern)
    await using client = await connected(peer.transport, { handlers })
    await Promise.all([
      client.callTool({ name: "a" }, { capabilities: { sampling: {} } }),
      client.callTool({ name: "a" }, { capabilities: {} }),
      client.callTool({ name: "a" }),
    ])
    expect(metaOf(peer).map((meta) => meta[capabilitiesKey])).toEqual([
      { sampling: {} },
      {},
      { elicitation: { form: {} } },
    ])
  })

  it("V26-META-05 V26-ERA-14 are not told to a legacy server, which heard them once", async () => {
    const peer = memoryPeer(legacy)
    await using client = await connected(peer.transport)
    await client.callTool({ name: "a" }, { capabilities: { sampling: {} } })
    expect(Object.keys(metaOf(peer)[0] ?? {})).toEqual(["progressToken"])
  })

  it.each([[[]], [{ sampling: true }], [{ sampling: null }], ["sampling"]])(
    "V26-META-05 are an object of objects, so that %j is refused here",
    async (capabilities) => {
      const peer = memoryPeer(modern)
      await using client = await connected(peer.transport)
      // As a caller without TypeScript would write it.
      const options = { capabilities } as unknown as { capabilities: Record<string, unknown> }
      expect(await reasonOf(client.callTool({ name: "a" }, options))).toMatchObject({
        _tag: "InvalidInput",
      })
      expect(peer.methods()).not.toContain("tools/call")
    },
  )

  it("V26-META-06 that the server misses are in a typed error, and nothing is sent again by itself", async () => {
    const requiredCapabilities = { elicitation: { form: {} } }
    const demands: Rule = {
      when: {
        method: "tools/call",
        params: { _meta: { [capabilitiesKey]: { elicitation: { $present: false } } } },
      },
      reply: [
        { error: { code: -32021, message: "I have to ask", data: { requiredCapabilities } } },
      ],
    }
    const peer = memoryPeer(withRules(modern, demands))
    await using client = await connected(peer.transport, { handlers })
    // Whoever leaves a capability out of one call means it.
    const error = await reasonOf(client.callTool({ name: "a" }, { capabilities: {} }))
    expect(error).toMatchObject({
      _tag: "PeerError",
      code: "client-capability-missing",
      rpcCode: -32021,
      requiredCapabilities,
    })
    expect(peer.requests("tools/call")).toHaveLength(1)
    await client.callTool({ name: "a" })
    expect(peer.requests("tools/call")).toHaveLength(2)
  })
})

describe("a question inside a result", () => {
  it("V26-META-15 is no message: it has neither id nor version, and what it has in _meta does no harm", async () => {
    const inputRequests = {
      roots: { method: "roots/list", params: { _meta: { "org.example/own": 1 } } },
      form: {
        method: "elicitation/create",
        params: { message: "?", requestedSchema: { type: "object", properties: {} } },
      },
    }
    const asks: Rule = {
      when: { method: "tools/call" },
      times: 1,
      reply: [{ result: { resultType: "input_required", inputRequests } }],
    }
    const peer = memoryPeer(withRules(modern, asks))
    await using client = await connected(peer.transport, {
      handlers: { ...handlers, roots: [{ uri: "file:///home" }] },
    })
    expect(await client.callTool({ name: "a" })).toMatchObject({ resultType: "complete" })
    const [, again] = peer.requests("tools/call")
    expect(again?.message.params).toMatchObject({
      inputResponses: {
        roots: { roots: [{ uri: "file:///home" }] },
        form: { action: "decline" },
      },
    })
    // V26-ENV-06: the answers travel in that request, and not as responses.
    expect(peer.received.filter(({ kind }) => kind === "response")).toEqual([])
  })
})
