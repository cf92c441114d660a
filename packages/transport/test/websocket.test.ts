import { once } from "node:events"
import { describe, expect, it, vi } from "vitest"
import { webSocket } from "@entente/transport"
import { openChannel, request } from "./open-channel.js"
import {
  acceptByHand,
  closing,
  frameBytes,
  nextText,
  webSocketServer,
  type WebSocketPeer,
} from "./websocket-server.js"

vi.setConfig({ testTimeout: 30_000 })

const open = async (peer: WebSocketPeer, options: Parameters<typeof webSocket>[1] = {}) => {
  const opened = await openChannel(webSocket(peer.url, options))
  return { ...opened, socket: await peer.socket() }
}

const text = JSON.stringify({ jsonrpc: "2.0", id: 1, result: { s: "—🙂 é" } })
const message: unknown = JSON.parse(text)

describe("WebSocket messages", () => {
  it("V26-CUST-02 V26-CUST-03 carries messages both ways, one text frame each, in order", async () => {
    await using peer = await webSocketServer()
    await using opened = await open(peer)
    const heard = [nextText(opened.socket), once(opened.socket, "message").then(() => undefined)]
    expect(await opened.send(request(1, "x", { text: "two\nlines — 🙂" }))).toEqual({
      _tag: "Written",
    })
    expect(JSON.parse((await heard[0]) ?? "")).toEqual(request(1, "x", { text: "two\nlines — 🙂" }))
    for (let id = 0; id < 100; id++) opened.socket.send(JSON.stringify({ id }))
    await opened.recorder.until(({ messages }) => messages.length === 100)
    expect(opened.recorder.messages).toEqual(Array.from({ length: 100 }, (_, id) => ({ id })))
    expect(new Set(opened.recorder.origins)).toEqual(new Set([{ exchange: 0 }]))
    expect(opened.recorder.notes).toEqual([])
    expect(opened.channel.exchanges).toBe("shared")
  })

  it("V26-CUST-08 an array is one value, white space and a byte order mark are none", async () => {
    await using peer = await webSocketServer()
    await using opened = await open(peer)
    opened.socket.send('\uFEFF [{"id":1}]\r\n')
    await opened.recorder.until(({ messages }) => messages.length === 1)
    expect(opened.recorder.messages).toEqual([[{ id: 1 }]])
  })

  it("C119 V25-RPC-08 fragments that split a UTF-8 character anywhere give one intact message", async () => {
    await using peer = await webSocketServer()
    await using opened = await open(peer)
    const bytes = Buffer.from(text)
    for (let at = 0; at <= bytes.length; at++) {
      opened.socket.send(bytes.subarray(0, at), { binary: false, fin: false })
      opened.socket.send(bytes.subarray(at), { binary: false, fin: true })
    }
    for (const [at, byte] of bytes.entries()) {
      opened.socket.send(Buffer.of(byte), { binary: false, fin: at === bytes.length - 1 })
    }
    const expected = bytes.length + 2
    await opened.recorder.until(({ messages }) => messages.length === expected)
    expect(opened.recorder.messages).toEqual(Array.from({ length: expected }, () => message))
    expect(opened.recorder.notes).toEqual([])
  })

  it("V25-CUST-03 reads frames whose bytes arrive one by one, in the handshake's packet and later", async () => {
    const bytes = Buffer.from(text)
    const half = bytes.indexOf(Buffer.from("🙂")) + 2
    const frames = Buffer.concat([
      frameBytes({ fin: false, opcode: 1, payload: bytes.subarray(0, half) }),
      frameBytes({ fin: true, opcode: 9, payload: Buffer.from("ping between the fragments") }),
      frameBytes({ fin: true, opcode: 0, payload: bytes.subarray(half) }),
    ])
    await using peer = await webSocketServer({
      refuse: (incoming, socket) => {
        socket.cork()
        acceptByHand(incoming, socket)
        socket.write(frames)
        socket.uncork()
        void (async () => {
          for (const byte of frames) {
            socket.write(Buffer.of(byte))
            await new Promise((resume) => setImmediate(resume))
          }
        })()
        return true
      },
    })
    await using opened = await openChannel(webSocket(peer.url))
    await opened.recorder.until(({ messages }) => messages.length === 2)
    expect(opened.recorder.messages).toEqual([message, message])
  })

  it("C119 a binary frame is ignored with a note, and a text frame that is no JSON too", async () => {
    await using peer = await webSocketServer()
    await using opened = await open(peer)
    opened.socket.send(Buffer.from(text), { binary: true })
    opened.socket.send("heartbeat token=abcdefghijklmnop")
    opened.socket.send("42")
    opened.socket.send("")
    opened.socket.send(text)
    await opened.recorder.until(({ messages }) => messages.length === 1)
    expect(opened.recorder.messages).toEqual([message])
    expect(opened.recorder.notes).toEqual([
      { code: "binary-frame", detail: `${Buffer.byteLength(text)} bytes` },
      { code: "text-frame-noise", detail: "heartbeat token=‹redacted›" },
      { code: "text-frame-noise", detail: "42" },
      { code: "text-frame-noise", detail: "" },
    ])
  })

  it.each([
    ["binary-frame", 1003],
    ["text-frame-noise", 1007],
    ["subprotocol-missing", 1002],
    ["late-reply", 1008],
  ] as const)("C119 refusing %s closes with %i and is heard no more", async (code, expected) => {
    await using peer = await webSocketServer()
    await using opened = await open(peer)
    const closed = closing(opened.socket)
    opened.channel.refuse?.(code)
    expect(await opened.send(request(1))).toMatchObject({ _tag: "Failed", mayHaveArrived: false })
    expect((await closed).code).toBe(expected)
    await opened.close()
    expect(opened.recorder.ends).toEqual([])
  })

  it("reports a message that has no JSON form and stays usable", async () => {
    await using peer = await webSocketServer()
    await using opened = await open(peer)
    expect(await opened.send(request(1, "x", { big: 1n }))).toMatchObject({
      _tag: "Failed",
      mayHaveArrived: false,
      error: { _tag: "InvalidInput" },
    })
    expect(await opened.send(request(2))).toEqual({ _tag: "Written" })
  })

  it("V25-CUST-03 takes a message of exactly the limit, and not one byte more", async () => {
    await using peer = await webSocketServer()
    await using opened = await open(peer, { maxMessageBytes: 100 })
    const sized = (bytes: number) => `{"s":"${"x".repeat(bytes - 8)}"}`
    opened.socket.send(sized(100))
    opened.socket.send(sized(101))
    const closed = closing(opened.socket)
    const { messages, ends } = await opened.recorder.until((one) => one.ends.length === 1)
    expect(messages).toHaveLength(1)
    expect(ends).toMatchObject([
      {
        _tag: "ProtocolViolation",
        code: "message-too-large",
        message: expect.stringContaining("100 bytes"),
      },
    ])
    expect((await closed).code).toBe(1009)
  })

  it("reads a message of 16 MiB, and holds back what a server does not read", async () => {
    await using peer = await webSocketServer({ maxPayload: 64 * 1024 * 1024 })
    await using opened = await open(peer)
    opened.socket.send(`{"s":"${"x".repeat(16 * 1024 * 1024 - 8)}"}`)
    await opened.recorder.until(({ messages }) => messages.length === 1)
    opened.socket.pause()
    let written = 0
    const params = { text: "x".repeat(1024 * 1024) }
    const sent = Array.from({ length: 30 }, (_, id) =>
      opened
        .send(request(id, "x", params))
        .then(({ _tag }) => (written += _tag === "Written" ? 1 : 0)),
    )
    await new Promise((resume) => setImmediate(resume))
    expect(written).toBeLessThan(15)
    opened.socket.resume()
    await Promise.all(sent)
    expect(written).toBe(30)
  })
})

describe("the end of a WebSocket", () => {
  it.each([
    [1011, "database gone", "1011 (internal error): database gone."],
    [1001, "", "1001 (going away)."],
    [4401, "token=abcdefghijklmnop\u001B[2J\nno", "4401: token=‹redacted› no."],
  ])("a close with %i says so, redacted and on one line", async (code, reason, said) => {
    await using peer = await webSocketServer()
    await using opened = await open(peer)
    opened.socket.close(code, reason)
    const { ends } = await opened.recorder.until((one) => one.ends.length > 0)
    expect(ends).toMatchObject([{ _tag: "Unreachable", code: "unreachable", stage: "request" }])
    expect(ends[0]?.message).toContain(said)
  })

  it("a close without a code, and a connection that breaks off, are told apart", async () => {
    await using peer = await webSocketServer()
    await using polite = await open(peer)
    polite.socket.close()
    await polite.recorder.until((one) => one.ends.length > 0)
    expect(polite.recorder.ends[0]?.message).toContain("without a code (1005)")
    await using rude = await openChannel(webSocket(peer.url))
    const socket = await peer.socket(2)
    socket.terminate()
    await rude.recorder.until((one) => one.ends.length > 0)
    expect(rude.recorder.ends[0]?.message).toContain("without a close frame (1006)")
  })

  it("frames that break the protocol, and text that is not UTF-8, end it with their reason", async () => {
    const say = async (frame: Buffer) => {
      await using peer = await webSocketServer({
        refuse: (incoming, socket) => {
          acceptByHand(incoming, socket)
          socket.write(frame)
          // The close frame is all that ever comes.
          socket.once("data", () => socket.destroy())
          return true
        },
      })
      await using opened = await openChannel(webSocket(peer.url))
      const { ends } = await opened.recorder.until((one) => one.ends.length > 0)
      return ends[0]
    }
    expect(
      await say(frameBytes({ fin: true, opcode: 1, payload: Uint8Array.of(0xff) })),
    ).toMatchObject({
      _tag: "ProtocolViolation",
      code: "invalid-message",
      message: expect.stringContaining("not UTF-8"),
    })
    expect(
      await say(frameBytes({ fin: true, opcode: 3, payload: new Uint8Array() })),
    ).toMatchObject({
      _tag: "ProtocolViolation",
      code: "invalid-message",
      message: expect.stringContaining("opcode 3"),
    })
  })

  it("V25-CUST-04 settles each message exactly once, and closes at most once", async () => {
    await using peer = await webSocketServer()
    await using opened = await open(peer)
    opened.socket.pause()
    const outcomes: Array<ReadonlyArray<string>> = []
    // More than the system takes at once, so that it is still on its way at the end.
    const params = { text: "x".repeat(16 * 1024 * 1024) }
    const sent = Array.from({ length: 3 }, (_, id) => {
      const mine: Array<string> = []
      outcomes.push(mine)
      return new Promise<void>((resume) => {
        const sent = opened.channel.send({ message: request(id, "x", params) }, (outcome) => {
          mine.push(outcome._tag === "Failed" ? `Failed ${outcome.mayHaveArrived}` : outcome._tag)
          resume()
        })
        sent.abort()
      })
    })
    opened.socket.terminate()
    await Promise.all(sent)
    const late = await opened.send(request(99))
    expect(late).toMatchObject({ _tag: "Failed", mayHaveArrived: false })
    await opened.close()
    await new Promise((resume) => setImmediate(resume))
    expect(outcomes.every((mine) => mine.length === 1)).toBe(true)
    expect(outcomes.flat()).toContain("Failed true")
    expect(opened.recorder.ends).toHaveLength(1)
  })

  it("nothing is heard after the scope was closed, and the server hears 1000", async () => {
    await using peer = await webSocketServer()
    await using opened = await open(peer)
    const closed = closing(opened.socket)
    const leaving = opened.close()
    opened.socket.send(text)
    await leaving
    expect((await closed).code).toBe(1000)
    expect(opened.recorder).toMatchObject({ messages: [], notes: [], ends: [] })
    expect(await opened.send(request(1))).toMatchObject({ _tag: "Failed", mayHaveArrived: false })
  })

  it("leaves no handle, timer or listener after 50 sockets", async () => {
    await using peer = await webSocketServer()
    const cycle = async () => {
      await using opened = await openChannel(webSocket(peer.url))
      await opened.send(request(1))
    }
    await cycle()
    const idle = async () => {
      // The server's ends of the last sockets close a moment later.
      while (peer.sockets.some(({ readyState }) => readyState !== 3)) {
        await new Promise((resume) => setImmediate(resume))
      }
      const counts = { TCPSocketWrap: 0, Timeout: 0 }
      for (const kind of process.getActiveResourcesInfo()) {
        if (kind === "TCPSocketWrap" || kind === "Timeout") counts[kind]++
      }
      return counts
    }
    const before = await idle()
    for (let round = 0; round < 50; round++) await cycle()
    const after = await idle()
    expect(after.TCPSocketWrap).toBe(0)
    expect(after.Timeout).toBeLessThanOrEqual(before.Timeout)
  })
})
