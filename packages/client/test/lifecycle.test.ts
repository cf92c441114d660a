import { describe, expect, it } from "vitest"
import { legacyRevisions, type JsonObject } from "@entente/protocol"
import {
  dualServer,
  legacyServer,
  memoryPeer,
  modernServer,
  notification,
  refusal,
  request,
  tool,
  withRules,
  type Arrival,
  type Peer,
  type Rule,
} from "@entente/testkit"
import { startHttpPeer } from "@entente/testkit/node"
import { connected, names, reasonOf } from "./field/connected.js"

const offers = { tools: [tool("a")] }
const hangs: Rule = { when: { method: "tools/call" }, reply: [{ silence: true }] }
const initializeResult = (protocolVersion: string): JsonObject => ({
  protocolVersion,
  capabilities: { tools: {} },
  serverInfo: { name: "s", version: "1" },
})

describe("the handshake of the legacy era", () => {
  it("V25-LIFE-01 V25-LIFE-02 V25-LIFE-09 begins with initialize, our newest version, and who we are", async () => {
    const peer = memoryPeer(legacyServer(offers))
    const clientInfo = { name: "host", version: "2.1.0", title: "A host" }
    await using client = await connected(peer.transport, { mode: "legacy", clientInfo })
    await client.tools.list()
    const said = peer.received.flatMap(({ kind, message }) => (kind === "open" ? [] : [message]))
    expect(said.slice(0, 2)).toEqual([
      {
        jsonrpc: "2.0",
        id: expect.any(Number),
        method: "initialize",
        params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo },
      },
      { jsonrpc: "2.0", method: "notifications/initialized" },
    ])
  })

  it.each(legacyRevisions)(
    "V25-LIFE-02 V25-LIFE-06 offers %s where that is asked for",
    async (revision) => {
      const peer = memoryPeer(legacyServer({ ...offers, revision }))
      await using client = await connected(peer.transport, { mode: revision })
      expect(client.protocolVersion).toBe(revision)
      const [initialize] = peer.requests()
      expect(initialize?.message).toMatchObject({
        method: "initialize",
        params: { protocolVersion: revision },
      })
    },
  )

  it("V26-DUAL-02 offers the newest legacy version after a probe in vain, and takes an older one", async () => {
    const peer = memoryPeer(legacyServer({ ...offers, revision: "2025-06-18" }))
    await using client = await connected(peer.transport)
    expect(client).toMatchObject({ era: "legacy", protocolVersion: "2025-06-18" })
    const [probe, initialize] = peer.requests()
    expect(probe?.message).toMatchObject({
      method: "server/discover",
      params: { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } },
    })
    expect(initialize?.message.params).toMatchObject({ protocolVersion: "2025-11-25" })
  })

  it("V26-DUAL-02 V25-LIFE-05 leaves a server that names a version nobody knows", async () => {
    const peer = memoryPeer(
      withRules(legacyServer(offers), {
        when: { method: "initialize" },
        reply: [{ result: initializeResult("1999-01-01") }],
      }),
    )
    expect(await reasonOf(connected(peer.transport))).toMatchObject({ _tag: "VersionMismatch" })
    expect(peer.methods()).toEqual(["server/discover", "initialize"])
    expect(peer.disconnects()).toBeGreaterThan(0)
  })

  it("V25-LIFE-12 V25-LIFE-15 what was negotiated holds: the version on every request, and no list without its capability", async () => {
    await using peer = await startHttpPeer(
      legacyServer({ ...offers, revision: "2025-06-18", capabilities: {} }),
    )
    await using client = await connected(peer.url, { mode: "legacy" })
    const { lists } = await client.snapshot()
    for (const { status } of Object.values(lists)) expect(status).toBe("unsupported")
    const refused = await Promise.all([
      reasonOf(client.callTool({ name: "a" })),
      reasonOf(client.getPrompt({ name: "p" })),
      reasonOf(client.readResource({ uri: "note://a" })),
    ])
    for (const error of refused) expect(error).toMatchObject({ _tag: "CapabilityMissing" })
    expect(peer.methods()).toEqual(["initialize", "notifications/initialized"])
    await reasonOf(client.request("x/anything"))
    const later = exchanges(peer).filter(({ message }) => !isInitialize(message))
    expect(later.length).toBeGreaterThanOrEqual(2)
    for (const { headers } of later) {
      expect(headers?.["mcp-protocol-version"]).toBe("2025-06-18")
    }
  })
})

describe("a legacy connection that is opened again", () => {
  it("V25-LIFE-03 V25-LIFE-19 begins with a handshake, and nothing else goes out before that is answered", async () => {
    const waits: Rule = { when: { method: "initialize", nth: 2 }, reply: [{ silence: true }] }
    const peer = memoryPeer(withRules(legacyServer(offers), waits))
    await using client = await connected(peer.transport, {
      mode: "legacy",
      reconnect: { baseMs: 1 },
    })
    await client.tools.list()
    const before = peer.methods().length
    await peer.restart()
    await peer.until(() => peer.requests("initialize").length === 2)
    const listing = client.tools.list()
    const call = client.callTool({ name: "a" })
    peer.send(request("p", "ping"))
    await peer.next({ kind: "response" })
    expect(peer.methods().slice(before)).toEqual(["initialize"])

    peer.play([{ result: initializeResult("2025-11-25") }], { method: "initialize" })
    expect(names((await listing).items)).toEqual(["a"])
    await call
    const [first, second, ...rest] = peer.methods().slice(before)
    expect([first, second]).toEqual(["initialize", "notifications/initialized"])
    expect(rest.toSorted()).toEqual(expect.arrayContaining(["tools/call", "tools/list"]))
  })
})

describe("a ping of a legacy server", () => {
  it("V25-PING-01 V25-LIFE-11 V25-PING-04 is answered at once, in every phase, whatever else waits", async () => {
    const busy: Array<string> = []
    const ping = (id: string) => ({ message: request(id, "ping") })
    const peer = memoryPeer(
      withRules(legacyServer(offers), hangs, {
        when: { method: "initialize" },
        reply: [ping("during"), { result: initializeResult("2025-11-25") }, ping("after")],
      }),
    )
    await using client = await connected(peer.transport, {
      mode: "legacy",
      reconnect: { baseMs: 1 },
      handlers: {
        // A person who never answers.
        sampling: () => new Promise<never>(() => busy.push("asked")),
      },
    })
    const answered = async (id: string) => {
      const { message } = await peer.until(
        ({ kind, message }) => kind === "response" && idOf(message) === id,
      )
      expect(message).toEqual({ jsonrpc: "2.0", id, result: {} })
    }
    await answered("during")
    await answered("after")

    const pending = reasonOf(client.callTool({ name: "a" }))
    await peer.next("tools/call")
    peer.send(request("ask", "sampling/createMessage", { messages: [], maxTokens: 1 }))
    peer.send(request("waiting", "ping", { _meta: { "com.example/x": 1 } }))
    await answered("waiting")

    await peer.restart()
    await pending
    await peer.until(() => peer.requests("initialize").length === 2)
    expect(names((await client.tools.list()).items)).toEqual(["a"])
    peer.send(request("recovered", "ping"))
    await answered("recovered")
  })
})

describe("the end of a connection", () => {
  it("V25-LIFE-17 needs no message: at most what was pending is cancelled", async () => {
    const peer = memoryPeer(withRules(legacyServer(offers), hangs))
    const client = await connected(peer.transport, { mode: "legacy" })
    const pending = reasonOf(client.callTool({ name: "a" }))
    await peer.next("tools/call")
    const before = peer.methods().length
    await client.close()
    expect(await pending).toMatchObject({ _tag: "ConnectionClosed" })
    const rest = peer.methods().slice(before)
    expect(rest.filter((method) => method !== "notifications/cancelled")).toEqual([])
    expect(peer.disconnects()).toBe(1)
  })

  it("V25-LIFE-17 V25-HTTP-46 over HTTP it is a DELETE and the ends of connections", async () => {
    await using peer = await startHttpPeer(
      legacyServer({ ...offers, sessionIds: ["S1"], listens: true }),
    )
    const client = await connected(peer.url, { mode: "legacy" })
    await client.tools.list()
    await peer.next({ httpMethod: "GET" })
    const before = exchanges(peer).length
    await client.close()
    expect(
      exchanges(peer)
        .slice(before)
        .map(({ httpMethod }) => httpMethod),
    ).toEqual(["DELETE"])
  })
})

describe("two servers at once", () => {
  it.each([
    ["legacy", legacyServer(offers)],
    ["modern", modernServer(offers)],
  ] as const)(
    "V25-LIFE-18 V26-SEC-02 know nothing of each other, with the same names and the same ids (%s)",
    async (mode, script) => {
      const peers = [memoryPeer(withRules(script, hangs)), memoryPeer(withRules(script, hangs))]
      const clients = await Promise.all(
        peers.map(({ transport }) => connected(transport, { mode })),
      )
      const [one, two] = clients
      const heard: Array<ReadonlyArray<unknown>> = []
      for (const client of clients) client.onNotification((said) => heard.push([client, said]))
      const calls = clients.map((client) => client.callTool({ name: "a" }))
      const ends = Promise.allSettled(calls)
      const asked = await Promise.all(peers.map((peer) => peer.next("tools/call")))
      expect(idOf(asked[0]?.message)).toBe(idOf(asked[1]?.message))

      const said = notification("notifications/message", { level: "info", data: "to one" })
      const result = { resultType: "complete", content: [{ type: "text", text: "for two" }] }
      peers[0]?.send(said)
      peers[1]?.send({ jsonrpc: "2.0", id: idOf(asked[1]?.message), result })
      expect(await calls[1]).toEqual(result)
      await one?.tools.list()
      expect(heard).toEqual([[one, said]])
      expect(two?.notes).toEqual([])

      await one?.close()
      expect(await ends).toMatchObject([{ status: "rejected" }, { status: "fulfilled" }])
      expect(names((await two?.tools.list())?.items ?? [])).toEqual(["a"])
      await two?.close()
    },
  )
})

describe("a legacy session over HTTP, after a probe in vain", () => {
  it("V26-DUAL-04 V26-DUAL-03 V25-HTTP-38 keeps every rule of its era", async () => {
    const asks: Rule = {
      when: { method: "tools/call" },
      reply: [
        { event: { message: request("s1", "ping") } },
        { event: { message: { jsonrpc: "2.0", id: { $from: "/id" }, result: { content: [] } } } },
      ],
    }
    await using peer = await startHttpPeer(
      withRules(dualServer({ ...offers, sessionIds: ["S1", "S2"], listens: true }), asks, {
        when: { method: "server/discover" },
        reply: refusal(400, -32601, "Method not found"),
      }),
    )
    const client = await connected(peer.url)
    expect(client.era).toBe("legacy")
    expect(await client.callTool({ name: "a" })).toEqual({ content: [] })
    await peer.until(({ kind }) => kind === "response")
    await peer.until(({ httpMethod }) => httpMethod === "GET")

    // The session ends: a list is read in a new one.
    peer.add({
      when: { method: "tools/list", headers: { "mcp-session-id": "S1" } },
      reply: refusal(404, -32600, "Unknown session"),
    })
    expect(names((await client.tools.list()).items)).toEqual(["a"])
    await client.close()

    const [, ...legacy] = exchanges(peer)
    const initializes = legacy.filter(({ message }) => isInitialize(message))
    expect(initializes).toHaveLength(2)
    for (const { headers } of initializes) {
      expect(headers).not.toHaveProperty("mcp-session-id")
      expect(headers).not.toHaveProperty("mcp-protocol-version")
    }
    for (const { message, headers } of legacy) {
      expect(headers).not.toHaveProperty("mcp-method")
      expect(JSON.stringify(message ?? null)).not.toContain("io.modelcontextprotocol/")
      if (isInitialize(message)) continue
      expect(headers?.["mcp-protocol-version"]).toBe("2025-11-25")
      expect(["S1", "S2"]).toContain(headers?.["mcp-session-id"])
    }
    expect(peer.exchanges("DELETE").map(({ headers }) => headers?.["mcp-session-id"])).toEqual([
      "S2",
    ])
  })
})

/** Every HTTP request, in order. */
const exchanges = (peer: Peer): ReadonlyArray<Arrival> =>
  peer.received.filter(({ kind, httpMethod }) => kind !== "disconnect" && httpMethod !== undefined)

const idOf = (message: unknown): unknown => (message as { readonly id?: unknown } | undefined)?.id

const isInitialize = (message: unknown): boolean =>
  (message as { readonly method?: unknown } | undefined)?.method === "initialize"
