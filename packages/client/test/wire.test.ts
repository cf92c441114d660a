import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import { describe, expect, it } from "vitest"
import { Client, memoryVerdicts, PromiseClient } from "@entente/client"
import {
  legacyServer,
  memoryPeer,
  modernServer,
  tool,
  withRules,
  type Rule,
} from "@entente/testkit"
import { startHttpPeer } from "@entente/testkit/node"
import { memory } from "@entente/transport"
import { connected, noted } from "./field/connected.js"

const call = (reply: Rule["reply"]): Rule => ({ when: { method: "tools/call" }, reply })
const legacy = (...rules: ReadonlyArray<Rule>) =>
  withRules(legacyServer({ tools: [tool("a")] }), ...rules)
const modern = (...rules: ReadonlyArray<Rule>) =>
  withRules(modernServer({ tools: [tool("a")] }), ...rules)

describe("answers that are not what they should be", () => {
  it("V26-ENV-08 an answer without result and error fails its request", async () => {
    const peer = memoryPeer(legacy(call([{ message: { jsonrpc: "2.0", id: { $from: "/id" } } }])))
    await using client = await connected(peer.transport)
    await expect(client.callTool({ name: "a" })).rejects.toMatchObject({
      _tag: "ProtocolViolation",
      code: "invalid-message",
    })
  })

  it("V25-RPC-05 an answer with both fails its request", async () => {
    const both = {
      jsonrpc: "2.0",
      id: { $from: "/id" },
      result: {},
      error: { code: 1, message: "" },
    }
    const peer = memoryPeer(legacy(call([{ message: both }])))
    await using client = await connected(peer.transport)
    await expect(client.callTool({ name: "a" })).rejects.toMatchObject({ code: "invalid-message" })
  })

  it("V25-RPC-06 an error without id rejects nobody on a shared channel", async () => {
    const peer = memoryPeer(legacy())
    await using client = await connected(peer.transport)
    peer.send({ jsonrpc: "2.0", error: { code: -32700, message: "parse error" } })
    await expect(client.callTool({ name: "a" })).resolves.toBeDefined()
    expect(noted(client)).toContain("unknown-reply")
  })

  it.each([null, undefined])(
    "V26-ENV-09 an error with id %s belongs to its HTTP exchange",
    async (id) => {
      const error = {
        jsonrpc: "2.0",
        ...(id === null && { id }),
        error: { code: -32603, message: "no" },
      }
      await using peer = await startHttpPeer(modern(call([{ message: error }])))
      await using client = await connected(peer.url)
      const [refused, listed] = await Promise.allSettled([
        client.callTool({ name: "a" }),
        client.tools.list(),
      ])
      expect(refused).toMatchObject({ status: "rejected", reason: { rpcCode: -32603 } })
      expect(listed).toMatchObject({ status: "fulfilled", value: { status: "complete" } })
    },
  )

  it("V26-HTTP-18 an answer on a foreign stream settles nothing, and its own request is lost", async () => {
    await using peer = await startHttpPeer(
      modern(call([{ event: { message: { jsonrpc: "2.0", id: 4_711, result: {} } } }])),
    )
    await using client = await connected(peer.url)
    await expect(client.callTool({ name: "a" })).rejects.toMatchObject({ _tag: "RequestLost" })
    expect(noted(client)).toContain("unknown-reply")
  })

  it("V25-HTTP-24 a stream that ends without its answer is lost, and the call is not repeated", async () => {
    await using peer = await startHttpPeer(legacy(call([{ event: { data: "" } }])))
    await using client = await connected(peer.url)
    await expect(client.callTool({ name: "a" })).rejects.toMatchObject({ _tag: "RequestLost" })
    expect(peer.requests("tools/call")).toHaveLength(1)
  })

  it("V26-HTTP-09 a read whose stream was cut is sent again, with a new id", async () => {
    await using peer = await startHttpPeer(
      modern({
        when: { method: "tools/list" },
        times: 1,
        reply: [{ comment: "hi" }, { destroy: true }],
      }),
    )
    await using client = await connected(peer.url)
    expect((await client.tools.list()).status).toBe("complete")
    const [first, second] = peer.requests("tools/list")
    expect(first?.message.id).not.toBe(second?.message.id)
  })

  it("V25-RPC-15 V26-ENV-13 a batch is refused where none was negotiated", async () => {
    await using peer = await startHttpPeer(
      modern(
        call([{ message: [{ jsonrpc: "2.0", id: { $from: "/id" }, result: { content: [] } }] }]),
      ),
    )
    await using client = await connected(peer.url)
    await expect(client.callTool({ name: "a" })).rejects.toMatchObject({
      tolerance: "batch-outside-2025-03-26",
    })
  })

  it("V25-RPC-15 V26-ENV-13 a batch on a shared channel fails whom it names, at once", async () => {
    const peer = memoryPeer(
      modern(
        call([{ message: [{ jsonrpc: "2.0", id: { $from: "/id" }, result: { content: [] } }] }]),
      ),
    )
    await using client = await connected(peer.transport, { timeoutMs: Infinity })
    await expect(client.callTool({ name: "a" })).rejects.toMatchObject({
      tolerance: "batch-outside-2025-03-26",
    })
  })

  it("V25-RPC-12 a batch is taken apart where 2025-03-26 was negotiated", async () => {
    const peer = memoryPeer(
      withRules(
        legacyServer({ tools: [tool("a")], revision: "2025-03-26" }),
        call([
          {
            message: [
              {
                jsonrpc: "2.0",
                method: "notifications/message",
                params: { level: "info", data: 1 },
              },
              { jsonrpc: "2.0", id: { $from: "/id" }, result: { content: [] } },
            ],
          },
        ]),
      ),
    )
    await using client = await connected(peer.transport)
    await expect(client.callTool({ name: "a" })).resolves.toEqual({ content: [] })
  })

  it("V26-RTYPE-03 a result type nobody knows is no success", async () => {
    const peer = memoryPeer(modern(call([{ result: { resultType: "weird", content: [] } }])))
    await using client = await connected(peer.transport)
    await expect(client.callTool({ name: "a" })).rejects.toMatchObject({
      code: "invalid-result",
      pointer: "/resultType",
    })
  })

  it("V25-RPC-11 a result keeps what no schema knows", async () => {
    const result = { content: [{ type: "hologram", depth: 3 }], "x-more": { deep: [1] } }
    const peer = memoryPeer(legacy(call([{ result }])))
    await using client = await connected(peer.transport)
    expect(await client.callTool({ name: "a" })).toEqual(result)
  })

  it("null where a member is optional counts as absent, with a note; under strict it is an error", async () => {
    const result = { content: [], isError: null }
    const peer = memoryPeer(legacy(call([{ result }])))
    await using lenient = await connected(peer.transport)
    expect(await lenient.callTool({ name: "a" })).toEqual({ content: [] })
    expect(noted(lenient)).toContain("null-is-absent")
    await using strict = await connected(peer.transport, { strict: true })
    await expect(strict.callTool({ name: "a" })).rejects.toMatchObject({
      tolerance: "null-is-absent",
    })
  })
})

describe("what is sent", () => {
  it("V25-CAP-02 V26-DISC-05 nothing, where the capability is absent", async () => {
    const peer = memoryPeer(legacy())
    await using client = await connected(peer.transport)
    await expect(client.getPrompt({ name: "x" })).rejects.toMatchObject({
      _tag: "CapabilityMissing",
      capability: "prompts",
    })
    expect(peer.methods()).not.toContain("prompts/get")
  })

  it("V26-ERA-14 no modern metadata in the legacy era", async () => {
    const peer = memoryPeer(legacy())
    await using client = await connected(peer.transport)
    await client.tools.list()
    const [list] = peer.requests("tools/list")
    expect(JSON.stringify(list?.message)).not.toContain("io.modelcontextprotocol")
  })

  it("V26-HDR-11 no session id in the modern era, whatever the server sends", async () => {
    await using peer = await startHttpPeer(
      modern({
        when: { method: "tools/list" },
        reply: [
          { result: { resultType: "complete", tools: [] }, headers: { "mcp-session-id": "S1" } },
        ],
      }),
    )
    await using client = await connected(peer.url)
    await client.tools.list()
    await client.callTool({ name: "a" })
    for (const { headers } of peer.received) expect(headers).not.toHaveProperty("mcp-session-id")
    await client.close()
    expect(peer.exchanges("DELETE")).toEqual([])
  })

  it("V26-ENV-04 ids that are never used twice", async () => {
    const peer = memoryPeer(legacy())
    await using client = await connected(peer.transport)
    await Promise.all(Array.from({ length: 200 }, () => client.callTool({ name: "a" })))
    const ids = peer.requests().map(({ message }) => message.id)
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe("100,000 calls", () => {
  it("leave nothing behind: no request, no timer, no listener", async () => {
    const transport = memory((peer) => ({
      message: (message) => {
        if (!("id" in message) || !("method" in message)) return
        const { id, method } = message
        const serverInfo = { name: "s", version: "1" }
        const result =
          method === "initialize"
            ? { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo }
            : { content: [] }
        peer.send({ jsonrpc: "2.0", id, result })
      },
    }))
    const scope = Scope.makeUnsafe()
    const options = { mode: "legacy", verdicts: memoryVerdicts() } as const
    const core = await Effect.runPromise(
      Client.connect(transport, options).pipe(Scope.provide(scope)),
    )
    await using client = new PromiseClient(core, scope)
    const { signal } = new AbortController()
    let listeners = 0
    let most = 0
    const counted = new Proxy(signal, {
      get: (target, key) => {
        if (key === "addEventListener") most = Math.max(most, ++listeners)
        if (key === "removeEventListener") listeners--
        const value: unknown = Reflect.get(target, key)
        return typeof value === "function" ? value.bind(target) : value
      },
    })
    for (let round = 0; round < 1_000; round++) {
      await Promise.all(
        Array.from({ length: 100 }, () => client.callTool({ name: "a" }, { signal: counted })),
      )
    }
    expect(listeners).toBe(0)
    // Node warns of a leak from the eleventh on.
    expect(most).toBe(1)
    expect(core.connection.life.wire.requests.size).toBe(0)
    expect(
      process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length,
    ).toBeLessThan(20)
  }, 60_000)
})

describe("a server that asks and does not read the answers", () => {
  it("gets no more of them than may wait, and the rest is noted", async () => {
    const serverInfo = { name: "s", version: "1" }
    const results: Readonly<Record<string, object>> = {
      initialize: { protocolVersion: "2025-11-25", capabilities: {}, serverInfo },
      "x/end": {},
    }
    let answers = 0
    const transport = memory((client) => ({
      message: (message) => {
        if (!("method" in message)) answers++
        else if ("id" in message) {
          // All at once, so that none of the answers can have been written when the last ping is read.
          if (message.method === "x/end") {
            for (let id = 0; id < 25_000; id++) client.send({ jsonrpc: "2.0", id, method: "ping" })
          }
          client.send({ jsonrpc: "2.0", id: message.id, result: results[message.method] ?? {} })
        }
      },
    }))
    await using client = await connected(transport, { mode: "legacy" })
    await client.request("x/end")
    await client.request("x/again")
    expect(answers).toBe(10_000)
    expect(client.notes).toContainEqual({
      code: "server-request-refused",
      detail: "ping: 10000 answers are still unread",
      count: 15_000,
    })
  })
})
