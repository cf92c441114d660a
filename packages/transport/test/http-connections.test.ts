import { describe, expect, it } from "vitest"
import type { Socket } from "node:net"
import { http } from "@entente/transport"
import { openChannel, request } from "./open-channel.js"
import {
  answerTo,
  deferred,
  event,
  eventStream,
  eventually,
  json,
  serve,
  type Handler,
} from "./http-server.js"
import { serveRaw } from "./raw-server.js"

const answering: Handler = (arrived, response) => json(response, answerTo(arrived))

describe("the connections of a channel", { timeout: 30_000 }, () => {
  it("are one for a hundred messages that follow each other, JSON or streams", async () => {
    const used = new Set<Socket>()
    await using server = await serve((arrived, response) => {
      for (const socket of server.sockets) used.add(socket)
      if (answerTo(arrived).id % 2 === 0) json(response, answerTo(arrived))
      else eventStream(response).end(event(answerTo(arrived)))
    })
    await using opened = await openChannel(http(server.url))
    for (let id = 0; id < 100; id++) await opened.send(request(id))
    expect(opened.recorder.messages).toHaveLength(100)
    expect(used.size).toBe(1)
  })

  it("are as many as exchanges under way, and are used again afterwards", async () => {
    const used = new Set<Socket>()
    const held: Array<() => void> = []
    await using server = await serve((arrived, response) => {
      for (const socket of server.sockets) used.add(socket)
      held.push(() => json(response, answerTo(arrived)))
      if (held.length === 20) for (const answer of held.splice(0)) answer()
    })
    await using opened = await openChannel(http(server.url))
    const twenty = () =>
      Promise.all(Array.from({ length: 20 }, (_, id) => opened.send(request(id))))
    await twenty()
    expect(used.size).toBe(20)
    await twenty()
    expect(used.size).toBe(20)
  })

  it("are never so few that an answer waits behind the message that it waits for", async () => {
    const held: Array<() => void> = []
    await using server = await serve((arrived, response) => {
      if (arrived.body.includes('"method"')) {
        held.push(() => json(response, answerTo(arrived)))
        return
      }
      response.writeHead(202).end()
      for (const answer of held) answer()
    })
    await using opened = await openChannel(http(server.url))
    const calls = Array.from({ length: 300 }, (_, id) => opened.send(request(id)))
    await eventually(() => held.length === 300)
    await opened.send({ jsonrpc: "2.0", id: 1, result: {} })
    expect(await Promise.all(calls)).toHaveLength(300)
  })

  it("are not used again after an abort, nor after an answer that was not read to its end", async () => {
    const { promise: closed, resolve } = deferred()
    await using server = await serve((arrived, response) => {
      if (answerTo(arrived).id > 1) return json(response, answerTo(arrived))
      eventStream(response).write(event(answerTo(arrived)))
      response.on("close", resolve)
    })
    await using opened = await openChannel(http(server.url))
    const { abort } = opened.channel.send({ message: request(1) }, () => {})
    await opened.recorder.until(({ messages }) => messages.length === 1)
    abort()
    await closed
    expect(await opened.send(request(2))).toMatchObject({ _tag: "Ended", messages: 1 })
  })

  it("are opened anew where the server closes them after each answer", async () => {
    let connections = 0
    await using server = await serveRaw(
      (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{}"),
      () => connections++,
    )
    await using opened = await openChannel(http(server.url))
    for (const id of [1, 2, 3]) {
      expect(await opened.send(request(id))).toMatchObject({ _tag: "Ended", messages: 1 })
    }
    expect(connections).toBe(3)
  })

  it("are opened anew where the server closed an idle one, without a word to anybody", async () => {
    const answer =
      "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}"
    const closed: Array<Promise<void>> = []
    await using server = await serveRaw((socket) => {
      closed.push(new Promise((resolve) => socket.on("close", () => resolve())))
      socket.write(answer, () => setImmediate(() => socket.end()))
    })
    await using opened = await openChannel(http(server.url))
    for (const id of [1, 2, 3]) {
      expect(await opened.send(request(id))).toMatchObject({ _tag: "Ended", messages: 1 })
      await closed.at(-1)
    }
    expect(server.sockets).toHaveLength(3)
  })

  it("may break just as a request is written: then it may have arrived, and is not sent again here", async () => {
    const answer =
      "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}"
    await using server = await serveRaw((socket) => {
      if (server.requests.length === 1) socket.write(answer)
      else socket.resetAndDestroy()
    })
    await using opened = await openChannel(http(server.url))
    expect(await opened.send(request(1))).toMatchObject({ _tag: "Ended" })
    expect(await opened.send(request(2))).toMatchObject({
      _tag: "Failed",
      mayHaveArrived: true,
      error: { code: "unreachable", message: expect.stringContaining("closed the connection") },
    })
    expect(server.requests).toHaveLength(2)
    expect(server.sockets).toHaveLength(1)
  })

  it("do not keep a process alive, and leave none behind when the channel closes", async () => {
    await using server = await serve(answering)
    const opened = await openChannel(http(server.url))
    await Promise.all(Array.from({ length: 10 }, (_, id) => opened.send(request(id))))
    expect(server.sockets.size).toBe(10)
    await opened.close()
    await eventually(() => server.sockets.size === 0)
  })
})
