import { describe, expect, it } from "vitest"
import type { Handlers } from "@entente/client"
import { isJsonObject, metaKeyFault, type JsonObject } from "@entente/protocol"
import {
  legacyServer,
  memoryPeer,
  modernServer,
  request,
  tool,
  withRules,
  type MemoryPeer,
  type Rule,
} from "@entente/testkit"
import { connected, names, reasonOf } from "./field/connected.js"

const offers = { tools: [tool("a")] }
const eras = [
  ["legacy", legacyServer(offers)],
  ["modern", modernServer(offers)],
] as const

const declaredKey = "io.modelcontextprotocol/clientCapabilities"

/** Each set of capabilities that the server was told of. */
const told = (peer: MemoryPeer): ReadonlyArray<unknown> =>
  peer.requests().flatMap(({ message: { method, params = {} } }) => {
    if (method === "initialize") return [params["capabilities"]]
    const meta = params["_meta"]
    return isJsonObject(meta) && declaredKey in meta ? [meta[declaredKey]] : []
  })

/** What nobody is there to answer in these tests. */
const unasked = (): never => {
  throw new Error("nobody asks")
}

const everything: Handlers = {
  roots: [{ uri: "file:///home/me" }],
  sampling: { handler: unasked, tools: true },
  elicitation: { form: unasked, url: unasked },
}

describe("what a client declares", () => {
  it("V26-DUAL-07 V25-CAP-01 is one description, written as each era wants it", async () => {
    const shared = {
      sampling: { tools: {} },
      elicitation: { form: {}, url: {} },
      experimental: { "com.example/x": { y: 1 } },
    }
    const declared = {
      legacy: [{ ...shared, roots: { listChanged: true } }],
      // Every request says it again.
      modern: Array.from({ length: 3 }, () => ({ ...shared, roots: {} })),
    }
    for (const [mode, script] of eras) {
      const peer = memoryPeer(script)
      const { experimental } = shared
      const options = { mode, handlers: everything, capabilities: { experimental } }
      await using client = await connected(peer.transport, options)
      await client.tools.list()
      await client.callTool({ name: "a" })
      expect({ [mode]: told(peer) }).toEqual({ [mode]: declared[mode] })
    }
  })

  it.each(eras)("V26-EXT-04 V25-CAP-01 has no extension by itself (%s)", async (mode, script) => {
    const peer = memoryPeer(script)
    await using client = await connected(peer.transport, { mode, handlers: everything })
    await client.tools.list()
    expect(told(peer)).not.toEqual([])
    for (const capabilities of told(peer)) expect(capabilities).not.toHaveProperty("extensions")
  })

  it("V26-EXT-01 V26-EXT-03 may have one that the server knows nothing of: all goes on without", async () => {
    const extensions = { "com.example/own": { level: 2 } }
    const peer = memoryPeer(modernServer(offers))
    await using client = await connected(peer.transport, { capabilities: { extensions } })
    expect(client.capabilities).not.toHaveProperty("extensions")
    expect(names((await client.tools.list()).items)).toEqual(["a"])
    expect(await client.callTool({ name: "a" })).toMatchObject({ resultType: "complete" })
    for (const capabilities of told(peer)) expect(capabilities).toMatchObject({ extensions })
  })

  it.each(["own", "com..example/own", "com.example/a b", "/own"])(
    "V26-EXT-02 may not have the extension %j",
    async (id) => {
      const peer = memoryPeer(modernServer(offers))
      const capabilities = { extensions: { [id]: {} } }
      expect(await reasonOf(connected(peer.transport, { capabilities }))).toMatchObject({
        _tag: "InvalidInput",
        message: expect.stringContaining(JSON.stringify(id)),
      })
      expect(peer.received).toEqual([])
    },
  )
})

describe.each(eras)("keys in the _meta of a request to a %s server", (mode, script) => {
  /** What the protocol itself puts there. */
  const ofTheProtocol = new Set([
    "progressToken",
    ...["protocolVersion", "clientCapabilities", "clientInfo", "logLevel"].map(
      (key) => `io.modelcontextprotocol/${key}`,
    ),
  ])

  it("V25-META-04 V25-META-05 V26-META-10 V26-META-11 V26-META-14 are the protocol's or the caller's", async () => {
    const peer = memoryPeer(script)
    await using client = await connected(peer.transport, { mode })
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    const meta = { "com.example/ticket": 1, plain: true, traceparent }
    await client.snapshot()
    await client.callTool({ name: "a" }, { meta, onProgress: () => {} })
    await reasonOf(client.request("x/unknown", {}, { meta }))
    const keys = new Set(
      peer.requests().flatMap(({ message }) => {
        const sent = message.params?.["_meta"]
        return isJsonObject(sent) ? Object.keys(sent) : []
      }),
    )
    expect(keys).toContain("com.example/ticket")
    const others = [...keys].filter((key) => !ofTheProtocol.has(key))
    expect(others.toSorted()).toEqual(Object.keys(meta).toSorted())
    expect(others.map(metaKeyFault)).toEqual([undefined, undefined, undefined])
  })

  it("V25-META-05 V26-META-11 are refused where they are reserved or malformed, and nothing is sent", async () => {
    const peer = memoryPeer(script)
    await using client = await connected(peer.transport, { mode })
    for (const key of ["io.mcp/x", "io.modelcontextprotocol/logLevel", "com..x/y", "a b"]) {
      const meta: JsonObject = { [key]: 1 }
      expect(await reasonOf(client.callTool({ name: "a" }, { meta }))).toMatchObject({
        _tag: "InvalidInput",
        message: expect.stringContaining(JSON.stringify(key)),
      })
    }
    expect(peer.requests("tools/call")).toEqual([])
  })
})

describe("errors that a client sends", () => {
  it("V26-ERR-02 V25-RPC-17 have codes of JSON-RPC, or the one of a person who refuses", async () => {
    const asked = [
      ["x/unknown", {}],
      ["tools/list", {}],
      ["roots/list", {}],
      ["sampling/createMessage", { messages: [], maxTokens: 1 }],
      ["sampling/createMessage", { messages: "none" }],
      ["sampling/createMessage", {}],
      ["elicitation/create", { message: "?", requestedSchema: { type: "object", properties: {} } }],
      ["elicitation/create", { message: "?", requestedSchema: { type: "array" } }],
      ["elicitation/create", { mode: "url", message: "?", url: "not a url", elicitationId: "e" }],
      ["elicitation/create", { mode: "telepathy" }],
      ["tasks/get", { taskId: "t" }],
      ["tasks/result", { taskId: "t" }],
      ["tasks/cancel", { taskId: "t" }],
      ["tasks/list", {}],
    ] as const
    const failing = { roots: unasked, sampling: unasked, elicitation: { form: unasked } }
    for (const handlers of [{}, failing]) {
      const peer = memoryPeer(legacyServer(offers))
      await using _client = await connected(peer.transport, { mode: "legacy", handlers })
      for (const [index, [method, params]] of asked.entries()) {
        peer.send(request(`s${index}`, method, params))
      }
      const answers = () => peer.received.filter(({ kind }) => kind === "response")
      await peer.until(() => answers().length === asked.length)
      for (const { message } of answers()) {
        const { error } = message as { readonly error?: unknown }
        expect(error).toMatchObject({ message: expect.stringMatching(/^[^\n]{1,200}$/) })
        const { code } = error as { readonly code: number }
        expect([-32600, -32601, -32602, -32603, -1]).toContain(code)
      }
    }
  })
})

describe("a legacy server, after a probe in vain", () => {
  it("V26-DUAL-06 lacks what the modern era added, and has codes and members of its own", async () => {
    const uri = "note://gone"
    const elicitations = [{ mode: "url", message: "?", url: "https://x.test/", elicitationId: "e" }]
    const rules: ReadonlyArray<Rule> = [
      {
        when: { method: "tools/call", params: { arguments: { odd: true } } },
        reply: [{ result: { resultType: "weird", content: [], structuredContent: { a: 1 } } }],
      },
      {
        when: { method: "tools/call", params: { arguments: { url: true } } },
        reply: [{ error: { code: -32042, message: "open this first", data: { elicitations } } }],
      },
      {
        when: { method: "resources/read" },
        reply: [{ error: { code: -32002, message: "gone", data: { uri } } }],
      },
    ]
    const peer = memoryPeer(withRules(legacyServer({ ...offers, resources: [] }), ...rules))
    await using client = await connected(peer.transport)
    expect(client.era).toBe("legacy")
    const plain = await client.callTool({ name: "a" })
    expect(plain).not.toHaveProperty("resultType")
    expect(await client.tools.list()).toMatchObject({ status: "complete", stale: false })
    expect(await client.callTool({ name: "a", arguments: { odd: true } })).toMatchObject({
      structuredContent: { a: 1 },
    })
    expect(await reasonOf(client.readResource({ uri }))).toMatchObject({
      rpcCode: -32002,
      data: { uri },
    })
    expect(await reasonOf(client.callTool({ name: "a", arguments: { url: true } }))).toMatchObject({
      rpcCode: -32042,
      data: { elicitations },
    })
    peer.send({
      jsonrpc: "2.0",
      method: "notifications/elicitation/complete",
      params: { elicitationId: "e" },
    })
    expect(names((await client.tools.list()).items)).toEqual(["a"])
  })
})
