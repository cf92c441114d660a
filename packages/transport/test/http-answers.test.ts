import type { Socket } from "node:net"
import { describe, expect, it } from "vitest"
import { http } from "@entente/transport"
import { openChannel, request, type Opened } from "./open-channel.js"
import { deferred, eventually } from "./http-server.js"
import { serveRaw } from "./raw-server.js"

const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`

const progress = { jsonrpc: "2.0", method: "notifications/progress", params: { message: "—🙂" } }
const result = { jsonrpc: "2.0", id: 1, result: {} }

/** Early hints, headers folded into odd cases, chunks that cut events and characters, a trailer. */
const streamed = Buffer.from(
  [
    "HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n",
    "HTTP/1.1 200 Fine\r\nContent-TYPE:   text/event-stream;charset=UTF-8\r\n",
    "Transfer-Encoding: chunked\r\nTrailer: x-t\r\nx-a: 1\r\nX-A: 2\r\n\r\n",
    chunk(": hello\n\nid: 7\nretry: 10\ndata: {"),
    chunk(`${JSON.stringify(progress).slice(1)}\r\n\r\nevent: message\rdata: `),
    `5;why=not\r\n{"jso\r\n`,
    chunk(`${JSON.stringify(result).slice(5)}\r\r`),
    "0\r\nx-t: done\r\n\r\n",
  ].join(""),
)

const settle = () => new Promise<void>((resume) => setImmediate(resume))

/** Sends one request, and writes the answer in pieces, each a packet of its own. */
const cut = async (pieces: ReadonlyArray<Uint8Array>, opened: Opened, ready: Array<Socket>) => {
  const outcome = opened.send(request(1))
  await eventually(() => ready.length > 0)
  const socket = ready.pop()
  for (const piece of pieces) {
    await new Promise<void>((written) => socket?.write(piece, () => written()))
    await settle()
  }
  return outcome
}

describe("an answer, however it is cut", { timeout: 120_000 }, () => {
  it("V26-HTTP-07 V26-HTTP-06 is the same at every byte, with hints, ids, comments and a trailer", async () => {
    const ready: Array<Socket> = []
    await using server = await serveRaw((socket) => void ready.push(socket))
    await using opened = await openChannel(http(server.url))
    for (let at = 1; at <= streamed.length; at++) {
      const pieces = [streamed.subarray(0, at), streamed.subarray(at)]
      const outcome = await cut(pieces, opened, ready)
      expect({ at, outcome, messages: opened.recorder.messages.splice(0) }).toEqual({
        at,
        outcome: { _tag: "Ended", status: 200, messages: 2, streamed: true },
        messages: [progress, result],
      })
    }
    expect(opened.recorder.origins.at(-1)?.headers).toMatchObject({ "x-a": "1, 2" })
    // Complete answers, so one connection has carried them all.
    expect(server.sockets).toHaveLength(1)
    expect(server.requests.every((one) => one.startsWith("POST "))).toBe(true)
    expect(server.requests.join("")).not.toMatch(/last-event-id/i)
  })

  it("is the same when every byte comes alone", async () => {
    const ready: Array<Socket> = []
    await using server = await serveRaw((socket) => void ready.push(socket))
    await using opened = await openChannel(http(server.url))
    const bytes = Array.from(streamed, (_, at) => streamed.subarray(at, at + 1))
    expect(await cut(bytes, opened, ready)).toMatchObject({ _tag: "Ended", messages: 2 })
    expect(opened.recorder.messages).toEqual([progress, result])
  })

  it("V26-HTTP-08 that breaks off at any byte fails, and its request may have arrived", async () => {
    await using server = await serveRaw((socket, asked) => {
      const { id } = JSON.parse(asked.slice(asked.indexOf("\r\n\r\n"))) as { id: number }
      socket.end(streamed.subarray(0, id))
    })
    await using opened = await openChannel(http(server.url))
    for (let at = 0; at < streamed.length; at++) {
      expect({ at, outcome: await opened.send(request(at)) }).toMatchObject({
        at,
        outcome: { _tag: "Failed", mayHaveArrived: true, error: { _tag: "Unreachable" } },
      })
    }
    expect(opened.recorder.errors).toEqual([])
  })
})

describe("an answer that is odd", { timeout: 30_000 }, () => {
  const met = async (answer: string, end = false) => {
    const { promise: closed, resolve } = deferred()
    await using server = await serveRaw((socket) => {
      socket.on("close", resolve)
      if (end) socket.end(answer)
      else socket.write(answer)
    })
    await using opened = await openChannel(http(server.url))
    const outcome = await opened.send(request(1))
    return { outcome, messages: opened.recorder.messages, closed, opened }
  }
  const json = "content-type: application/json\r\n"

  it("may come after processing, hints and hints again", async () => {
    const hints = "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nx: y\r\n\r\n"
    const { messages } = await met(
      `${hints}${hints}HTTP/1.1 200 OK\r\n${json}content-length: 2\r\n\r\n{}`,
    )
    expect(messages).toEqual([{}])
  })

  it("may have no length and end with its connection", async () => {
    const { outcome, messages } = await met(`HTTP/1.0 200 OK\r\n${json}\r\n{"a":1}`, true)
    expect(outcome).toMatchObject({ _tag: "Ended", messages: 1 })
    expect(messages).toEqual([{ a: 1 }])
  })

  it("may come before the request was read", async () => {
    await using server = await serveRaw(
      () => {},
      (socket) =>
        void socket.once("data", () => {
          socket.end("HTTP/1.1 413 Too Large\r\ncontent-length: 3\r\nconnection: close\r\n\r\nbig")
        }),
    )
    await using opened = await openChannel(http(server.url))
    const outcome = await opened.send(request(1, "x", { text: "x".repeat(1_000) }))
    expect(outcome).toMatchObject({ _tag: "Rejected", rejection: { status: 413, text: "big" } })
  })

  it.each([
    ["100 Continue, for which nobody asked", "HTTP/1.1 100 Continue\r\n\r\n", /100 Continue/],
    [
      "another protocol",
      "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n",
      /another protocol/,
    ],
    ["no HTTP", "SSH-2.0-OpenSSH_9.6\r\n\r\n", /does not match the HTTP\/1.1 protocol/],
    [
      "two lengths",
      `HTTP/1.1 200 OK\r\n${json}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`,
      /length it announced/,
    ],
    [
      "a length and chunks",
      `HTTP/1.1 200 OK\r\n${json}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}`,
      /length it announced/,
    ],
  ])("is a failure that says what it is where it is %s", async (_, answer, message) => {
    const { outcome, closed } = await met(answer)
    expect(outcome).toMatchObject({
      _tag: "Failed",
      mayHaveArrived: true,
      error: { _tag: "Unreachable", message: expect.stringMatching(message) },
    })
    await closed
  })

  it("is not taken for the next one where it goes on after its end", async () => {
    const { outcome, messages, closed, opened } = await met(
      `HTTP/1.1 200 OK\r\n${json}content-length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\n${json}content-length: 9\r\n\r\n{"evil":1`,
    )
    expect(outcome).toMatchObject({ _tag: "Ended", messages: 1 })
    await closed
    await settle()
    expect(messages).toEqual([{}])
    expect(opened.recorder.errors).toEqual([])
  })
})
