import { describe, expect, it } from "vitest"
import { http, type HttpOptions } from "@entente/transport"
import { openChannel, request } from "./open-channel.js"
import { answerTo, deferred, event, eventStream, json, serve } from "./http-server.js"

/** Every engine has to pass; the pool is what Node takes by itself. */
const engines: ReadonlyArray<readonly [name: string, options: HttpOptions]> = [
  ["undici", {}],
  ["fetch", { fetch: (url, init) => globalThis.fetch(url, init) }],
]

describe.each(engines)("http with %s", { timeout: 30_000 }, (_, engine) => {
  it("V25-HTTP-01 V25-HTTP-02 V25-HTTP-03 posts each message by itself, with both types accepted", async () => {
    await using server = await serve((arrived, response) => json(response, answerTo(arrived)))
    await using opened = await openChannel(http(server.url, engine))
    const headers = { "MCP-Protocol-Version": "2025-11-25", "Mcp-Session-Id": "s1" }
    const outcome = await opened.send(request(1, "x", { text: "—🙂" }), { headers })
    expect(outcome).toEqual({ _tag: "Ended", status: 200, messages: 1, streamed: false })
    expect(server.arrived).toMatchObject([
      {
        method: "POST",
        path: "/mcp",
        body: JSON.stringify(request(1, "x", { text: "—🙂" })),
        headers: {
          accept: "application/json, text/event-stream",
          "content-type": "application/json",
          "mcp-protocol-version": "2025-11-25",
          "mcp-session-id": "s1",
        },
      },
    ])
    expect(opened.recorder.messages).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }])
    expect(opened.recorder.origins).toMatchObject([
      { exchange: 1, headers: { "content-type": "application/json" } },
    ])
  })

  it("V25-HTTP-06 V26-HTTP-02 reads an event stream, every message before the outcome", async () => {
    await using server = await serve((arrived, response) => {
      eventStream(response, { "Mcp-Session-Id": "s2" })
      response.write(event({ jsonrpc: "2.0", method: "notifications/progress" }))
      response.end(event(answerTo(arrived)))
    })
    await using opened = await openChannel(http(server.url, engine))
    const outcome = await opened.send(request(1))
    expect(opened.recorder.messages).toHaveLength(2)
    expect(outcome).toEqual({ _tag: "Ended", status: 200, messages: 2, streamed: true })
    expect(opened.recorder.origins[1]).toMatchObject({
      exchange: 1,
      headers: { "mcp-session-id": "s2" },
    })
  })

  it("V25-HTTP-08 delivers a message while its stream is still open; abort closes it at once", async () => {
    const { promise: closed, resolve } = deferred()
    await using server = await serve((arrived, response) => {
      eventStream(response).write(event(answerTo(arrived)))
      response.on("close", resolve)
    })
    await using opened = await openChannel(http(server.url, engine))
    const outcomes: Array<string> = []
    const sent = opened.channel.send({ message: request(1) }, ({ _tag }) => outcomes.push(_tag))
    await opened.recorder.until(({ messages }) => messages.length === 1)
    sent.abort()
    expect(outcomes).toEqual(["Aborted"])
    await closed
    sent.abort()
    expect(outcomes).toEqual(["Aborted"])
  })

  it("V26-HTTP-11 abort before any answer reaches the server and settles in the same tick", async () => {
    const { promise: arrived, resolve: arrive } = deferred()
    const { promise: closed, resolve: close } = deferred()
    await using server = await serve((_, response) => {
      response.on("close", close)
      arrive()
    })
    await using opened = await openChannel(http(server.url, engine))
    const outcomes: Array<string> = []
    const sent = opened.channel.send({ message: request(1) }, ({ _tag }) => outcomes.push(_tag))
    await arrived
    sent.abort()
    expect(outcomes).toEqual(["Aborted"])
    await closed
    expect(opened.recorder.messages).toEqual([])
  })

  it("sends nothing after an abort in the same tick", async () => {
    await using server = await serve((arrived, response) => json(response, answerTo(arrived)))
    await using opened = await openChannel(http(server.url, engine))
    const outcomes: Array<string> = []
    opened.channel.send({ message: request(1) }, ({ _tag }) => outcomes.push(_tag)).abort()
    expect(outcomes).toEqual(["Aborted"])
    await opened.send(request(2))
    expect(server.arrived.map(({ body }) => JSON.parse(body).id)).toEqual([2])
  })

  it("V25-HTTP-05 ends quietly with 202, 204 and an empty 200", async () => {
    const statuses = [202, 204, 200, 202]
    const bodies = ["", "", "", "accepted, thanks"]
    await using server = await serve(({ body }, response) => {
      const { id } = JSON.parse(body)
      response.writeHead(statuses[id]!).end(bodies[id])
    })
    await using opened = await openChannel(http(server.url, engine))
    for (const [id, status] of statuses.entries()) {
      const outcome = await opened.send(request(id))
      expect(outcome).toEqual({ _tag: "Ended", status, messages: 0, streamed: false })
    }
    expect(opened.recorder).toMatchObject({ messages: [], errors: [] })
  })

  it("V26-HTTP-14 V25-HTTP-43 gives a refusal with status, headers, text and JSON, whatever its type", async () => {
    const failure = { jsonrpc: "2.0", id: null, error: { code: -32600, message: "no" } }
    await using server = await serve((_, response) =>
      response
        .writeHead(400, { "content-type": "text/plain", "X-Reason": "r" })
        .end(JSON.stringify(failure)),
    )
    await using opened = await openChannel(http(server.url, engine))
    expect(await opened.send(request(1))).toMatchObject({
      _tag: "Rejected",
      rejection: {
        status: 400,
        headers: { "x-reason": "r" },
        text: JSON.stringify(failure),
        json: failure,
      },
    })
  })

  it("reads 64 KiB of a refusal and no more", async () => {
    await using server = await serve((_, response) => {
      response.writeHead(500)
      const more = () => response.writable && response.write("x".repeat(64 * 1024), more)
      more()
    })
    await using opened = await openChannel(http(server.url, engine))
    const outcome = await opened.send(request(1))
    const text = "x".repeat(64 * 1024)
    expect(outcome).toMatchObject({ _tag: "Rejected", rejection: { status: 500, text } })
  })

  it("V25-HTTP-44 calls a web page what it is, and shows its beginning", async () => {
    const page = `<!doctype html><title>Welcome</title>${"x".repeat(10_000)}`
    await using server = await serve((_, response) =>
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page),
    )
    await using opened = await openChannel(http(server.url, engine))
    const outcome = await opened.send(request(1))
    expect(outcome).toEqual({ _tag: "Ended", status: 200, messages: 0, streamed: false })
    const [error] = opened.recorder.errors
    expect(error).toMatchObject({ _tag: "ProtocolViolation", code: "unexpected-content" })
    expect(error?.message).toContain("text/html")
    expect(error?.message).toContain("<!doctype html>")
    expect(error?.message.length).toBeLessThan(400)
  })

  it("C122 reads a media type in any case, with parameters, and set twice", async () => {
    const types = ["Application/JSON", "application/json; charset=utf-8", "application/json, x/y"]
    await using server = await serve((arrived, response) => {
      const type = types[answerTo(arrived).id]!
      response.writeHead(200, { "content-type": type }).end(JSON.stringify(answerTo(arrived)))
    })
    await using opened = await openChannel(http(server.url, engine))
    for (const id of types.keys()) {
      expect(await opened.send(request(id))).toMatchObject({ messages: 1 })
    }
  })

  it("reports JSON that is none, and a message past the limit, and ends the exchange", async () => {
    const bodies = ['{"half":', JSON.stringify({ text: "x".repeat(200) })]
    await using server = await serve((arrived, response) => {
      response.writeHead(200, { "content-type": "application/json" })
      response.end(bodies[answerTo(arrived).id])
    })
    const options = { ...engine, maxMessageBytes: 100 }
    await using opened = await openChannel(http(server.url, options))
    const ended = { _tag: "Ended", status: 200, messages: 0, streamed: false }
    expect(await opened.send(request(0))).toEqual(ended)
    expect(await opened.send(request(1))).toEqual(ended)
    expect(opened.recorder.errors).toMatchObject([
      { code: "invalid-message" },
      { code: "message-too-large" },
    ])
  })

  it("keeps a hundred exchanges apart that answer in reverse order", async () => {
    const waiting: Array<() => void> = []
    await using server = await serve((arrived, response) => {
      waiting.push(() => json(response, answerTo(arrived)))
      if (waiting.length === 100) for (const answer of waiting.toReversed()) answer()
    })
    await using opened = await openChannel(http(server.url, engine))
    const ids = Array.from({ length: 100 }, (_, id) => id)
    const exchanges = await Promise.all(
      ids.map(
        (id) =>
          new Promise<[number, number]>((done) => {
            const { exchange } = opened.channel.send({ message: request(id) }, () =>
              done([exchange, id]),
            )
          }),
      ),
    )
    const { messages, origins } = opened.recorder
    const seen = messages.map((message, at) => [
      origins[at]?.exchange,
      (message as { id: number }).id,
    ])
    expect(seen.toSorted(byFirst)).toEqual(exchanges.toSorted(byFirst))
    expect(new Set(exchanges.map(([exchange]) => exchange)).size).toBe(100)
  })

  it("V25-HTTP-46 closing the scope aborts what is under way and lets go of every socket", async () => {
    const { promise: arrived, resolve } = deferred()
    await using server = await serve((one, response) => {
      if (answerTo(one).id === 2) return resolve()
      json(response, answerTo(one))
    })
    const opened = await openChannel(http(server.url, engine))
    await opened.send(request(1))
    const hanging = opened.send(request(2))
    await arrived
    await opened.close()
    expect(await hanging).toEqual({ _tag: "Aborted" })
    if (engine.fetch === undefined) {
      while (server.sockets.size > 0) await new Promise((resume) => setTimeout(resume, 5))
    }
    expect(opened.recorder.ends).toEqual([])
    expect(await opened.send(request(3))).toMatchObject({ _tag: "Failed", mayHaveArrived: false })
    expect(server.arrived).toHaveLength(2)
  })

  it("says that nothing listens, and that nothing can have arrived", async () => {
    const server = await serve(() => {})
    await server[Symbol.asyncDispose]()
    await using opened = await openChannel(http(server.url, engine))
    expect(await opened.send(request(1))).toMatchObject({
      _tag: "Failed",
      mayHaveArrived: false,
      error: {
        _tag: "Unreachable",
        message: expect.stringContaining("connection refused"),
        cause: { code: "ECONNREFUSED" },
      },
    })
  })

  it("V26-HTTP-08 says that a message may have arrived when the connection breaks after it", async () => {
    await using server = await serve((arrived, response) => {
      if (answerTo(arrived).id === 2) eventStream(response).write(event({ first: true }))
      if (answerTo(arrived).id === 3) response.writeHead(200, { "content-length": 100 }).write("{")
      setImmediate(() => response.destroy())
    })
    await using opened = await openChannel(http(server.url, engine))
    for (const id of [1, 2, 3]) {
      expect(await opened.send(request(id))).toMatchObject({
        _tag: "Failed",
        mayHaveArrived: true,
        error: { _tag: "Unreachable" },
      })
    }
    expect(opened.recorder.messages).toEqual([{ first: true }])
  })
})

const byFirst = (one: ReadonlyArray<unknown>, other: ReadonlyArray<unknown>): number =>
  Number(one[0]) - Number(other[0])
