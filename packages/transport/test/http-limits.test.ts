import { brotliCompressSync, constants, gzipSync } from "node:zlib"
import type { ServerResponse } from "node:http"
import { describe, expect, it } from "vitest"
import { http, type HttpOptions } from "@entente/transport"
import { openChannel, request } from "./open-channel.js"
import { deferred, eventStream, serve, type Handler } from "./http-server.js"
import { serveRaw } from "./raw-server.js"

const engines: ReadonlyArray<readonly [name: string, options: HttpOptions]> = [
  ["undici", {}],
  ["fetch", { fetch: (url, init) => globalThis.fetch(url, init) }],
]

const mebibyte = 1024 * 1024
const limit = 16 * mebibyte

const asJson = (response: ServerResponse, headers = {}): ServerResponse =>
  response.writeHead(200, { "content-type": "application/json", ...headers })

/** Writes for as long as anybody reads. */
const endlessly = (response: ServerResponse, piece: string): void => {
  const more = (): void => {
    if (response.writable && !response.destroyed) response.write(piece, more)
  }
  more()
}

/** What becomes of a request that is answered so, and whether its connection is closed. */
const meet = async (handler: Handler, options: HttpOptions) => {
  const { promise: closed, resolve } = deferred()
  await using server = await serve((arrived, response) => {
    response.on("close", resolve)
    handler(arrived, response)
  })
  await using opened = await openChannel(http(server.url, options))
  const outcome = await opened.send(request(1))
  await closed
  return { outcome, errors: opened.recorder.errors }
}

const tooLarge = [
  {
    _tag: "ProtocolViolation",
    code: "message-too-large",
    message: expect.stringContaining(`${limit} bytes`),
  },
]

describe.each(engines)("the largest answer with %s", { timeout: 60_000 }, (_, engine) => {
  it("ends a JSON body without end at 16 MiB", async () => {
    const { outcome, errors } = await meet(
      (_, response) => endlessly(asJson(response), `"${"x".repeat(65_536)}",`),
      engine,
    )
    expect(errors).toMatchObject(tooLarge)
    expect(outcome).toMatchObject({ _tag: "Ended", messages: 0, streamed: false })
  })

  it("ends an event whose line never ends at 16 MiB", async () => {
    const { outcome, errors } = await meet((_, response) => {
      eventStream(response).write("data: ")
      endlessly(response, "x".repeat(65_536))
    }, engine)
    expect(errors).toMatchObject(tooLarge)
    expect(outcome).toMatchObject({ _tag: "Ended", messages: 0, streamed: true })
  })

  it("ends an event of many lines at 16 MiB", async () => {
    const { errors } = await meet((_, response) => {
      endlessly(eventStream(response), `data: ${"x".repeat(65_536)}\n`)
    }, engine)
    expect(errors).toMatchObject(tooLarge)
  })

  it("takes an event stream of any length whose events are small", async () => {
    const { outcome, errors } = await meet((_, response) => {
      const text = `data: ${JSON.stringify({ jsonrpc: "2.0", method: "x".repeat(mebibyte) })}\n\n`
      eventStream(response)
      for (let written = 0; written < 2 * limit; written += text.length) response.write(text)
      response.end()
    }, engine)
    expect(errors).toEqual([])
    expect(outcome).toMatchObject({ _tag: "Ended", messages: 32 })
  })

  it("takes a message of exactly the limit, and none of one byte more", async () => {
    const { outcome, errors } = await meet(
      (_, response) => {
        asJson(response, { connection: "close" }).end(`"${"x".repeat(98)}"`)
      },
      { ...engine, maxMessageBytes: 100 },
    )
    expect({ outcome, errors }).toMatchObject({ outcome: { messages: 1 }, errors: [] })
    const more = await meet((_, response) => asJson(response).end(`"${"x".repeat(99)}"`), {
      ...engine,
      maxMessageBytes: 100,
    })
    expect(more.errors).toMatchObject([{ code: "message-too-large" }])
  })

  it("ends 1 GiB of zeros in a gzip of 1 MiB in bounded memory", async () => {
    const member = gzipSync(new Uint8Array(limit))
    const before = process.memoryUsage().arrayBuffers
    let most = 0
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage().arrayBuffers - before)
    }, 5)
    const { errors } = await meet((_, response) => {
      const bomb = Buffer.concat(Array.from({ length: 64 }, () => member))
      asJson(response, { "content-encoding": "gzip", connection: "close" }).end(bomb)
    }, engine)
    clearInterval(watch)
    expect(errors).toMatchObject(tooLarge)
    expect(most).toBeLessThan(160 * mebibyte)
  })

  it("ends 256 MiB of zeros in a brotli stream, too", async () => {
    const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
    const bomb = brotliCompressSync(new Uint8Array(256 * mebibyte), quick)
    expect(bomb.length).toBeLessThan(mebibyte)
    const { errors } = await meet((_, response) => {
      asJson(response, { "content-encoding": "br", connection: "close" }).end(bomb)
    }, engine)
    expect(errors).toMatchObject(tooLarge)
  })

  it("reads 64 KiB of a refusal, also of one that was compressed, and leaves", async () => {
    for (const headers of [{}, { "content-encoding": "gzip" }]) {
      const { outcome } = await meet((_, response) => {
        response.writeHead(500, headers)
        if ("content-encoding" in headers) response.end(gzipSync(new Uint8Array(limit).fill(120)))
        else endlessly(response, "x".repeat(65_536))
      }, engine)
      const text = "x".repeat(65_536)
      expect(outcome).toMatchObject({ _tag: "Rejected", rejection: { status: 500, text } })
    }
  })

  it("refuses headers that are too large, and headers without end", async () => {
    for (const end of ["\r\n\r\n{}", ""]) {
      const { promise: closed, resolve } = deferred()
      await using server = await serveRaw((socket) => {
        socket.on("close", resolve)
        socket.write("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n")
        for (let line = 0; line < 100; line++) socket.write(`x-${line}: ${"x".repeat(1_000)}\r\n`)
        socket.write(end)
      })
      await using opened = await openChannel(http(server.url, engine))
      expect(await opened.send(request(1))).toMatchObject({
        _tag: "Failed",
        mayHaveArrived: true,
        error: { _tag: "ProtocolViolation", code: "message-too-large" },
      })
      await closed
    }
  })
})

describe("the largest answer in Node", { timeout: 30_000 }, () => {
  it("takes headers of 60 KiB", async () => {
    const { outcome } = await meet(
      (_, response) => asJson(response, { "x-a": "x".repeat(60_000), connection: "close" }).end(),
      {},
    )
    expect(outcome).toMatchObject({ _tag: "Ended", status: 200 })
  })

  it("says that a compression is unknown, rather than to call its bytes broken JSON", async () => {
    const { outcome } = await meet(
      (_, response) => asJson(response, { "content-encoding": "zstd" }).end("x"),
      {},
    )
    expect(outcome).toMatchObject({
      _tag: "Failed",
      error: { message: expect.stringContaining('compressed as "zstd"') },
    })
  })
})
