import { it as effectIt } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import { httpSse, type RequestDecorator } from "@entente/transport"
import { openChannel, openingFails, request } from "./open-channel.js"
import { deferred, event, eventStream, json, serve, type Handler } from "./http-server.js"
import { endpointEvent, oldServer } from "./old-server.js"

const references = [
  ["absolute", (origin: string) => `${origin}/api/messages/?session=1`, "/api/messages/?session=1"],
  ["relative", () => "messages/?session=1", "/api/messages/?session=1"],
  ["path-absolute", () => "/messages?session=1&x=%2F", "/messages?session=1&x=%2F"],
  ["query-only", () => "?session=1", "/api/sse?session=1"],
  ["network-path", (origin: string) => `${origin.slice(5)}/m?s=1`, "/m?s=1"],
  ["dotted", () => "../messages?s=1", "/messages?s=1"],
] as const

describe("the address for messages", { timeout: 60_000 }, () => {
  it.each(references)(
    "V25-SSE-01 V25-SSE-03 %s: it is resolved against the stream, with its query",
    async (_, reference, path) => {
      let origin = ""
      await using server = await oldServer({
        begin: (stream) => stream.write(endpointEvent(reference(origin))),
      })
      origin = server.origin
      await using opened = await openChannel(httpSse(`${server.origin}/api/sse`))
      expect(opened.channel.exchanges).toBe("shared")
      expect(await opened.send(request(1))).toEqual({ _tag: "Written" })
      await opened.recorder.until(({ messages }) => messages.length === 1)
      expect(opened.recorder).toMatchObject({
        messages: [{ id: 1 }],
        origins: [{ exchange: 0 }],
        notes: [],
      })
      expect(server.arrived).toMatchObject([
        { method: "GET", path: "/api/sse", headers: { accept: "text/event-stream" } },
        { method: "POST", path, headers: { "content-type": "application/json" } },
      ])
    },
  )

  it.each(references)(
    "V25-SSE-01 %s: however the stream is cut into two pieces",
    async (_, reference, path) => {
      let cut = 0
      let length = Infinity
      await using server = await serve((arrived, response) => {
        if (arrived.method === "POST") return response.writeHead(202).end()
        const stream = eventStream(response)
        const bytes = new TextEncoder().encode(
          `: hello—\r\n\r\n${endpointEvent(reference(server.origin))}${event({ s: "🙂" })}`,
        )
        length = bytes.length
        stream.write(bytes.subarray(0, cut), () =>
          setImmediate(() => stream.write(bytes.subarray(cut))),
        )
      })
      for (; cut <= length; cut++) {
        await using opened = await openChannel(httpSse(`${server.origin}/api/sse`))
        await opened.recorder.until(({ messages }) => messages.length === 1)
        expect(opened.recorder.messages).toEqual([{ s: "🙂" }])
        expect(await opened.send(request(1))).toEqual({ _tag: "Written" })
      }
      const posts = server.arrived.filter(({ method }) => method === "POST")
      expect(new Set(posts.map((post) => post.path))).toEqual(new Set([path]))
    },
  )

  it("V25-SSE-03 another origin is refused, and never hears of us", async () => {
    await using evil = await serve((_, response) => json(response, {}))
    await using server = await oldServer({ endpoint: `${evil.origin}/messages?token=secret` })
    const { promise, resolve } = deferred()
    const headers = { authorization: "Bearer secret" }
    const failure = await openingFails(httpSse(`${server.origin}/sse`, { headers }))
    expect(failure).toMatchObject({
      _tag: "ProtocolViolation",
      code: "endpoint-refused",
      stage: "open",
      hint: expect.stringContaining("messageUrl"),
    })
    expect(failure.message).toContain(evil.origin)
    expect(failure.message).not.toContain("secret")
    // The stream is let go of, too.
    server.stream().on("close", resolve)
    if (!server.stream().closed) await promise
    expect(evil.arrived).toEqual([])
    expect(server.posts()).toEqual([])
  })

  it.each([
    ["another scheme", "javascript:alert(1)", "another origin"],
    ["credentials", "//user:pass@HOST/messages", "credentials"],
    ["no address", "http://[", "no address"],
    ["nothing", "", "empty"],
    ["too much", `/${"x".repeat(10_000)}`, "longer"],
  ])("V25-SSE-03 %s is refused", async (_, reference, why) => {
    let host = ""
    await using server = await oldServer({
      begin: (stream) => stream.write(endpointEvent(reference.replace("HOST", host))),
    })
    host = server.origin.slice(7)
    const failure = await openingFails(httpSse(`${server.origin}/sse`))
    expect(failure).toMatchObject({ code: "endpoint-refused" })
    expect(failure.message).toContain(why)
    expect(failure.message).not.toContain("pass")
    expect(failure.message.length).toBeLessThan(500)
  })

  it.each([
    ["/api/messages", "/api/messages?session=1"],
    ["/api/messages?own=1", "/api/messages?own=1"],
    ["other", "/api/other?session=1"],
  ])("C092 messageUrl %s is used as it is, without a guess", async (messageUrl, path) => {
    await using server = await oldServer({
      endpoint: "http://internal.example/v1/messages?session=1",
      post: (_, response) => response.writeHead(404).end(),
    })
    await using opened = await openChannel(httpSse(`${server.origin}/api/sse`, { messageUrl }))
    expect(await opened.send(request(1))).toMatchObject({
      _tag: "Rejected",
      rejection: { status: 404 },
    })
    expect(server.posts().map((post) => post.path)).toEqual([path])
    expect(opened.recorder.notes).toEqual([])
  })

  it.each(["ftp://example.com/m", "http://", "http://user:secret@example.com/m"])(
    "a messageUrl that can't be one is refused at once: %s",
    (messageUrl) => {
      const make = () => httpSse("http://127.0.0.1:1/sse", { messageUrl })
      expect(make).toThrow(expect.objectContaining({ code: "invalid-input" }))
      expect(make).not.toThrow(
        expect.objectContaining({ message: expect.stringContaining("secret") }),
      )
    },
  )
})

describe("opening HTTP+SSE", { timeout: 30_000 }, () => {
  const stream =
    (...parts: ReadonlyArray<string>): Handler =>
    (_, response) =>
      eventStream(response).end(parts.join(""))

  const page: Handler = (_, response) =>
    response.writeHead(200, { "content-type": "text/html" }).end("<html>Sign in\u001b[31m</html>")

  it.each<[string, Handler, object, string]>([
    ["a page", page, { code: "unexpected-content" }, "text/html"],
    [
      "an empty answer",
      (_, response) => response.writeHead(204).end(),
      { code: "unexpected-content" },
      "no body",
    ],
    [
      "an endless page",
      (_, response) => response.writeHead(200).write("x".repeat(5_000)),
      { code: "unexpected-content" },
      "without a Content-Type",
    ],
    [
      "404",
      (_, response) => response.writeHead(404).end("Cannot GET /sse"),
      { _tag: "HttpRejected", code: "http-status", status: 404, body: "Cannot GET /sse" },
      "404",
    ],
    ["405", (_, response) => response.writeHead(405).end(), { status: 405 }, "405"],
    [
      "503",
      (_, response) => response.writeHead(503).end("busy"),
      { _tag: "Unreachable", code: "outage", status: 503 },
      "503",
    ],
    [
      "401",
      (_, response) => response.writeHead(401, { "www-authenticate": 'Bearer realm="x"' }).end(),
      { _tag: "AuthorizationRequired", challenges: [{ scheme: "bearer" }] },
      "401",
    ],
    ["403", (_, response) => response.writeHead(403).end(), { code: "forbidden" }, "403"],
    [
      "a stream that ends at once",
      stream(),
      { code: "unexpected-content" },
      "it ended before that",
    ],
    [
      "a stream that ends in the middle of the event",
      stream("event: endpoint\ndata: /messages\n"),
      { code: "unexpected-content" },
      "it ended before that",
    ],
    [
      "a message before the endpoint",
      stream(event({}), endpointEvent("/m")),
      { code: "unexpected-content" },
      "a message came first",
    ],
    [
      "a connection that breaks",
      (_, response) => response.destroy(),
      { _tag: "Unreachable" },
      "closed the connection",
    ],
    [
      "a redirect elsewhere",
      (_, response) => response.writeHead(307, { location: "https://example.com/sse" }).end(),
      { code: "redirect-refused" },
      "another origin",
    ],
    [
      "an event that never ends",
      (_, response) => eventStream(response).write(`data: ${"x".repeat(5_000)}`),
      { code: "message-too-large" },
      "1000 bytes",
    ],
  ])("V25-DET-04 says what it found: %s", async (_, handler, expected, what) => {
    await using server = await serve(handler)
    const failure = await openingFails(httpSse(`${server.origin}/sse`, { maxMessageBytes: 1_000 }))
    expect(failure).toMatchObject({ target: `${server.origin}/sse`, ...expected })
    expect(failure.message).toContain(what)
    expect(failure.message).not.toContain("\u001b")
    expect(failure.hint).not.toBe("")
  })

  it("fails where nothing listens, and where the headers cannot be had", async () => {
    const server = await serve(page)
    await server[Symbol.asyncDispose]()
    expect(await openingFails(httpSse(server.url))).toMatchObject({ _tag: "Unreachable" })
    const requestHeaders = () => Promise.reject(new Error("no token"))
    expect(await openingFails(httpSse(server.url, { requestHeaders }))).toMatchObject({
      _tag: "Unreachable",
      cause: { _tag: "InvalidInput", cause: { message: "no token" } },
    })
  })

  it("comments and events of other types are passed over", async () => {
    await using server = await oldServer({
      begin: (one) =>
        one.write(`: hi\n\nevent: ping\ndata: 1\n\nretry: 5\n\n${endpointEvent("/m")}`),
    })
    await using opened = await openChannel(httpSse(server.url))
    server.stream().write(`event: other\ndata: {}\n\n: keep\n\ndata:\n\ndata: {"a":1}\n\n`)
    await opened.recorder.until(({ messages }) => messages.length === 1)
    expect(opened.recorder).toMatchObject({ messages: [{ a: 1 }], errors: [], notes: [] })
  })

  it("follows a redirect on its origin, and resolves the address there", async () => {
    await using server = await serve((arrived, response) => {
      if (arrived.method === "POST") return response.writeHead(202).end()
      if (arrived.path === "/sse") return response.writeHead(307, { location: "/v2/sse/" }).end()
      eventStream(response).write(endpointEvent("messages"))
    })
    await using opened = await openChannel(httpSse(`${server.origin}/sse`))
    await opened.send(request(1))
    expect(server.arrived.map(({ path }) => path)).toEqual(["/sse", "/v2/sse/", "/v2/sse/messages"])
  })

  it("renews authorization for the stream and for messages", async () => {
    let token = 0
    const authorization: RequestDecorator = {
      headers: () => ({ authorization: `Bearer ${token}` }),
      refused: () => {
        token++
        return "retry"
      },
    }
    await using server = await serve((arrived, response) => {
      const wanted = arrived.method === "GET" ? 1 : 2
      if (arrived.headers.authorization !== `Bearer ${wanted}`) return response.writeHead(401).end()
      if (arrived.method === "POST") return response.writeHead(202).end()
      eventStream(response).write(endpointEvent("/m"))
    })
    await using opened = await openChannel(httpSse(server.url, { authorization }))
    expect(await opened.send(request(1))).toEqual({ _tag: "Written" })
    expect(server.arrived.map(({ method }) => method)).toEqual(["GET", "GET", "POST", "POST"])
  })

  effectIt.effect(
    "V25-SSE-03 an endpoint that does not come is waited for 10 s, on the clock given",
    () =>
      Effect.gen(function* () {
        const asked = deferred()
        const gone = deferred()
        const server = yield* Effect.acquireRelease(
          Effect.promise(() =>
            serve((_, response) => {
              eventStream(response).write(": no endpoint here\n\n")
              response.on("close", gone.resolve)
              asked.resolve()
            }),
          ),
          (one) => Effect.promise(async () => one[Symbol.asyncDispose]()),
        )
        const opening = yield* Effect.forkChild(
          Effect.flip(Effect.scoped(httpSse(server.url).open)),
          { startImmediately: true },
        )
        yield* Effect.promise(() => asked.promise)
        yield* TestClock.adjust("9999 millis")
        expect(opening.pollUnsafe()).toBeUndefined()
        yield* TestClock.adjust("1 millis")
        const failure = yield* Fiber.join(opening)
        expect(failure).toMatchObject({ _tag: "Unreachable", code: "unreachable", stage: "open" })
        expect(failure.message).toContain("10000 ms")
        yield* Effect.promise(() => gone.promise)
      }),
  )
})
