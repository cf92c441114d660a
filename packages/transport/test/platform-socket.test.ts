import { it as effectIt } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { describe, expect, it, vi } from "vitest"
// The browsers' own interface, to the letter: later versions of Node have it as their global.
import { WebSocket } from "undici"
import { webSocket } from "@entente/transport"
import { openSocket } from "../src/websocket/platform-socket.js"
import { openChannel, openingFails, Recorder, request } from "./open-channel.js"
import { closing, httpAnswer, nextText, webSocketServer } from "./websocket-server.js"

vi.setConfig({ testTimeout: 30_000 })

const text = JSON.stringify({ jsonrpc: "2.0", id: 1, result: { s: "—🙂" } })

describe("a WebSocket of the platform", () => {
  it("V25-CUST-03 carries messages both ways, and a token as a further subprotocol", async () => {
    await using peer = await webSocketServer()
    await using opened = await openChannel(
      webSocket(peer.url, { WebSocket, subprotocols: ["mcp", "bearer.x"] }),
    )
    const socket = await peer.socket()
    expect(peer.requests[0]?.headers["sec-websocket-protocol"]).toBe("mcp, bearer.x")
    const heard = nextText(socket)
    expect(await opened.send(request(1))).toEqual({ _tag: "Written" })
    expect(JSON.parse(await heard)).toEqual(request(1))
    socket.send(text)
    socket.send(Buffer.from(text), { binary: true })
    socket.send("no JSON")
    const { messages, notes } = await opened.recorder.until((one) => one.notes.length === 2)
    expect(messages).toEqual([JSON.parse(text)])
    expect(notes).toEqual([
      { code: "binary-frame", detail: `${Buffer.byteLength(text)} bytes` },
      { code: "text-frame-noise", detail: "no JSON" },
    ])
  })

  it("closes with the codes that a page may use", async () => {
    await using peer = await webSocketServer()
    await using polite = await openChannel(webSocket(peer.url, { WebSocket }))
    const closed = closing(await peer.socket())
    await polite.close()
    expect((await closed).code).toBe(1000)
    await using strict = await openChannel(webSocket(peer.url, { WebSocket }))
    const refused = closing(await peer.socket(2))
    strict.channel.refuse?.("binary-frame")
    expect((await refused).code).toBe(4003)
  })

  it("refuses a message past the limit by its bytes, not its characters", async () => {
    await using peer = await webSocketServer()
    await using opened = await openChannel(webSocket(peer.url, { WebSocket, maxMessageBytes: 20 }))
    const socket = await peer.socket()
    const closed = closing(socket)
    socket.send('{"s":"————"}')
    socket.send('{"s":"—————"}')
    const { messages, ends } = await opened.recorder.until((one) => one.ends.length > 0)
    expect(messages).toEqual([{ s: "————" }])
    expect(ends).toMatchObject([{ _tag: "ProtocolViolation", code: "message-too-large" }])
    expect((await closed).code).toBe(4009)
  })

  it("says that the platform hides why a handshake failed", async () => {
    await using peer = await webSocketServer({
      refuse: (_, socket) => httpAnswer(socket, "401 Unauthorized", {}),
    })
    expect(await openingFails(webSocket(peer.url, { WebSocket }))).toMatchObject({
      _tag: "Unreachable",
      stage: "open",
      message: expect.stringContaining("does not say why"),
    })
  })

  it("insists on a selection, so that a server without one is asked for none", async () => {
    await using peer = await webSocketServer({ handleProtocols: () => false })
    expect(await openingFails(webSocket(peer.url, { WebSocket }))).toMatchObject({
      hint: expect.stringContaining("subprotocols: []"),
    })
    await using opened = await openChannel(webSocket(peer.url, { WebSocket, subprotocols: [] }))
    expect(opened.recorder.notes).toEqual([])
  })

  it("passes on the end, its code and its reason", async () => {
    await using peer = await webSocketServer()
    await using opened = await openChannel(webSocket(peer.url, { WebSocket }))
    const socket = await peer.socket()
    socket.close(1011, "database gone")
    const { ends } = await opened.recorder.until((one) => one.ends.length > 0)
    expect(ends[0]?.message).toContain("1011 (internal error): database gone.")
    expect(await opened.send(request(1))).toMatchObject({ _tag: "Failed", mayHaveArrived: false })
  })

  it("headers are refused, at once where that is known at once", async () => {
    const headers = { authorization: "Bearer s3cret" }
    expect(() => webSocket("wss://x/", { WebSocket, headers })).toThrow(/cannot send headers/)
    expect(() => webSocket("wss://x/", { WebSocket, requestHeaders: () => headers })).toThrow(
      /cannot send headers/,
    )
    const url = new URL("wss://x/")
    const timers = { now: () => 0, set: () => undefined, clear: () => {} }
    const events = new Proxy({} as Parameters<typeof openSocket>[1], {})
    const open = (given: object) =>
      openSocket(
        { url, subprotocols: [], headers: { ...given }, maxMessageBytes: 1 },
        events,
        timers,
      )
    expect(() => open({})).toThrow(/has no WebSocket/)
    vi.stubGlobal("WebSocket", WebSocket)
    expect(() => open(headers)).toThrow(/cannot send headers \(authorization\)/)
    vi.unstubAllGlobals()
  })

  effectIt.effect("a message counts as written when the platform does not sit on it", () =>
    Effect.gen(function* () {
      const peer = yield* Effect.acquireRelease(
        Effect.promise(() => webSocketServer()),
        (peer) => Effect.promise(() => peer[Symbol.asyncDispose]()),
      )
      const channel = yield* webSocket(peer.url, { WebSocket }).open
      channel.listen(new Recorder())
      const socket = yield* Effect.promise(() => peer.socket())
      socket.pause()
      const params = { text: "x".repeat(1024 * 1024) }
      let written = 0
      for (let id = 0; id < 20; id++) {
        channel.send({ message: request(id, "x", params) }, () => written++)
      }
      yield* TestClock.adjust("1 second")
      expect(written).toBeLessThan(15)
      let heard = 0
      const all = new Promise<void>((resume) =>
        socket.on("message", () => {
          if (++heard === 20) resume()
        }),
      )
      socket.resume()
      yield* Effect.promise(() => all)
      yield* TestClock.adjust("1 second")
      expect(written).toBe(20)
    }),
  )
})
