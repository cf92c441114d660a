import { once } from "node:events"
import { request as httpRequest, type IncomingMessage, type RequestListener } from "node:http"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { connect } from "@entente/client"
import { http, httpSse, replay } from "@entente/transport"
import { FileRecorder, readTrace } from "@entente/trace/file"
import { ask, initialize, initialized, json, post, result, tapped } from "./http-world.js"
import { bytesOf } from "./tapped.js"

const tools = { tools: [{ name: "greet", inputSchema: { type: "object" } }] }
const list = (id: number) => ({ jsonrpc: "2.0", id, method: "tools/list", params: {} })

/** A legacy server with sessions that are numbered as they are opened. */
const sessions = (): RequestListener => {
  let opened = 0
  return async (request, response) => {
    const { method } = request
    if (method === "GET") {
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders()
      return response.write(
        `id: e1\ndata: ${json({ jsonrpc: "2.0", method: "notifications/tools/list_changed" })}\n\n`,
      )
    }
    if (method === "DELETE") return response.writeHead(200).end()
    const message = JSON.parse((await bytesOf(request)).toString()) as {
      readonly id?: number
      readonly method: string
    }
    const { id } = message
    if (id === undefined) return response.writeHead(202).end()
    if (message.method === "initialize") {
      response.writeHead(200, {
        "content-type": "application/json",
        "mcp-session-id": `session-${++opened}-kept`,
      })
      return response.end(initialized(id))
    }
    if (request.headers["mcp-session-id"] === "session-gone-kept")
      return response.writeHead(404).end("gone")
    response.writeHead(200, { "content-type": "text/event-stream" })
    return response.end(`data: ${result(id, tools)}\n\n`)
  }
}

describe("the trace of a tap on HTTP", () => {
  it("V25-HTTP-36 V26-SEC-12 has messages, heads, outcomes, and numbers for session ids", async () => {
    await using world = await tapped(sessions())
    const { url } = world.tap
    const first = await post(url, initialize(0))
    const session = { "mcp-session-id": String(first.headers["mcp-session-id"]) }
    await post(url, { jsonrpc: "2.0", method: "notifications/initialized" }, session)
    await post(url, list(1), session)
    await ask(url, { method: "DELETE", headers: session })
    await world.tap.close()
    const { kept } = world
    expect(kept.text).not.toContain("session-1-kept")
    expect(kept.events).toMatchObject([
      { type: "http", exchange: 1, method: "POST", url: `${world.served.origin}/mcp` },
      {
        type: "channel",
        channel: 1,
        event: "opened",
        transport: "streamable-http",
        exchanges: "per-request",
      },
      { type: "frame", direction: "out", exchange: 1, channel: 1, send: 1 },
      { type: "http", exchange: 1, status: 200, headers: { "mcp-session-id": "‹redacted 1›" } },
      {
        type: "frame",
        direction: "in",
        exchange: 1,
        headers: { "mcp-session-id": "‹redacted 1›" },
      },
      {
        type: "outcome",
        send: 1,
        outcome: { _tag: "Ended", status: 200, messages: 1, streamed: false },
      },
      { type: "http", exchange: 2, headers: { "mcp-session-id": "‹redacted 1›" } },
      { type: "frame", direction: "out", exchange: 2, send: 2 },
      { type: "http", exchange: 2, status: 202 },
      { type: "outcome", send: 2, outcome: { _tag: "Ended", status: 202, messages: 0 } },
      { type: "http", exchange: 3 },
      { type: "frame", direction: "out", exchange: 3, send: 3 },
      { type: "http", exchange: 3, status: 200 },
      { type: "frame", direction: "in", exchange: 3 },
      { type: "outcome", send: 3, outcome: { _tag: "Ended", messages: 1, streamed: true } },
      { type: "http", exchange: 4, method: "DELETE" },
      { type: "http", exchange: 4, status: 200 },
      { type: "ask", channel: 1, what: "endSession", outcome: { value: 200 } },
      { type: "channel", channel: 1, event: "released" },
    ])
  })

  it("tells clients apart, also when they speak in turns", async () => {
    await using world = await tapped(sessions())
    const { url } = world.tap
    const [one, two] = [await post(url, initialize(0)), await post(url, initialize(0))]
    for (const { headers } of [one, two]) {
      await post(url, list(1), { "mcp-session-id": String(headers["mcp-session-id"]) })
    }
    const channels = world.kept.of("frame").map(({ channel }) => channel)
    expect(channels).toEqual([1, 1, 2, 2, 1, 1, 2, 2])
  })

  it("an opening that is refused is tried again in the same conversation, and so is one after a session", async () => {
    let refuse = true
    const open = sessions()
    await using world = await tapped((request, response) => {
      if (refuse) return response.writeHead(400).end("not like this")
      return open(request, response)
    })
    const { url } = world.tap
    await post(url, initialize(0))
    refuse = false
    await post(url, initialize(1))
    await post(url, list(2), { "mcp-session-id": "session-gone-kept" })
    await post(url, initialize(3))
    expect(new Set(world.kept.of("frame").map(({ channel }) => channel))).toEqual(new Set([1]))
    expect(world.kept.of("outcome").map(({ outcome }) => outcome)).toMatchObject([
      { _tag: "Rejected", rejection: { status: 400, text: "not like this" } },
      { _tag: "Ended" },
      { _tag: "Rejected", rejection: { status: 404, text: "gone" } },
      { _tag: "Ended" },
    ])
  })

  it("a stream beside the messages is told, and one that goes on keeps its exchange", async () => {
    await using world = await tapped(sessions())
    const { url } = world.tap
    const first = await post(url, initialize(0))
    const session = {
      "mcp-session-id": String(first.headers["mcp-session-id"]),
      accept: "text/event-stream",
    }
    for (const headers of [session, { ...session, "last-event-id": "e1" }]) {
      const request = httpRequest(url, { headers, agent: false })
      request.end()
      const [answer] = (await once(request, "response")) as [IncomingMessage] // "response" brings one
      await once(answer, "data")
      request.destroy()
    }
    await world.kept.until(({ type, seq }) => type === "frame" && seq > 12)
    expect(world.kept.of("stream").map(({ event, exchange }) => [event, exchange])).toEqual([
      ["asked", 2],
      ["opened", 2],
      ["delivered", 2],
      ["delivered", 2],
      ["asked", 2],
      ["opened", 2],
      ["delivered", 2],
      ["delivered", 2],
    ])
  })

  it("V25-SEC-01 holds no secret of headers, of the address or of messages", async () => {
    const secret = "s3cr3t-Planted-0123456789"
    await using world = await tapped((_, response) => {
      response.writeHead(200, { "content-type": "application/json", "set-cookie": `id=${secret}` })
      response.end(result(1, { content: [{ type: "text", text: `password=${secret}` }] }))
    }, `/mcp?api_key=${secret}`)
    const headers = {
      authorization: `Bearer ${secret}`,
      "x-api-key": secret,
      "x-something-else": secret,
      cookie: `a=${secret}`,
      "mcp-session-id": secret,
    }
    const params = { name: "login", arguments: { password: secret } }
    const answer = await post(world.tap.url, { ...list(1), method: "tools/call", params }, headers)
    expect(answer.body.toString()).toContain(secret)
    expect(world.kept.of("frame")).toHaveLength(2)
    expect(world.kept.of("http")[0]?.headers).toMatchObject({
      authorization: "Bearer ‹redacted›",
      "x-something-else": "‹redacted›",
    })
    expect(world.kept.text).not.toContain(secret)
  })

  it("can be replayed", async () => {
    await using world = await tapped(sessions())
    {
      await using client = await connect(http(world.tap.url), { mode: "legacy", listen: false })
      await client.tools.list()
    }
    await world.tap.close()
    await using client = await connect(replay(world.kept.events), { mode: "legacy", listen: false })
    expect(await client.tools.list()).toMatchObject({
      status: "complete",
      items: [{ name: "greet" }],
    })
  })

  it("tells conversations without sessions apart by how they begin", async () => {
    await using world = await tapped(async (request, response) => {
      const { id } = JSON.parse((await bytesOf(request)).toString()) as { readonly id: number }
      response.writeHead(200, { "content-type": "application/json" })
      response.end(
        result(id, { resultType: "complete", supportedVersions: ["2026-07-28"], tools: [] }),
      )
    })
    const discover = (id: number) => ({ jsonrpc: "2.0", id, method: "server/discover", params: {} })
    for (const message of [discover(0), list(1), discover(0), list(1), initialize(2)]) {
      await post(world.tap.url, message)
    }
    const out = world.kept.of("frame").filter(({ direction }) => direction === "out")
    expect(out.map(({ channel }) => channel)).toEqual([1, 1, 2, 2, 2])
  })

  it("says where a challenge leads past the tap, once", async () => {
    const challenge =
      'Bearer resource_metadata="https://server.example/.well-known/oauth-protected-resource"'
    await using world = await tapped((_, response) => {
      response.writeHead(401, { "www-authenticate": challenge }).end()
    })
    for (const id of [1, 2]) {
      const { headers } = await post(world.tap.url, list(id))
      expect(headers["www-authenticate"]).toBe(challenge)
    }
    expect(world.kept.of("note")).toMatchObject([
      {
        code: "tap-bypassed",
        detail: expect.stringContaining("https://server.example/.well-known/"),
      },
    ])
  })

  it("JSON that is no message, and messages that are no JSON, are told apart", async () => {
    await using world = await tapped((request, response) => {
      request.resume()
      response.writeHead(201, { "content-type": "application/json" }).end("{}")
    })
    const { origin } = new URL(world.tap.url)
    await post(`${origin}/register`, { client_name: "somebody" })
    await ask(world.tap.url, { method: "POST", body: "{ half" })
    expect(world.kept.of("frame")).toEqual([])
    expect(world.kept.of("http")).toHaveLength(4)
    expect(world.kept.of("note")).toMatchObject([{ code: "client-invalid-message" }])
  })

  it("can be read at any moment while the tap runs", async () => {
    const folder = await mkdtemp(join(tmpdir(), "entente-tap-"))
    const file = join(folder, "trace.jsonl")
    await using world = await tapped(sessions())
    const recorder = new FileRecorder(file)
    world.kept.trace.subscribe(recorder.read)
    const readable = async (): Promise<ReadonlyArray<string>> => {
      const types: Array<string> = []
      for await (const line of readTrace(file)) {
        types.push(line.kind === "event" ? line.event.type : line.kind)
      }
      return types
    }
    await post(world.tap.url, initialize(0))
    for (;;) {
      const types = await readable().catch((): ReadonlyArray<string> => [])
      expect(types.filter((type) => type === "problem")).toEqual([])
      if (types.includes("outcome")) break
      await new Promise((turn) => setImmediate(turn))
    }
    await recorder.close()
    await rm(folder, { recursive: true })
  })
})

describe("HTTP+SSE through a tap", () => {
  /** A server of 2024-11-05 that names this address. */
  const old = (address: () => string): RequestListener => {
    let say: (data: string) => void = () => {}
    return async (request, response) => {
      if (request.method === "GET") {
        response.writeHead(200, { "content-type": "text/event-stream" })
        response.write(`event: endpoint\ndata: ${address()}\n\n`)
        say = (data) => void response.write(`event: message\ndata: ${data}\n\n`)
        return
      }
      if (request.url?.startsWith("/messages") !== true) return response.writeHead(404).end()
      const { id, method } = JSON.parse((await bytesOf(request)).toString()) as {
        readonly id?: number
        readonly method: string
      }
      response.writeHead(202).end("Accepted")
      if (id !== undefined) say(method === "initialize" ? initialized(id) : result(id, tools))
    }
  }

  it("is a channel of its own, and can be replayed", async () => {
    await using world = await tapped(
      old(() => "/messages?sessionId=12345678-1234-1234-1234-123456789abc"),
      "/sse",
    )
    {
      await using client = await connect(httpSse(world.tap.url), { mode: "legacy" })
      expect(await client.tools.list()).toMatchObject({ status: "complete" })
    }
    await world.kept.until((event) => event.type === "channel" && event.event === "released")
    expect(world.kept.of("channel")).toMatchObject([
      { event: "opened", transport: "http+sse", exchanges: "shared" },
      { event: "released" },
    ])
    expect(world.kept.of("stream")).toEqual([])
    expect(world.kept.of("outcome").map(({ outcome }) => outcome)).toMatchObject([
      { _tag: "Written" },
      { _tag: "Written" },
      { _tag: "Written" },
    ])
    await using client = await connect(replay(world.kept.events), { mode: "legacy" })
    expect(await client.tools.list()).toMatchObject({ items: [{ name: "greet" }] })
  })

  it("after a refused initialize it is the fallback in the recording too", async () => {
    await using world = await tapped(
      old(() => "/messages"),
      "/mcp",
    )
    {
      await using client = await connect(http(world.tap.url), { mode: "legacy" })
      expect(await client.tools.list()).toMatchObject({ status: "complete" })
    }
    await using client = await connect(replay(world.kept.events), { mode: "legacy" })
    expect(await client.tools.list()).toMatchObject({ items: [{ name: "greet" }] })
  })

  it("an address of the server's own is left as it is, and told", async () => {
    await using world = await tapped(
      old(() => `${world.served.origin}/messages`),
      "/sse",
    )
    const request = httpRequest(world.tap.url, {
      headers: { accept: "text/event-stream" },
      agent: false,
    })
    request.end()
    const [answer] = (await once(request, "response")) as [IncomingMessage] // "response" brings one
    const [event] = (await once(answer, "data")) as [Buffer] // "data" brings bytes
    expect(event.toString()).toBe(`event: endpoint\ndata: ${world.served.origin}/messages\n\n`)
    const note = await world.kept.until(({ type }) => type === "note")
    expect(note).toMatchObject({
      code: "tap-bypassed",
      detail: expect.stringContaining(`${world.served.origin}/messages`),
    })
    request.destroy()
  })
})
