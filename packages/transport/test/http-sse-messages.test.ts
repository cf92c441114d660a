import { describe, expect, it } from "vitest"
import { httpSse, type SendOutcome } from "@entente/transport"
import { openChannel, request } from "./open-channel.js"
import { deferred, event, eventStream, json, serve } from "./http-server.js"
import { answerOnStream, endpointEvent, oldServer } from "./old-server.js"

const failure = { jsonrpc: "2.0", id: 1, error: { code: -32600, message: "no" } }

describe("a message over HTTP+SSE", { timeout: 30_000 }, () => {
  it.each([200, 201, 202, 204])(
    "V25-SSE-02 is acknowledged by %i, whatever the body says",
    async (status) => {
      await using server = await oldServer({
        post: ({ body }, response) => {
          const { id } = JSON.parse(body) as { id: number }
          const bodies = ["", JSON.stringify(failure), event(failure), "x".repeat(100_000)]
          const type = id === 2 ? "text/event-stream" : "application/json"
          response.writeHead(status, { "content-type": type }).end(bodies[id])
        },
      })
      await using opened = await openChannel(httpSse(server.url))
      for (const id of [0, 1, 2, 3]) {
        expect(await opened.send(request(id))).toEqual({ _tag: "Written" })
      }
      expect(opened.recorder).toMatchObject({ messages: [], errors: [], notes: [] })
    },
  )

  it.each([400, 404, 422, 500])("is rejected with %i, and the body is there", async (status) => {
    await using server = await oldServer({
      post: (_, response) => json(response, failure, status),
    })
    await using opened = await openChannel(httpSse(server.url))
    expect(await opened.send(request(1))).toMatchObject({
      _tag: "Rejected",
      rejection: { status, json: failure },
    })
  })

  it("carries the headers of the session and of the caller, and nobody's Accept", async () => {
    await using server = await oldServer()
    await using opened = await openChannel(httpSse(server.url, { headers: { "x-a": "1" } }))
    await opened.send(request(1), {
      headers: { "MCP-Protocol-Version": "2025-06-18" },
      extraHeaders: { "x-b": "2", "content-type": "text/plain" },
    })
    expect(server.posts()[0]?.headers).toMatchObject({
      "mcp-protocol-version": "2025-06-18",
      "content-type": "application/json",
      "x-a": "1",
      "x-b": "2",
    })
  })

  it("an acknowledgement that does not end holds up nothing, and few of them are kept", async () => {
    await using server = await oldServer({
      post: (_, response) => response.writeHead(202).write("…"),
    })
    await using opened = await openChannel(httpSse(server.url))
    for (let id = 1; id <= 40; id++) {
      expect(await opened.send(request(id))).toEqual({ _tag: "Written" })
    }
    // The stream, the acknowledgements that are kept, and sockets that are just being closed.
    while (server.sockets.size > 20) await new Promise(setImmediate)
  })

  it("settles exactly once, also when it is given up or cannot be sent at all", async () => {
    const { promise, resolve } = deferred()
    await using server = await oldServer({ post: () => resolve() })
    await using opened = await openChannel(httpSse(server.url))
    const outcomes: Array<SendOutcome["_tag"]> = []
    const sent = opened.channel.send({ message: request(1) }, ({ _tag }) => outcomes.push(_tag))
    expect(sent.exchange).toBe(0)
    await promise
    sent.abort()
    sent.abort()
    expect(outcomes).toEqual(["Aborted"])
    expect(await opened.send(request(2, "x", { big: 1n }))).toMatchObject({
      _tag: "Failed",
      error: { _tag: "InvalidInput" },
      mayHaveArrived: false,
    })
    const last = opened.send(request(3))
    await opened.close()
    expect(await last).toEqual({ _tag: "Aborted" })
    expect(await opened.send(request(4))).toMatchObject({ _tag: "Failed", mayHaveArrived: false })
    expect(opened.recorder.ends).toEqual([])
  })
})

describe("an address behind a proxy that strips a prefix", { timeout: 30_000 }, () => {
  /** Only this path is there; everything else is the proxy's own 404. */
  const behind = (path: string, endpoint: string) =>
    oldServer({
      endpoint,
      post: (arrived, response, stream) =>
        arrived.path === path
          ? answerOnStream(arrived, response, stream)
          : response.writeHead(404).end("<html>no such page</html>"),
    })

  it.each([
    ["/api/v1/sse", "/v1/messages/?session_id=1", "/api/v1/messages/?session_id=1"],
    ["/api/sse", "/messages?session_id=1", "/api/messages?session_id=1"],
    ["/a/b/sse/", "/messages/", "/a/b/messages/"],
    ["/a/messages/sse", "/messages?s=1", "/a/messages?s=1"],
  ])(
    "C092 (a) %s names %s: the stripped prefix is tried once, and kept",
    async (at, named, real) => {
      await using server = await behind(real, named)
      await using opened = await openChannel(httpSse(`${server.origin}${at}`))
      expect(await opened.send(request(1))).toEqual({ _tag: "Written" })
      expect(await opened.send(request(2))).toEqual({ _tag: "Written" })
      expect(server.posts().map(({ path }) => path)).toEqual([named, real, real])
      expect(opened.recorder.notes).toEqual([
        { code: "endpoint-prefix-lost", detail: expect.stringContaining("/messages") },
      ])
      expect(opened.recorder.notes[0]?.detail).not.toContain("session_id=1")
    },
  )

  it("C092 (b) where that is not there either, its 404 is the answer, and there is no second try", async () => {
    await using server = await behind("/nowhere", "/v1/messages")
    await using opened = await openChannel(httpSse(`${server.origin}/api/v1/sse`))
    for (const id of [1, 2]) {
      expect(await opened.send(request(id))).toMatchObject({
        _tag: "Rejected",
        rejection: { status: 404 },
      })
    }
    expect(server.posts().map(({ path }) => path)).toEqual([
      "/v1/messages",
      "/api/v1/messages",
      "/v1/messages",
    ])
    expect(opened.recorder.notes).toEqual([])
  })

  it.each([
    ["a relative address", "/api/v1/sse", "messages", 404, undefined],
    ["an address that has the prefix", "/api/v1/sse", "/api/v1/messages", 404, undefined],
    ["a stream at the root", "/sse", "/messages", 404, undefined],
    ["another status", "/api/v1/sse", "/v1/messages", 400, undefined],
    ["a 404 of JSON-RPC", "/api/v1/sse", "/v1/messages", 404, failure],
  ])("C092 (c) nothing is guessed for %s", async (_, at, named, status, body) => {
    await using server = await oldServer({
      endpoint: named,
      post: (_arrived, response) => json(response, body, status),
    })
    await using opened = await openChannel(httpSse(`${server.origin}${at}`))
    expect(await opened.send(request(1))).toMatchObject({ _tag: "Rejected" })
    expect(server.posts()).toHaveLength(1)
  })

  it("C092 (c) an address that has worked is not doubted later", async () => {
    let posts = 0
    await using server = await oldServer({
      endpoint: "/v1/messages",
      post: (_, response) => response.writeHead(posts++ === 0 ? 202 : 404).end(),
    })
    await using opened = await openChannel(httpSse(`${server.origin}/api/v1/sse`))
    expect(await opened.send(request(1))).toEqual({ _tag: "Written" })
    expect(await opened.send(request(2))).toMatchObject({ _tag: "Rejected" })
    expect(server.posts()).toHaveLength(2)
  })
})

describe("a second endpoint event", { timeout: 30_000 }, () => {
  it("V25-SSE-05 is followed on the same origin, and noted", async () => {
    await using server = await oldServer()
    await using opened = await openChannel(httpSse(server.url))
    server.stream().write(endpointEvent("/other?session=2"))
    await opened.recorder.until(({ notes }) => notes.length === 1)
    expect(opened.recorder.notes).toMatchObject([{ code: "endpoint-repeated" }])
    await opened.send(request(1))
    expect(server.posts()).toMatchObject([{ path: "/other?session=2" }])
  })

  it("V25-SSE-05 is ignored where it leads to another origin, and noted", async () => {
    await using evil = await serve((_, response) => response.writeHead(202).end())
    await using server = await oldServer()
    await using opened = await openChannel(httpSse(server.url))
    server.stream().write(endpointEvent(`${evil.origin}/messages`))
    await opened.recorder.until(({ notes }) => notes.length === 1)
    expect(opened.recorder.notes).toMatchObject([
      { code: "endpoint-repeated", detail: expect.stringContaining("another origin") },
    ])
    await opened.send(request(1))
    expect(server.posts()).toMatchObject([{ path: "/messages?session=1" }])
    expect(evil.arrived).toEqual([])
  })

  it("V25-SSE-05 is ignored where the caller has given the address", async () => {
    await using server = await oldServer()
    await using opened = await openChannel(httpSse(server.url, { messageUrl: "/mine" }))
    server.stream().write(endpointEvent("/other"))
    await opened.recorder.until(({ notes }) => notes.length === 1)
    await opened.send(request(1))
    expect(server.posts()).toMatchObject([{ path: "/mine?session=1" }])
  })
})

describe("the stream of an HTTP+SSE session", { timeout: 30_000 }, () => {
  it.each([
    ["ended", (end: () => void, _destroy: () => void) => end()],
    ["broke off", (_end: () => void, destroy: () => void) => destroy()],
  ])("V25-SSE-04 that %s is the end of the session, and of what is under way", async (how, cut) => {
    const { promise, resolve } = deferred()
    await using server = await oldServer({ post: () => resolve() })
    await using opened = await openChannel(httpSse(server.url))
    const pending = opened.send(request(1))
    await promise
    const stream = server.stream()
    cut(
      () => stream.end(),
      () => stream.destroy(),
    )
    expect(await pending).toMatchObject({
      _tag: "Failed",
      mayHaveArrived: true,
      error: { _tag: "Unreachable" },
    })
    const { ends } = await opened.recorder.until((recorder) => recorder.ends.length > 0)
    expect(ends).toMatchObject([{ _tag: "Unreachable", message: expect.stringContaining(how) }])
    expect(await opened.send(request(2))).toMatchObject({ _tag: "Failed", mayHaveArrived: false })
    await opened.close()
    expect(opened.recorder.ends).toHaveLength(1)
    expect(server.arrived.map(({ method }) => method)).toEqual(["GET", "POST"])
    expect(opened.channel.endSession).toBeUndefined()
  })

  it("data that is no JSON loses one message, an event past the limit loses the stream", async () => {
    await using server = await oldServer()
    await using opened = await openChannel(httpSse(server.url, { maxMessageBytes: 1_000 }))
    const large = event({ text: "x".repeat(2_000) })
    server.stream().write(`data: not json\n\n${event({ a: 1 })}${large}${event({ b: 1 })}`)
    const { ends } = await opened.recorder.until((recorder) => recorder.ends.length > 0)
    expect(ends).toMatchObject([{ code: "message-too-large" }])
    expect(opened.recorder.messages).toEqual([{ a: 1 }])
    expect(opened.recorder.errors).toMatchObject([
      { code: "invalid-message" },
      { code: "message-too-large" },
    ])
  })

  it("what arrives before anybody listens is kept, its end too", async () => {
    await using server = await serve((_, response) =>
      eventStream(response).end(`${endpointEvent("/m")}${event({ a: 1 })}`),
    )
    await using opened = await openChannel(httpSse(server.url))
    await opened.recorder.until(({ ends }) => ends.length === 1)
    expect(opened.recorder.messages).toEqual([{ a: 1 }])
  })

  it("closing the scope lets the stream go, and nothing is heard of it", async () => {
    const { promise, resolve } = deferred()
    await using server = await oldServer()
    const opened = await openChannel(httpSse(server.url))
    server.stream().on("close", resolve)
    await opened.close()
    await promise
    expect(opened.recorder.ends).toEqual([])
  })

  it("shows the stream and every message in the trace", async () => {
    await using server = await oldServer()
    await using opened = await openChannel(httpSse(`${server.origin}/sse`))
    await opened.send(request(1))
    expect(opened.events).toMatchObject([
      { type: "http", exchange: 1, method: "GET", url: `${server.origin}/sse` },
      { type: "http", exchange: 1, method: "GET", status: 200 },
      { type: "http", exchange: 2, method: "POST" },
      { type: "http", exchange: 2, method: "POST", status: 202 },
    ])
  })
})
