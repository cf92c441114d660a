import { describe, expect, it } from "vitest"
import { connect, memoryVerdicts } from "@entente/client"
import { legacyServer, modernServer, tool } from "@entente/testkit"
import { startHttpPeer } from "@entente/testkit/node"
import { http, httpSse, streamableHttp } from "@entente/transport"
import { connected, names, noted } from "./connected.js"
import { startOldServer } from "./old-server.js"

const caught = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.unreachable("it should have failed"),
    (error: unknown) => error,
  )

const opening = ["GET /sse", "POST initialize", "POST notifications/initialized"]

describe("falling back to HTTP+SSE", () => {
  it.each([404, 405])(
    "V25-DET-03 a bare %i to initialize, and an endpoint event: the old transport is used",
    async (refusal) => {
      await using server = await startOldServer({ refusal })
      await using client = await connected(server.url)
      expect(client).toMatchObject({
        transport: "http+sse",
        era: "legacy",
        protocolVersion: "2024-11-05",
      })
      expect(names((await client.tools.list()).items)).toEqual(["a"])
      await expect(client.callTool({ name: "a" })).resolves.toMatchObject({
        content: [{ text: "done" }],
      })
      expect(server.story()).toEqual([
        "POST server/discover",
        "POST initialize",
        ...opening,
        "POST tools/list",
        "POST tools/call",
      ])
      expect(noted(client)).toEqual(["old-transport"])
      expect((await client.snapshot()).transport).toBe("http+sse")
    },
  )

  it("C025 (b) a 400 is first repeated with the header, then the GET finds the old transport", async () => {
    await using server = await startOldServer({ refusal: 400 })
    await using client = await connected(server.url, { mode: "legacy" })
    expect(server.story()).toEqual(["POST initialize", "POST initialize", ...opening])
    const versions = server.arrived.map(({ headers }) => headers["mcp-protocol-version"])
    expect(versions).toEqual([undefined, "2025-11-25", undefined, undefined, "2024-11-05"])
    expect(noted(client)).toEqual(["old-transport"])
  })

  it("C025 (b) V25-DET-04 where the GET fails too, the first refusal is the cause", async () => {
    await using server = await startOldServer({ refusal: 404, streams: () => false })
    const error = await caught(connected(server.url))
    expect(error).toMatchObject({
      code: "handshake-refused",
      cause: { _tag: "HttpRejected", status: 404, body: "Cannot POST /sse" },
      attempts: [
        { what: "server/discover", outcome: "HTTP 404: Cannot POST /sse" },
        { what: "initialize", outcome: "HTTP 404: Cannot POST /sse" },
        { what: "GET (HTTP+SSE)", outcome: expect.stringContaining("HTTP 404") },
      ],
    })
  })

  it.each([401, 403, 406, 415, 422, 429, 500])(
    "V25-DET-02 a %i to initialize leads to no GET",
    async (refusal) => {
      await using server = await startOldServer({ refusal })
      await caught(connected(server.url, { mode: "legacy" }))
      expect(server.story()).not.toContain("GET /sse")
    },
  )

  it("V25-DET-04 a 404 with JSON-RPC is the answer of a Streamable server", async () => {
    await using peer = await startHttpPeer({
      rules: [
        {
          when: { method: "initialize" },
          reply: [{ status: 404, error: { code: -32601, message: "unknown" } }],
        },
      ],
    })
    await caught(connected(peer.url, { mode: "legacy" }))
    expect(peer.exchanges("GET")).toEqual([])
  })

  it("C028 the probe is refused as old servers do, initialize too: still it becomes ready", async () => {
    await using server = await startOldServer({ refusal: 400 })
    await using client = await connected(server.url)
    expect(client.transport).toBe("http+sse")
    expect(server.story()).toEqual([
      "POST server/discover",
      "POST initialize",
      "POST initialize",
      ...opening,
    ])
  })

  it("a connection that is given up while the stream is asked for leaves nothing open", async () => {
    const abort = new AbortController()
    await using server = await startOldServer({
      streams: () => {
        abort.abort()
        return true
      },
    })
    expect(await caught(connected(server.url, { signal: abort.signal }))).toMatchObject({
      _tag: "RequestAborted",
    })
    const stream = server.stream()
    if (!stream.closed) await new Promise((resolve) => stream.on("close", resolve))
    expect(server.story().at(-1)).toBe("GET /sse")
  })

  it("who wants Streamable HTTP alone gets no GET", async () => {
    await using server = await startOldServer()
    expect(await caught(connected(streamableHttp(server.url)))).toMatchObject({
      code: "handshake-refused",
    })
    expect(server.story()).not.toContain("GET /sse")
  })
})

describe("what is remembered of HTTP+SSE", () => {
  it("V25-DET-05 the next connection sends no POST that fails, and renews what no longer holds", async () => {
    const verdicts = memoryVerdicts()
    let old = true
    await using server = await startOldServer({ refusal: 404, streams: () => old })
    await (await connect(server.url, { verdicts })).close()
    const before = server.arrived.length
    await (await connect(server.url, { verdicts })).close()
    expect(server.story().slice(before)).toEqual(opening)

    old = false
    const error = await caught(connect(server.url, { verdicts }))
    expect(error).toMatchObject({
      attempts: [{ what: "GET (HTTP+SSE)" }, { what: "server/discover" }, { what: "initialize" }],
    })
  })

  it("V25-DET-05 a server that has become modern is found out at the next start", async () => {
    const verdicts = memoryVerdicts()
    await using peer = await startHttpPeer({
      ...modernServer({ tools: [tool("a")] }),
      endpoint: "/sse",
    })
    const { key } = http(peer.url)
    verdicts.set(key, {
      era: "legacy",
      revision: "2024-11-05",
      evidence: "seen",
      at: "2026-08-01T00:00:00.000Z",
      quirks: ["http+sse"],
    })
    await using client = await connect(peer.url, { verdicts })
    expect(client).toMatchObject({ transport: "streamable-http", era: "modern" })
    expect(noted(client)).toEqual(["verdict-renewed"])
    expect(verdicts.get(key)).toMatchObject({ era: "modern", quirks: [] })
  })

  it("V25-DET-05 what the caller chose proves nothing about the URL", async () => {
    const verdicts = memoryVerdicts()
    await using server = await startOldServer()
    await (await connect(httpSse(server.url), { verdicts })).close()
    expect(verdicts.get(http(server.url).key)).toBeUndefined()
  })
})

describe("a connection over HTTP+SSE", () => {
  it("V25-SSE-07 carries the negotiated version on every POST, and never a session id", async () => {
    await using server = await startOldServer({ revision: "2025-11-25" })
    await using client = await connected(httpSse(server.url), {
      sessions: {
        load: () => ({ sessionId: "stored", initialize: { protocolVersion: "2025-11-25" } }),
        save: () => expect.unreachable("there is no session to save"),
        clear: () => {},
      },
    })
    await client.tools.list()
    await client.close()
    expect(server.story()).toEqual([...opening, "POST tools/list"])
    for (const { headers } of server.arrived) {
      expect(headers).not.toHaveProperty("mcp-session-id")
      expect(headers).not.toHaveProperty("mcp-method")
    }
    const versions = server.arrived.map(({ headers }) => headers["mcp-protocol-version"])
    expect(versions).toEqual([undefined, undefined, "2025-11-25", "2025-11-25"])
  })

  it("V25-SSE-04 a stream that is cut loses what is pending; the session is opened anew", async () => {
    await using server = await startOldServer({
      call: (response, stream) => {
        response.writeHead(202).end()
        stream.destroy()
      },
    })
    await using client = await connected(server.url, { reconnect: { baseMs: 1 } })
    const before = server.arrived.length
    await expect(client.callTool({ name: "a" })).rejects.toMatchObject({
      _tag: "RequestLost",
      cause: { _tag: "Unreachable" },
    })
    expect(names((await client.tools.list()).items)).toEqual(["a"])
    // Straight to the old transport: a new stream, a new initialize, and no resumption.
    expect(server.story().slice(before)).toEqual(["POST tools/call", ...opening, "POST tools/list"])
    expect(server.arrived.some(({ headers }) => "last-event-id" in headers)).toBe(false)
    expect(noted(client)).toContain("reconnected")
    expect(client.transport).toBe("http+sse")
  })

  it("V25-SSE-04 the end of the connection is the end of the stream, without DELETE", async () => {
    await using server = await startOldServer()
    const client = await connected(httpSse(server.url))
    const gone = new Promise((resolve) => server.stream().on("close", resolve))
    await client.close()
    await gone
    expect(server.story()).toEqual(opening)
  })

  it("a POST that is refused with JSON-RPC settles its request with that error", async () => {
    await using server = await startOldServer({
      call: (response, _, id) =>
        response
          .writeHead(400, { "content-type": "application/json" })
          .end(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32602, message: "no" } })),
    })
    await using client = await connected(httpSse(server.url))
    await expect(client.callTool({ name: "a" })).rejects.toMatchObject({
      _tag: "PeerError",
      rpcCode: -32602,
      status: 400,
    })
  })

  it("a call that is given up is cancelled by a message", async () => {
    await using server = await startOldServer({ call: (response) => response.writeHead(202).end() })
    await using client = await connected(httpSse(server.url))
    await expect(client.callTool({ name: "a" }, { timeoutMs: 50 })).rejects.toMatchObject({
      _tag: "RequestTimeout",
    })
    await client.tools.list()
    expect(server.story()).toContain("POST notifications/cancelled")
  })

  it("V25-SSE-07 modern alone cannot be had over it", async () => {
    await using server = await startOldServer()
    expect(await caught(connected(httpSse(server.url), { mode: "modern" }))).toMatchObject({
      code: "invalid-input",
    })
    expect(names((await (await connected(httpSse(server.url))).tools.list()).items)).toEqual(["a"])
  })
})

describe("an HTTP+SSE server behind a proxy that strips a prefix", () => {
  const behind = () =>
    startOldServer({ at: "/api/v1/sse", names: "/v1/messages/", takesAt: "/api/v1/messages/" })

  it("C092 the stripped prefix is tried once at the first 404, kept, and noted", async () => {
    await using server = await behind()
    await using client = await connected(server.url)
    await client.tools.list()
    const posts = server.arrived.filter(({ path }) => path.includes("session="))
    expect(posts.map(({ path, method }) => [path, method])).toEqual([
      ["/v1/messages/?session=1", "initialize"],
      ["/api/v1/messages/?session=1", "initialize"],
      ["/api/v1/messages/?session=1", "notifications/initialized"],
      ["/api/v1/messages/?session=1", "tools/list"],
    ])
    expect(noted(client)).toEqual(["endpoint-prefix-lost", "old-transport"])
  })

  it.each([{ strict: true }, { tolerances: { "endpoint-prefix-lost": false } }])(
    "C092 it is an error where the rule is off: %j",
    async (policy) => {
      await using server = await behind()
      expect(await caught(connected(httpSse(server.url), policy))).toMatchObject({
        _tag: "NotTolerated",
        tolerance: "endpoint-prefix-lost",
      })
    },
  )

  it("C092 a message URL that is given is used without any guess", async () => {
    await using server = await behind()
    const messageUrl = "/api/v1/messages/"
    await using client = await connected(http(server.url, { messageUrl }))
    expect(client.transport).toBe("http+sse")
    expect(server.arrived.map(({ path }) => path)).not.toContain("/v1/messages/?session=1")
    expect(noted(client)).toEqual(["old-transport"])
  })

  it("C092 where neither place is there, the 404 is reported, and both were tried once", async () => {
    await using server = await startOldServer({
      at: "/api/v1/sse",
      names: "/v1/messages/",
      takesAt: "/elsewhere",
    })
    expect(await caught(connected(httpSse(server.url)))).toMatchObject({
      code: "handshake-refused",
      cause: { status: 404 },
    })
    expect(server.story()).toEqual(["GET /api/v1/sse", "POST initialize", "POST initialize"])
  })
})

it("V25-DET-01 a server of Streamable HTTP is asked by POST alone", async () => {
  await using peer = await startHttpPeer(legacyServer({ tools: [tool("a")] }))
  await using client = await connected(peer.url)
  expect(client.transport).toBe("streamable-http")
  expect(peer.exchanges("GET")).toEqual([])
})
