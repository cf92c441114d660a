import * as Effect from "effect/Effect"
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { http, type HttpEngine } from "@entente/transport"
import { currentTimers } from "../src/timers.js"
import { openHttpEngine as undici } from "../src/streamable-http/undici-engine.js"
import { openChannel, request } from "./open-channel.js"
import { answerTo, json, serve, type Handler } from "./http-server.js"

const answering: Handler = (arrived, response) => json(response, answerTo(arrived))

describe("endSession", { timeout: 30_000 }, () => {
  it.each([200, 204, 405, 404])(
    "V25-HTTP-34 sends DELETE and gives the status %i",
    async (status) => {
      await using server = await serve((_, response) => response.writeHead(status).end())
      const requestHeaders = () => ({ "x-a": "1" })
      await using opened = await openChannel(http(server.url, { requestHeaders }))
      const ending = opened.channel.endSession!({ "Mcp-Session-Id": "s1" })
      expect(await Effect.runPromise(ending)).toBe(status)
      expect(server.arrived).toMatchObject([
        {
          method: "DELETE",
          path: "/mcp",
          body: "",
          headers: { "mcp-session-id": "s1", "x-a": "1" },
        },
      ])
      expect(server.arrived[0]?.headers).not.toHaveProperty("content-type")
    },
  )

  it("fails where the server cannot be reached", async () => {
    const server = await serve(answering)
    await server[Symbol.asyncDispose]()
    await using opened = await openChannel(http(server.url))
    const failure = Effect.flip(opened.channel.endSession!({}))
    expect(await Effect.runPromise(failure)).toMatchObject({ _tag: "Unreachable" })
  })
})

describe("the trace of an HTTP channel", () => {
  it("shows the head of each request and of each answer", async () => {
    await using server = await serve(answering)
    await using opened = await openChannel(http(server.url))
    await opened.send(request(1))
    await opened.send(request(2))
    const heads = opened.events.map((event) => ({ ...event, headers: undefined, at: 0, seq: 0 }))
    const head = { type: "http", method: "POST", url: server.url, at: 0, seq: 0 }
    expect(heads).toEqual([
      { ...head, exchange: 1 },
      { ...head, exchange: 1, status: 200 },
      { ...head, exchange: 2 },
      { ...head, exchange: 2, status: 200 },
    ])
    expect(opened.events[1]).toMatchObject({ headers: { "content-type": "application/json" } })
  })
})

describe("engines", { timeout: 30_000 }, () => {
  it("takes undici on Node by itself", async () => {
    expect((await import("#http-engine")).openHttpEngine).toBe(undici)
  })

  it("uses the engine given, and leaves its closing to its owner", async () => {
    await using server = await serve(answering)
    const timers = await Effect.runPromise(Effect.scoped(currentTimers))
    const own = undici({ timers, connectTimeout: 1000, proxy: false })
    let closed = 0
    const engine: HttpEngine = { start: own.start, close: async () => void closed++ }
    const opened = await openChannel(http(server.url, { engine }))
    expect(await opened.send(request(1))).toMatchObject({ _tag: "Ended" })
    await opened.close()
    expect(closed).toBe(0)
    await own.close()
  })

  it("uses its connections again for messages that follow each other", async () => {
    await using server = await serve(answering)
    await using opened = await openChannel(http(server.url))
    for (let id = 0; id < 10; id++) await opened.send(request(id))
    // A second one, because a connection is still busy at the moment its answer is told.
    expect(server.sockets.size).toBeLessThanOrEqual(2)
  })

  it("undoes a compression that nobody asked for, also of a stream that goes on", async () => {
    const encoders = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }
    const names = Object.keys(encoders) as ReadonlyArray<keyof typeof encoders>
    await using server = await serve((arrived, response) => {
      const { id } = answerTo(arrived)
      const encoding = names[id % names.length]!
      const type = id < names.length ? "application/json" : "text/event-stream"
      response.writeHead(200, { "content-type": type, "content-encoding": encoding })
      const text = JSON.stringify(answerTo(arrived))
      response.end(encoders[encoding](id < names.length ? text : `data: ${text}\n\n`))
    })
    await using opened = await openChannel(http(server.url))
    for (const id of [0, 1, 2, 3, 4, 5]) {
      expect(await opened.send(request(id))).toMatchObject({ _tag: "Ended", messages: 1 })
    }
  })

  it("fails an answer whose compression is broken", async () => {
    await using server = await serve((_, response) =>
      response
        .writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" })
        .end("no gzip at all"),
    )
    await using opened = await openChannel(http(server.url))
    expect(await opened.send(request(1))).toMatchObject({
      _tag: "Failed",
      mayHaveArrived: true,
      error: { _tag: "Unreachable" },
    })
  })
})
