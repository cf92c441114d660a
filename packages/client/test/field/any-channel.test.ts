import { describe, expect, it } from "vitest"
import type { PromiseClient } from "@entente/client"
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
  type Script,
} from "@entente/testkit"
import {
  startHttpPeer,
  startHttpSsePeer,
  startStdioPeer,
  startWebSocketPeer,
} from "@entente/testkit/node"
import { http, httpSse, webSocket, type Transport } from "@entente/transport"
import { stdio } from "@entente/transport/stdio"
import { connected, names } from "./connected.js"

const offers = { tools: [tool("a"), tool("b")] }
const legacy = legacyServer(offers)
const modern = modernServer(offers)

interface Meeting {
  readonly peer: Peer
  readonly transport: Transport
}

const meeting = <P extends Peer>(peer: P, transport: (peer: P) => Transport): Meeting => ({
  peer,
  transport: transport(peer),
})

const channels: Readonly<Record<string, (script: Script) => Promise<Meeting>>> = {
  memory: async (script) => {
    const peer = memoryPeer(script)
    return { peer, transport: peer.transport }
  },
  stdio: async (script) => meeting(await startStdioPeer(script), stdio),
  http: async (script) => meeting(await startHttpPeer(script), ({ url }) => http(url)),
  "http+sse": async (script) => meeting(await startHttpSsePeer(script), ({ url }) => httpSse(url)),
  websocket: async (script) =>
    meeting(await startWebSocketPeer(script), ({ url }) => webSocket(url)),
}

/** What the core of the protocol comes to: a list, a call, a refusal, and what the server says. */
const core = async (client: PromiseClient) => {
  const heard: Array<string> = []
  client.onNotification(({ method }) => heard.push(method))
  const listing = await client.tools.list()
  return {
    era: client.era,
    names: names(listing.items),
    called: await client.callTool(
      { name: "a", arguments: { text: "two\nlines — 🙂" } },
      { logLevel: "info" },
    ),
    refused: await client
      .request("x/unknown")
      .catch(({ rpcCode }: { rpcCode?: number }) => rpcCode),
    heard,
  }
}

describe("the same server over any channel", { timeout: 30_000 }, () => {
  const says: Rule = {
    when: { method: "tools/call" },
    reply: [
      { message: notification("notifications/message", { level: "info", data: "at work" }) },
      { result: { resultType: "complete", content: [{ type: "text", text: "done" }] } },
    ],
  }

  it.each([
    ["legacy", legacy, Object.keys(channels)],
    // HTTP+SSE is older than the modern era.
    ["modern", modern, Object.keys(channels).filter((name) => name !== "http+sse")],
  ] as const)(
    "V25-CUST-01 V26-CUST-01 comes to the same for a %s server, over each of them",
    async (era, script, over) => {
      for (const name of over) {
        const { peer, transport } = await channels[name]!(withRules(script, says))
        await using _peer = peer
        await using client = await connected(transport)
        expect({ name, ...(await core(client)) }).toEqual({
          name,
          era,
          names: ["a", "b"],
          called: { resultType: "complete", content: [{ type: "text", text: "done" }] },
          refused: -32601,
          heard: ["notifications/message"],
        })
      }
    },
  )
})

describe("what a modern server is sent", { timeout: 30_000 }, () => {
  const asking: Rule = {
    when: { method: "tools/call" },
    reply: [
      { message: request("s1", "ping") },
      { message: request("s2", "sampling/createMessage") },
      { result: { resultType: "complete", content: [] } },
    ],
  }

  it("V26-HTTP-01 over HTTP: each message a POST of its own to one URL, requests and notifications alone", async () => {
    await using peer = await startHttpPeer(withRules(modern, asking))
    await using client = await connected(peer.url)
    await Promise.all(Array.from({ length: 5 }, () => client.callTool({ name: "a" })))
    await client.tools.list()
    expect(peer.received.map(({ httpMethod, path, kind }) => [httpMethod, path, kind])).toEqual(
      Array.from({ length: 7 }, () => ["POST", "/mcp", "request"]),
    )
    expect(new Set(peer.received.map(({ place }) => place)).size).toBe(7)
  })

  it("V26-STDIO-02 over stdio: whole lines of requests and notifications, and never a response", async () => {
    await using peer = await startStdioPeer(withRules(modern, asking))
    await using client = await connected(stdio(peer))
    const text = "two\nlines\r\u2028 and — 🙂"
    await Promise.all(
      Array.from({ length: 5 }, () => client.callTool({ name: "a", arguments: { text } })),
    )
    await client.tools.list()
    const said = peer.received.filter(({ kind }) => kind !== "open")
    expect(new Set(said.map(({ kind }) => kind))).toEqual(new Set(["request"]))
    expect(peer.requests("tools/call").map(({ message }) => message.params)).toEqual(
      Array.from({ length: 5 }, () => expect.objectContaining({ arguments: { text } })),
    )
  })

  it("V26-STDIO-06 over stdio: one line that cancels a request, with its id", async () => {
    const hangs: Rule = { when: { method: "tools/call" }, reply: [{ silence: true }] }
    await using peer = await startStdioPeer(withRules(modern, hangs))
    await using client = await connected(stdio(peer))
    const stop = new AbortController()
    const call = client.callTool({ name: "a" }, { signal: stop.signal })
    const { message } = await peer.next("tools/call")
    stop.abort("enough")
    await expect(call).rejects.toMatchObject({ _tag: "RequestAborted" })
    await client.tools.list()
    const cancelled = peer.received.filter(({ kind }) => kind === "notification")
    expect(cancelled.map((one) => one.message)).toEqual([
      {
        jsonrpc: "2.0",
        method: "notifications/cancelled",
        params: expect.objectContaining({ requestId: (message as { id: number }).id }),
      },
    ])
  })

  it("V26-STDIO-13 log lines that name no request are the server's own, and settle none", async () => {
    const silent: Rule = { when: { method: "tools/call" }, reply: [{ silence: true }] }
    await using peer = await startStdioPeer(withRules(modern, silent))
    await using client = await connected(stdio(peer))
    const heard: Array<unknown> = []
    client.onNotification(({ params }) => heard.push(params?.["data"]))
    const calls = ["a", "b"].map((name) => client.callTool({ name }, { logLevel: "info" }))
    await peer.until(() => peer.requests("tools/call").length === 2)
    for (const data of ["one", "two"]) {
      peer.send(notification("notifications/message", { level: "info", data }))
    }
    const done = { resultType: "complete", content: [] }
    for (const { message } of [...peer.requests("tools/call")].toReversed()) {
      peer.send({ jsonrpc: "2.0", id: message.id, result: done })
    }
    expect(await Promise.all(calls)).toEqual([done, done])
    expect(heard).toEqual(["one", "two"])
  })
})
