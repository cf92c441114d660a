import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { afterEach, describe, expect, it, vi } from "vitest"
import type { JsonObject, JsonRpcMessage } from "@entente/protocol"
import {
  dualServer,
  legacyServer,
  memoryPeer,
  modernServer,
  notification,
  pages,
  tool,
  type Peer,
  type Script,
} from "../src/index.js"
import { startHttpPeer, startStdioPeer } from "../src/node.js"
import { call, openMemory, post, reader, spawnStdio } from "./raw-clients.js"

vi.setConfig({ testTimeout: 30_000 }) // a process takes its time on a busy machine

const version = "2026-07-28"
const meta = {
  "io.modelcontextprotocol/protocolVersion": version,
  "io.modelcontextprotocol/clientCapabilities": {},
}
const modern = (id: number, method: string, params: JsonObject = {}) =>
  call(id, method, { ...params, _meta: meta })

const initialize = call(1, "initialize", { protocolVersion: "2025-06-18", capabilities: {} })

type Headers = Record<string, string>
/** Asks one thing and gives the answer; headers are for HTTP. */
type Ask = (message: JsonRpcMessage, headers?: Headers) => Promise<unknown>

const closing: Array<() => Promise<unknown>> = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const answerIn = async (response: Response): Promise<unknown> => {
  const text = await response.text()
  return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text)
}

type Open = (script: Script) => Promise<readonly [Peer, Ask]>

const openMemoryPeer: Open = async (script) => {
  const peer = memoryPeer(script)
  const scope = Scope.makeUnsafe()
  closing.push(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const client = await Effect.runPromise(Scope.provide(openMemory(peer), scope))
  const ask: Ask = async (message) => {
    await client.send(message)
    return client.inbox.take()
  }
  return [peer, ask]
}

const openStdioPeer: Open = async (script) => {
  const peer = await startStdioPeer(script)
  closing.push(peer.close)
  const client = spawnStdio(peer)
  const ask: Ask = async (message) => {
    client.say(message)
    return JSON.parse(await client.lines.take())
  }
  return [peer, ask]
}

const openHttpPeer =
  (answers: "json" | "sse"): Open =>
  async (script) => {
    const peer = await startHttpPeer({ ...script, answers })
    closing.push(peer.close)
    return [peer, async (message, headers) => answerIn(await post(peer.url, message, headers))]
  }

/** The same script, and a raw client for it, over every medium. */
const media: ReadonlyArray<readonly [string, Open]> = [
  ["memory", openMemoryPeer],
  ["stdio", openStdioPeer],
  ["HTTP in JSON", openHttpPeer("json")],
  ["HTTP in event streams", openHttpPeer("sse")],
]

const mirror = (method: string, name?: string): Headers => ({
  "mcp-protocol-version": version,
  "mcp-method": method,
  ...(name !== undefined && { "mcp-name": name }),
})
const legacy: Headers = { "mcp-protocol-version": "2025-11-25" }

describe.each(media)("over %s", (_medium, open) => {
  it("a legacy server shakes hands, pings, lists and calls", async () => {
    const tools = [tool("echo", { title: "Echo" })]
    const [peer, ask] = await open(legacyServer({ tools, instructions: "Ask." }))
    expect(await ask(initialize)).toMatchObject({
      id: 1,
      result: {
        protocolVersion: "2025-11-25",
        capabilities: { tools: {} },
        serverInfo: { name: "scripted-peer" },
        instructions: "Ask.",
      },
    })
    expect(await ask(call(2, "ping"), legacy)).toMatchObject({ id: 2, result: {} })
    expect(await ask(call(3, "tools/list"), legacy)).toMatchObject({ result: { tools } })
    const echo = call(4, "tools/call", { name: "echo", arguments: { a: 1 } })
    expect(await ask(echo, legacy)).toMatchObject({ result: { content: [{ text: '{"a":1}' }] } })
    const unknown = call(5, "tools/call", { name: "other" })
    expect(await ask(unknown, legacy)).toMatchObject({ error: { code: -32602 } })
    expect(await ask(call(6, "prompts/list"), legacy)).toMatchObject({ error: { code: -32601 } })
    expect(peer.methods()).toHaveLength(6)
  })

  it("a modern server discovers, lists and calls", async () => {
    const tools = [tool("echo")]
    const [, ask] = await open(modernServer({ tools, ttlMs: 5, cacheScope: "public" }))
    const discover = modern(1, "server/discover")
    expect(await ask(discover, mirror("server/discover"))).toMatchObject({
      id: 1,
      result: {
        resultType: "complete",
        supportedVersions: [version],
        capabilities: { tools: {} },
        ttlMs: 5,
        cacheScope: "public",
        _meta: { "io.modelcontextprotocol/serverInfo": { name: "scripted-peer" } },
      },
    })
    const list = await ask(modern(2, "tools/list"), mirror("tools/list"))
    expect(list).toMatchObject({ result: { resultType: "complete", ttlMs: 5, tools } })
    const echo = modern(3, "tools/call", { name: "echo", arguments: {} })
    expect(await ask(echo, mirror("tools/call", "echo"))).toMatchObject({
      result: { resultType: "complete", content: [{ type: "text", text: "{}" }] },
    })
    const ping = await ask(modern(4, "ping"), mirror("ping"))
    expect(ping).toMatchObject({ error: { code: -32601 } })
  })

  it("V26-META-04 V26-VER-02 a modern server refuses what it cannot serve", async () => {
    const [, ask] = await open(modernServer())
    const bare = mirror("tools/list")
    expect(await ask(call(1, "tools/list"), bare)).toMatchObject({ error: { code: -32602 } })
    const { "io.modelcontextprotocol/clientCapabilities": _, ...versionOnly } = meta
    const incomplete = call(2, "tools/list", { _meta: versionOnly })
    expect(await ask(incomplete, bare)).toMatchObject({ error: { code: -32602 } })
    const later = { ...meta, "io.modelcontextprotocol/protocolVersion": "2027-03-01" }
    const headers = { ...bare, "mcp-protocol-version": "2027-03-01" }
    expect(await ask(call(3, "tools/list", { _meta: later }), headers)).toMatchObject({
      id: 3,
      error: { code: -32022, data: { supported: [version], requested: "2027-03-01" } },
    })
  })

  it("a dual server meets each era in its own way", async () => {
    const [, ask] = await open(dualServer({ tools: [tool("echo")] }))
    expect(await ask(modern(1, "tools/list"), mirror("tools/list"))).toMatchObject({
      result: { resultType: "complete" },
    })
    const opened = await ask(initialize)
    expect(opened).toMatchObject({ result: { protocolVersion: "2025-11-25" } })
    const list = await ask(call(2, "tools/list"), legacy)
    expect(list).toMatchObject({ result: { tools: [{ name: "echo" }] } })
    expect(list).not.toHaveProperty("result.resultType")
    expect(await ask(call(3, "server/discover"), legacy)).toMatchObject({ error: { code: -32601 } })
  })

  it("pages follow the cursors that were given", async () => {
    const [, ask] = await open({
      rules: pages("tools/list", [
        { tools: [tool("a")], nextCursor: "" },
        { tools: [tool("b")], nextCursor: "p3" },
        { tools: [tool("c")] },
      ]),
    })
    const list = (cursor?: string) =>
      ask(call(1, "tools/list", cursor === undefined ? undefined : { cursor }))
    expect(await list()).toMatchObject({ result: { tools: [{ name: "a" }], nextCursor: "" } })
    expect(await list("")).toMatchObject({ result: { tools: [{ name: "b" }], nextCursor: "p3" } })
    expect(await list("p3")).toMatchObject({ result: { tools: [{ name: "c" }] } })
    expect(await list("p4")).toMatchObject({ error: { code: -32602 } })
  })
})

const listen = modern(30, "subscriptions/listen", { notifications: { toolsListChanged: true } })
const acknowledged = {
  jsonrpc: "2.0",
  method: "notifications/subscriptions/acknowledged",
  params: {
    notifications: { toolsListChanged: true },
    _meta: { "io.modelcontextprotocol/subscriptionId": 30 },
  },
}

describe("subscriptions of a modern server", () => {
  it.each([
    ["memory", openMemoryPeer],
    ["stdio", openStdioPeer],
  ])("V26-SUB-03 are acknowledged over %s", async (_, open) => {
    const [, ask] = await open(modernServer())
    expect(await ask(listen)).toEqual(acknowledged)
  })

  it("V26-SUB-05 stay open over HTTP, and carry the id of the request", async () => {
    const peer = await startHttpPeer(modernServer())
    closing.push(peer.close)
    const read = reader(await post(peer.url, listen, mirror("subscriptions/listen")))
    expect(await read()).toBe(`data: ${JSON.stringify(acknowledged)}\n\n`)
    const subscription = { "io.modelcontextprotocol/subscriptionId": { $from: "/id" } }
    peer.send(notification("notifications/tools/list_changed", { _meta: subscription }))
    expect(await read()).toContain('"io.modelcontextprotocol/subscriptionId":30')
  })
})

describe("what servers insist on over HTTP", () => {
  const open = async (script: Script) => {
    const peer = await startHttpPeer(script)
    closing.push(peer.close)
    return (message: object, headers: Headers = {}) => post(peer.url, message, headers)
  }

  it("V25-HTTP-02 V25-HTTP-03 media types", async () => {
    const send = await open(legacyServer())
    expect((await send(initialize, { accept: "application/json" })).status).toBe(406)
    expect((await send(initialize, { accept: "text/event-stream" })).status).toBe(406)
    expect((await send(initialize, { "content-type": "text/plain" })).status).toBe(415)
    expect((await send(initialize)).status).toBe(200)
  })

  it("V25-HTTP-38 the version, from the handshake on", async () => {
    const send = await open(legacyServer())
    expect((await send(call(1, "ping"))).status).toBe(400)
    expect((await send(call(1, "ping"), { "mcp-protocol-version": version })).status).toBe(400)
    expect((await send(call(1, "ping"), legacy)).status).toBe(200)
    const older = await open(legacyServer({ revision: "2025-03-26" }))
    expect((await older(call(1, "ping"))).status).toBe(200)
  })

  it("V25-HTTP-27 V25-HTTP-31 V25-HTTP-32 sessions, where they are given out", async () => {
    const send = await open(legacyServer({ sessionIds: ["S1", "S2", "S3"] }))
    const opened = async (): Promise<string | null> =>
      (await send(initialize)).headers.get("mcp-session-id")
    const ids = [await opened(), await opened(), await opened(), await opened()]
    expect(ids).toEqual(["S1", "S2", "S3", "S3"])
    const status = async (session?: string): Promise<number> => {
      const headers = { ...legacy, ...(session !== undefined && { "mcp-session-id": session }) }
      return (await send(call(1, "ping"), headers)).status
    }
    expect([await status(), await status("S1"), await status("S4")]).toEqual([400, 200, 404])
    expect((await send(initialize, { "mcp-session-id": "S1" })).status).toBe(400)
  })

  it("V25-HTTP-34 a session can be deleted, a GET stream opened", async () => {
    const peer = await startHttpPeer(legacyServer({ sessionIds: ["S1"], listens: true }))
    closing.push(peer.close)
    const session = { ...legacy, "mcp-session-id": "S1" }
    const headers = { ...session, accept: "text/event-stream" }
    const read = reader(await fetch(peer.url, { headers }))
    peer.send(notification("notifications/tools/list_changed"))
    expect(await read()).toContain("notifications/tools/list_changed")
    expect((await fetch(peer.url, { headers: { ...session, accept: "*/*" } })).status).toBe(406)
    expect((await fetch(peer.url, { method: "DELETE", headers: session })).status).toBe(200)
    expect((await fetch(peer.url, { method: "DELETE", headers: legacy })).status).toBe(400)
  })

  it("V26-HDR-09 headers that repeat the body", async () => {
    const send = await open(modernServer({ tools: [tool("echo")] }))
    const list = modern(1, "tools/list")
    const refused = await send(list, mirror("tools/call"))
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({ id: 1, error: { code: -32020 } })
    expect((await send(list, mirror("tools/list"))).status).toBe(200)
    const unknown = await send(modern(2, "ping"), mirror("ping"))
    expect(unknown.status).toBe(404)
  })
})
