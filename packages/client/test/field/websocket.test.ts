import { describe, expect, it } from "vitest"
import type { ConnectOptions, PromiseClient } from "@entente/client"
import { legacyServer, modernServer, tool, withRules, type Rule } from "@entente/testkit"
import { startWebSocketPeer, type WebSocketPeer } from "@entente/testkit/node"
import { webSocket, type WebSocketOptions } from "@entente/transport"
import { connected, names, noted, reasonOf } from "./connected.js"

const legacy = legacyServer({ tools: [tool("a")] })
const modern = modernServer({ tools: [tool("a")] })

const silentCall: Rule = { when: { method: "tools/call" }, reply: [{ silence: true }] }
const silentProbe: Rule = { when: { method: "server/discover" }, reply: [{ silence: true }] }

const open = (
  peer: WebSocketPeer,
  options: ConnectOptions = {},
  socket: WebSocketOptions = {},
): Promise<PromiseClient> =>
  connected(webSocket(peer.url, socket), { reconnect: { baseMs: 1 }, ...options })

const until = (state: string, client: PromiseClient): Promise<void> =>
  new Promise((resolve) => {
    if (client.state === state) return resolve()
    const stop = client.onState((now) => {
      if (now !== state) return
      stop()
      resolve()
    })
  })

/** What was said on each socket, in order. */
const saidOn = (peer: WebSocketPeer): ReadonlyArray<ReadonlyArray<string>> => {
  const places = new Map<number, Array<string>>()
  for (const { place, kind, message } of peer.received) {
    if (kind === "open") places.set(place, [])
    const { method } = (message ?? {}) as { readonly method?: string } // JSON-RPC, or nothing
    if (method !== undefined) places.get(place)?.push(method)
  }
  return [...places.values()]
}

describe("a WebSocket that drops", () => {
  it("C119 V25-CUST-03 what was pending is lost and not sent again; the new socket begins with initialize", async () => {
    await using peer = await startWebSocketPeer(withRules(legacy, silentCall))
    await using client = await open(peer)
    const calling = client.callTool({ name: "a" })
    const failure = reasonOf(calling)
    await peer.next("tools/call")
    peer.play([{ destroy: true }])
    expect(await failure).toMatchObject({
      _tag: "RequestLost",
      cause: { _tag: "Unreachable", message: expect.stringContaining("(1006)") },
    })
    expect(names((await client.tools.list()).items)).toEqual(["a"])
    expect(noted(client)).toEqual(["reconnected"])
    expect(saidOn(peer)).toEqual([
      ["server/discover", "initialize", "notifications/initialized", "tools/call"],
      ["initialize", "notifications/initialized", "tools/list"],
    ])
    expect(peer.requests("initialize")[1]?.message.params).not.toHaveProperty("sessionId")
  })

  it("C119 a request made before ready waits for the handshake", async () => {
    await using peer = await startWebSocketPeer(
      withRules(legacy, {
        when: { method: "initialize", nth: 2 },
        reply: [{ silence: true }],
      }),
    )
    await using client = await open(peer)
    await peer.next("initialize")
    peer.play([{ destroy: true }])
    const left = until("recovering", client)
    await left
    const calling = client.callTool({ name: "a" })
    await peer.next("initialize")
    expect(peer.requests("tools/call")).toEqual([])
    peer.play(
      [
        {
          result: {
            protocolVersion: "2025-11-25",
            capabilities: { tools: {} },
            serverInfo: { name: "again", version: "1" },
          },
        },
      ],
      { method: "initialize" },
    )
    await expect(calling).resolves.toMatchObject({ content: [{}] })
    expect(saidOn(peer)[1]).toEqual(["initialize", "notifications/initialized", "tools/call"])
  })

  it("C119 a read that was pending is sent again on the new socket, once", async () => {
    await using peer = await startWebSocketPeer(
      withRules(legacy, {
        when: { method: "tools/list" },
        times: 1,
        reply: [{ close: 1012, reason: "deploying" }],
      }),
    )
    await using client = await open(peer)
    expect(names((await client.tools.list()).items)).toEqual(["a"])
    expect(peer.requests("tools/list")).toHaveLength(2)
  })

  it("asks for headers again, and a 401 then ends it at once, with what the server wants", async () => {
    await using peer = await startWebSocketPeer(
      withRules(legacy, {
        when: { kind: "open", headers: { authorization: "Bearer 2" } },
        reply: [
          {
            http: { status: 401, headers: { "www-authenticate": 'Bearer error="invalid_token"' } },
          },
        ],
      }),
    )
    let asked = 0
    const requestHeaders = () => ({ authorization: `Bearer ${++asked}` })
    await using client = await open(peer, {}, { requestHeaders })
    peer.play([{ close: 1008, reason: "token expired" }])
    await until("failed", client)
    await expect(client.tools.list()).rejects.toMatchObject({
      _tag: "ConnectionClosed",
      cause: { _tag: "AuthorizationRequired", challenges: [{ scheme: "bearer" }] },
    })
    expect(asked).toBe(2)
  })
})

describe("frames that carry no message", () => {
  it("C119 a binary frame is ignored with a note", async () => {
    await using peer = await startWebSocketPeer(legacy)
    await using client = await open(peer)
    peer.play([{ binary: '{"jsonrpc":"2.0","id":1,"result":{}}' }])
    expect(names((await client.tools.list()).items)).toEqual(["a"])
    expect(noted(client)).toEqual(["binary-frame"])
    expect(client.state).toBe("ready")
  })

  it.each([
    ["binary-frame", { binary: "x" }, 1003],
    ["text-frame-noise", { raw: "heartbeat" }, 1007],
  ] as const)(
    "C119 under strict, %s ends it, and the server is told",
    async (code, step, closeCode) => {
      await using peer = await startWebSocketPeer(withRules(legacy, silentCall))
      await using client = await open(peer, { strict: true })
      const calling = client.callTool({ name: "a" })
      const failure = reasonOf(calling)
      await peer.next("tools/call")
      peer.play([step])
      expect(await failure).toMatchObject({
        _tag: "RequestLost",
        cause: { _tag: "NotTolerated", tolerance: code },
      })
      await until("failed", client)
      await expect(client.tools.list()).rejects.toMatchObject({ cause: { tolerance: code } })
      expect(await peer.until(({ kind }) => kind === "disconnect")).toMatchObject({ closeCode })
      expect(saidOn(peer)).toHaveLength(1)
    },
  )

  it("C119 strict keeps what is tolerated by name", async () => {
    await using peer = await startWebSocketPeer(legacy)
    await using client = await open(peer, { strict: true, tolerances: { "binary-frame": true } })
    peer.play([{ binary: "x" }])
    await client.tools.list()
    expect(noted(client)).toEqual(["binary-frame"])
  })

  it("C119 fragments that split a character are one intact message", async () => {
    const text = '{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"—🙂"}]}}'
    const bytes = Buffer.from(text)
    const cut = bytes.indexOf(Buffer.from("🙂")) + 2
    await using peer = await startWebSocketPeer(
      withRules(legacy, {
        when: { method: "tools/call" },
        reply: [
          {
            fragments: [
              { base64: bytes.subarray(0, cut).toString("base64") },
              { base64: bytes.subarray(cut).toString("base64") },
            ],
          },
        ],
      }),
    )
    await using client = await open(peer, { mode: "legacy" })
    await expect(client.callTool({ name: "a" })).resolves.toMatchObject({
      content: [{ text: "—🙂" }],
    })
    expect(noted(client)).toEqual([])
  })
})

describe("the handshake over a WebSocket", () => {
  it("V26-CUST-08 silence after the probe means initialize, on the same socket", async () => {
    await using peer = await startWebSocketPeer(withRules(legacy, silentProbe))
    await using client = await open(peer, { probeMs: 50 })
    expect(client).toMatchObject({ era: "legacy", transport: "websocket" })
    await peer.next("notifications/initialized")
    expect(saidOn(peer)).toEqual([["server/discover", "initialize", "notifications/initialized"]])
  })

  it("V26-CUST-02 V26-CUST-03 a modern server needs no handshake, and a cancellation is a message", async () => {
    await using peer = await startWebSocketPeer(withRules(modern, silentCall))
    await using client = await open(peer)
    expect(client.era).toBe("modern")
    const leave = new AbortController()
    const calling = client.callTool({ name: "a" }, { signal: leave.signal })
    const failure = reasonOf(calling)
    await peer.next("tools/call")
    leave.abort()
    expect(await failure).toMatchObject({ _tag: "RequestAborted" })
    await peer.next("notifications/cancelled")
    expect(peer.requests("tools/call")[0]?.message.params?.["_meta"]).toMatchObject({
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    })
  })

  it("V25-CUST-03 a server that closes on the probe is asked again, with initialize", async () => {
    await using peer = await startWebSocketPeer(
      withRules(legacy, { when: { method: "server/discover" }, reply: [{ close: 1002 }] }),
    )
    await using client = await open(peer)
    expect(client.era).toBe("legacy")
    await peer.next("notifications/initialized")
    expect(saidOn(peer)).toEqual([["server/discover"], ["initialize", "notifications/initialized"]])
  })

  it("V25-CUST-03 a server that selects no subprotocol is noted, and under strict refused", async () => {
    await using peer = await startWebSocketPeer({ ...legacy, subprotocol: null })
    await using client = await open(peer)
    expect(noted(client)).toEqual(["subprotocol-missing"])
    await expect(open(peer, { strict: true })).rejects.toMatchObject({
      _tag: "NotTolerated",
      tolerance: "subprotocol-missing",
    })
    expect(saidOn(peer)[1]).toEqual([])
    expect(
      await peer.until(({ kind, place }) => kind === "disconnect" && place === 2),
    ).toMatchObject({ closeCode: 1002 })
  })

  it.each([401, 403])("a handshake answered with %i asks for authorization", async (status) => {
    await using peer = await startWebSocketPeer(
      withRules(legacy, { when: { kind: "open" }, reply: [{ http: { status } }] }),
    )
    await expect(open(peer)).rejects.toMatchObject({ _tag: "AuthorizationRequired", status })
  })

  it("close says goodbye and starts no reconnect", async () => {
    await using peer = await startWebSocketPeer(legacy)
    const client = await open(peer)
    await client.close()
    expect(await peer.until(({ kind }) => kind === "disconnect")).toMatchObject({ closeCode: 1000 })
    expect(peer.received.filter(({ kind }) => kind === "open")).toHaveLength(1)
  })
})
