import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import { once } from "node:events"
import { webSocket, type WebSocketOptions } from "@entente/transport"
import { Recorder } from "./open-channel.js"
import { closing, webSocketServer, type PeerOptions } from "./websocket-server.js"

const opened = (options: WebSocketOptions = {}, server: PeerOptions = {}) =>
  Effect.gen(function* () {
    const peer = yield* Effect.acquireRelease(
      Effect.promise(() => webSocketServer(server)),
      (peer) => Effect.promise(() => peer[Symbol.asyncDispose]()),
    )
    const recorder = new Recorder()
    const channel = yield* webSocket(peer.url, options).open
    channel.listen(recorder)
    const socket = yield* Effect.promise(() => peer.socket())
    let pings = 0
    socket.on("ping", () => pings++)
    return { recorder, socket, channel, pings: () => pings }
  })

describe("WebSocket liveness", () => {
  it.effect("V25-CUST-03 a silent server is pinged, and its pong keeps it", () =>
    Effect.gen(function* () {
      const { recorder, socket, pings } = yield* opened()
      for (const round of [1, 2, 3]) {
        const pinged = once(socket, "ping")
        yield* TestClock.adjust("30 seconds")
        yield* Effect.promise(() => pinged)
        // What comes after the pong proves that the pong has come.
        socket.send(JSON.stringify({ round }))
        yield* Effect.promise(() => recorder.until(({ messages }) => messages.length === round))
        yield* TestClock.adjust("10 seconds")
      }
      expect(pings()).toBe(3)
      expect(recorder.ends).toEqual([])
    }),
  )

  it.effect("V25-CUST-03 a server that answers nothing is given up at the deadline", () =>
    Effect.gen(function* () {
      const { recorder, socket } = yield* opened(
        { liveness: { intervalMs: 1_000, timeoutMs: 500 } },
        { autoPong: false },
      )
      const closed = closing(socket)
      yield* TestClock.adjust("1499 millis")
      expect(recorder.ends).toEqual([])
      yield* TestClock.adjust("1 millis")
      expect(recorder.ends).toMatchObject([
        { _tag: "Unreachable", message: expect.stringContaining("no answer within 500 ms") },
      ])
      expect((yield* Effect.promise(() => closed)).code).toBe(1006)
    }),
  )

  it.effect("a server that talks is never pinged", () =>
    Effect.gen(function* () {
      const { recorder, socket, pings } = yield* opened({}, { autoPong: false })
      for (const round of [1, 2, 3]) {
        socket.send(JSON.stringify({ round }))
        yield* Effect.promise(() => recorder.until(({ messages }) => messages.length === round))
        yield* TestClock.adjust("30 seconds")
      }
      expect([pings(), recorder.ends]).toEqual([0, []])
    }),
  )

  it.effect("can be switched off", () =>
    Effect.gen(function* () {
      const { recorder, pings } = yield* opened({ liveness: false }, { autoPong: false })
      yield* TestClock.adjust("1 hour")
      expect([pings(), recorder.ends]).toEqual([0, []])
    }),
  )

  const busy = Effect.gen(function* () {
    const { recorder, socket, channel } = yield* opened(
      { liveness: { intervalMs: 1_000, timeoutMs: 500 } },
      { autoPong: false },
    )
    socket.pause()
    const text = "x".repeat(1024 * 1024)
    for (let id = 0; id < 20; id++) {
      channel.send({ message: { jsonrpc: "2.0", id, method: "x", params: { text } } }, () => {})
    }
    yield* TestClock.adjust("1 seconds")
    return { recorder, socket }
  })

  it.effect("a large message on its way out is a sign of life as long as it moves", () =>
    Effect.gen(function* () {
      const { recorder, socket } = yield* busy
      const heard = once(socket, "message")
      socket.resume()
      yield* Effect.promise(() => heard)
      yield* TestClock.adjust("500 millis")
      expect(recorder.ends).toEqual([])
    }),
  )

  it.effect("a server that has stopped reading is given up", () =>
    Effect.gen(function* () {
      const { recorder } = yield* busy
      yield* TestClock.adjust("500 millis")
      expect(recorder.ends).toHaveLength(1)
    }),
  )
})
