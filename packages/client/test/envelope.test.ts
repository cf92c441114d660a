import { describe, expect, it } from "vitest"
import type { PromiseClient } from "@entente/client"
import { isJsonObject, type JsonObject } from "@entente/protocol"
import {
  legacyServer,
  memoryPeer,
  modernServer,
  notification,
  request,
  tool,
  withRules,
  type Peer,
  type Rule,
} from "@entente/testkit"
import { startHttpPeer, startStdioPeer } from "@entente/testkit/node"
import { stdio } from "@entente/transport/stdio"
import { connected, noted, reasonOf } from "./field/connected.js"

const offers = { tools: [tool("a")], resources: [], prompts: [{ name: "p" }] }
const hangs: Rule = {
  when: { method: "tools/call", params: { arguments: { hang: true } } },
  reply: [{ silence: true }],
}
const eras = [
  ["legacy", withRules(legacyServer(offers), hangs)],
  ["modern", withRules(modernServer(offers), hangs)],
] as const

const text = "zwei\nZeilen\r\u2028 – 世界 🙂"

/** Until whatever the client was told has been heard, and what it said to that has arrived. */
const settled = async (client: PromiseClient): Promise<void> => {
  await client.tools.list()
  await client.tools.list()
}

/** A bit of everything that a client says, answers to the server and a cancellation included. */
const talk = async (client: PromiseClient, peer: Peer): Promise<void> => {
  await client.snapshot()
  await client.callTool({ name: "a", arguments: { text } }, { onProgress: () => {} })
  await client.callTool({ name: "a" })
  await reasonOf(client.callTool({ name: "unknown" }))
  await reasonOf(client.request("x/unknown"))
  await reasonOf(client.request("x/unknown", { text }, { meta: { "com.example/ticket": 1 } }))
  const stop = new AbortController()
  const call = client.callTool({ name: "a", arguments: { hang: true } }, { signal: stop.signal })
  const aborted = reasonOf(call)
  await peer.next({ method: "tools/call", params: { arguments: { hang: true } } })
  stop.abort()
  await aborted
  for (const method of ["ping", "roots/list", "x/unknown"]) peer.send(request(method, method))
  await settled(client)
}

/** What was received as messages; anything else among it fails. */
const received = (peer: Peer): ReadonlyArray<{ kind: string; message: JsonObject }> =>
  peer.received.flatMap(({ kind, message }) => {
    if (kind === "open") return []
    expect(["request", "notification", "response"]).toContain(kind)
    expect(message).toMatchObject({ jsonrpc: "2.0" })
    return [{ kind, message: message as JsonObject }]
  })

const members: { readonly [kind: string]: ReadonlyArray<string> } = {
  request: ["jsonrpc", "id", "method", "params"],
  notification: ["jsonrpc", "method", "params"],
  response: ["jsonrpc", "id", "result", "error"],
}

describe.each(eras)("a %s server", { timeout: 30_000 }, (era, script) => {
  it("V25-RPC-01 V26-ENV-01 V25-RPC-08 is sent JSON-RPC objects, one in a line of UTF-8", async () => {
    await using peer = await startStdioPeer(script)
    await using client = await connected(stdio(peer), { mode: era })
    await talk(client, peer)
    const all = received(peer)
    for (const { kind, message } of all) {
      for (const member of Object.keys(message)) expect(members[kind]).toContain(member)
      for (const member of ["params", "result", "error"]) {
        const value = message[member] ?? {}
        expect({ member, object: isJsonObject(value) }).toEqual({ member, object: true })
      }
    }
    expect(new Set(all.map(({ kind }) => kind))).toEqual(
      new Set(["request", "notification", ...(era === "legacy" ? ["response"] : [])]),
    )
    const [call] = peer.requests("tools/call")
    expect(call?.message.params).toMatchObject({ name: "a", arguments: { text } })
  })

  it("V25-RPC-03 V26-ENV-03 V26-DUAL-09 never sees an id twice, whatever was aborted, lost or sent again", async () => {
    const peer = memoryPeer(script)
    await using client = await connected(peer.transport, { mode: era, reconnect: { baseMs: 1 } })
    await talk(client, peer)
    const stop = new AbortController()
    const calls = Array.from({ length: 20 }, (_, index) =>
      client.callTool(
        { name: "a", arguments: index % 3 === 0 ? { hang: true } : {} },
        { signal: stop.signal, replay: true },
      ),
    )
    const ends = Promise.allSettled(calls)
    await peer.until(() => peer.requests("tools/call").length >= 20)
    await peer.restart()
    await client.tools.list()
    stop.abort()
    await ends
    await talk(client, peer)
    const ids = peer.requests().map(({ message }) => message.id)
    expect(ids.length).toBeGreaterThan(50)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(Number.isSafeInteger(id)).toBe(true)
  })

  it("V25-RPC-07 V26-ENV-05 gets no answer to a notification, however odd, and none of ours has an id", async () => {
    const peer = memoryPeer(script)
    await using client = await connected(peer.transport, { mode: era })
    await talk(client, peer)
    const answers = (): number => peer.received.filter(({ kind }) => kind === "response").length
    const before = answers()
    for (const odd of [
      notification("x/unknown"),
      notification("initialize", { protocolVersion: 7 }),
      notification("ping"),
      notification("notifications/cancelled"),
      notification("notifications/cancelled", { requestId: { no: "id" } }),
      notification("notifications/progress", { progressToken: null }),
      notification("notifications/message", { level: "shouting" }),
      { ...notification("x/unknown"), params: ["no", "object"] },
      { ...notification("x/unknown"), jsonrpc: "1.0" },
    ]) {
      peer.send(odd)
    }
    await settled(client)
    expect(answers()).toBe(before)
    const notifications = peer.received.filter(({ kind }) => kind === "notification")
    expect(notifications).not.toEqual([])
    for (const { message } of notifications) expect(message).not.toHaveProperty("id")
    expect(client.state).toBe("ready")
  })

  it("V25-RPC-09 is enough without a single capability", async () => {
    const peer = memoryPeer(era === "legacy" ? legacyServer() : modernServer())
    const client = await connected(peer.transport, { mode: era })
    expect(client).toMatchObject({ era, state: "ready", capabilities: {} })
    const { lists } = await client.snapshot()
    expect(Object.values(lists).map(({ status }) => status)).toEqual(
      Array.from({ length: 4 }, () => "unsupported"),
    )
    await client.close()
    expect(client.state).toBe("closed")
  })
})

describe("a legacy server", () => {
  it("V25-RPC-09 answers a ping and gets its own answered, without a single capability", async () => {
    const peer = memoryPeer(legacyServer())
    await using client = await connected(peer.transport, { mode: "legacy" })
    expect(await client.request("ping")).toEqual({})
    peer.send(request("p", "ping"))
    const { message } = await peer.next({ kind: "response" })
    expect(message).toEqual({ jsonrpc: "2.0", id: "p", result: {} })
  })

  it("V25-RPC-04 gets its ids back as they were, by value and by type", async () => {
    const peer = memoryPeer(legacyServer(offers))
    await using client = await connected(peer.transport, { mode: "legacy" })
    const ids = ["7", 7, 0, "0", -1, "", "ü 🙂", 9_007_199_254_740_991]
    for (const id of ids) {
      peer.send(request(id, "ping"))
      peer.send(request(id, "x/unknown"))
    }
    await settled(client)
    const answers = peer.received.filter(({ kind }) => kind === "response")
    const answered = (member: string) =>
      answers.flatMap(({ message }) =>
        isJsonObject(message) && member in message ? [message["id"]] : [],
      )
    expect(answered("result")).toEqual(ids)
    expect(answered("error")).toEqual(ids)
  })

  it("V25-RPC-14 V25-RPC-13 never gets a batch, initialize least of all", async () => {
    await using peer = await startHttpPeer(legacyServer({ ...offers, revision: "2025-03-26" }))
    await using client = await connected(peer.url, { mode: "legacy" })
    expect(client.protocolVersion).toBe("2025-03-26")
    await Promise.all(Array.from({ length: 5 }, () => client.callTool({ name: "a" })))
    await client.snapshot()
    expect(peer.received.filter(({ kind }) => kind === "batch")).toEqual([])
    const bodies = peer.exchanges("POST").map(({ message }) => message)
    expect(bodies.filter((body) => !isJsonObject(body))).toEqual([])
    expect(peer.requests("initialize")).toHaveLength(1)
  })
})

describe("a modern server", () => {
  const asked: Array<string> = []
  const hear = (what: string) => () => {
    asked.push(what)
    throw new Error("nobody may ask")
  }
  const handlers = {
    roots: hear("roots"),
    sampling: hear("sampling"),
    elicitation: { form: hear("form"), url: hear("url") },
  }
  const requests = [
    request("s1", "ping"),
    request("s2", "roots/list"),
    request("s3", "sampling/createMessage", { messages: [], maxTokens: 1 }),
    request(4, "elicitation/create", {
      message: "?",
      requestedSchema: { type: "object", properties: {} },
    }),
    request(5, "x/unknown"),
  ]

  it("V26-ENV-06 V26-ENV-07 gets no response to anything, and no handler hears of it", async () => {
    const peer = memoryPeer(modernServer(offers))
    await using client = await connected(peer.transport, { handlers })
    for (const one of requests) peer.send(one)
    await settled(client)
    expect(peer.received.filter(({ kind }) => kind === "response")).toEqual([])
    expect(asked).toEqual([])
    expect(noted(client)).toContain("server-request-in-modern")
  })

  it("V26-ENV-06 V26-HTTP-04 gets none over HTTP either, from the stream of a call", async () => {
    const done = { resultType: "complete", content: [] }
    const reply: Rule["reply"] = [
      ...requests.map((message) => ({ event: { message } })),
      { event: { message: { jsonrpc: "2.0", id: { $from: "/id" }, result: done } } },
    ]
    await using peer = await startHttpPeer(
      withRules(modernServer(offers), { when: { method: "tools/call" }, reply }),
    )
    await using client = await connected(peer.url, { handlers })
    expect(await client.callTool({ name: "a" })).toEqual(done)
    await client.tools.list()
    expect(peer.received.map(({ kind }) => kind)).toEqual(["request", "request", "request"])
    expect(asked).toEqual([])
  })

  it("V26-VER-01 V26-META-01 V26-META-02 V26-META-03 is told version, capabilities and client in every request", async () => {
    await using peer = await startHttpPeer(withRules(modernServer(offers), hangs))
    await using client = await connected(peer.url)
    await client.snapshot()
    await client.callTool({ name: "a" }, { meta: { "com.example/ticket": 1 } })
    await reasonOf(client.request("x/unknown"))
    await reasonOf(client.request("x/unknown", { _meta: { progressToken: "p" } }))
    const all = peer.requests()
    expect(all.length).toBeGreaterThan(5)
    for (const { message, headers } of all) {
      expect(message.params?.["_meta"]).toMatchObject({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { name: "entente", version: expect.any(String) },
      })
      expect(headers?.["mcp-protocol-version"]).toBe("2026-07-28")
    }
  })

  it("V26-ENV-14 need not remember anything: another one in its place goes on where it was", async () => {
    await using peer = await startHttpPeer(modernServer(offers))
    await using client = await connected(peer.url)
    const call = { name: "a", arguments: { handle: "h-1" } }
    const before = await client.callTool(call)
    await peer.restart()
    expect(await client.callTool(call)).toEqual(before)
    const [first, second] = peer.requests("tools/call").map(({ message }) => message.params)
    const { progressToken: _, ...meta } = (first?.["_meta"] ?? {}) as JsonObject
    expect(meta).not.toEqual({})
    expect(second).toMatchObject({ ...call, _meta: meta })
    expect(peer.requests("server/discover")).toHaveLength(1)
  })
})
