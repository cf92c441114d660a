import { once } from "node:events"
import { createServer, type AddressInfo, type Socket } from "node:net"
import { it as effectIt } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import { describe, expect, it, vi } from "vitest"
import { webSocket, type WebSocketOptions } from "@entente/transport"
import { openChannel, openingFails } from "./open-channel.js"
import { acceptByHand, httpAnswer, webSocketServer } from "./websocket-server.js"

vi.setConfig({ testTimeout: 30_000 })

const thrown = (make: () => unknown): unknown => {
  try {
    make()
  } catch (error) {
    return error
  }
  return undefined
}

describe("what a WebSocket is made with", () => {
  it.each(["http://127.0.0.1/", "nonsense", "wss:"])("%s is refused", (url) => {
    expect(thrown(() => webSocket(url))).toMatchObject({ _tag: "InvalidInput", stage: "input" })
  })

  it("V26-CUST-07 V25-CUST-02 ws: is for this machine, unless somebody insists", () => {
    for (const host of ["127.0.0.1", "localhost", "[::1]", "mcp.localhost"]) {
      expect(webSocket(`ws://${host}:1/`).kind).toBe("websocket")
    }
    for (const host of [
      "example.com",
      "10.0.0.1",
      "localhost.example.com",
      "127.0.0.1.example.com",
    ]) {
      expect(thrown(() => webSocket(`ws://${host}/`))).toMatchObject({
        _tag: "InvalidInput",
        hint: expect.stringContaining("wss:"),
      })
      expect(webSocket(`ws://${host}/`, { allowInsecure: true }).kind).toBe("websocket")
      expect(webSocket(`wss://${host}/`).kind).toBe("websocket")
    }
  })

  it("no secret is in the target, the key or an error", () => {
    const transport = webSocket("wss://ada:abcdefghij@example.com/mcp?token=klmnopqrst")
    expect(transport.target).toBe("wss://example.com/mcp?token=‹redacted›")
    expect(transport.key).not.toContain("klmnopqrst")
    const other = webSocket("wss://example.com/mcp?token=other")
    expect(other.key).not.toBe(transport.key)
    const error = thrown(() => webSocket("wss://x/", { subprotocols: ["mcp", "a secret"] }))
    expect(error).toMatchObject({
      _tag: "InvalidInput",
      message: expect.stringContaining("2 of 2"),
    })
    expect(JSON.stringify(error)).not.toContain("a secret")
  })

  it.each<WebSocketOptions>([
    { subprotocols: ["mcp", "mcp"] },
    { subprotocols: [""] },
    { headers: { "Sec-WebSocket-Key": "x" } },
    { headers: { a: "b\r\nc: d" } },
  ])("%o is refused", (options) => {
    expect(thrown(() => webSocket("wss://x/", options))).toMatchObject({ _tag: "InvalidInput" })
  })
})

describe("the handshake of a WebSocket", () => {
  it("V25-CUST-03 offers mcp, and sends headers, fixed and supplied, and no other of ours", async () => {
    await using peer = await webSocketServer()
    let asked = 0
    const transport = webSocket(peer.url.replace("ws://", "ws://ada:b%40c@"), {
      headers: { "X-Fixed": "1", Authorization: "replaced" },
      requestHeaders: async ({ method, url }) => ({
        "x-asked": `${++asked} ${method} ${url.pathname}`,
        authorization: `Bearer ${asked}`,
      }),
    })
    for (const round of [1, 2]) {
      await using _opened = await openChannel(transport)
      await peer.socket(round)
      expect(peer.requests.at(-1)?.headers).toMatchObject({
        "sec-websocket-protocol": "mcp",
        "x-fixed": "1",
        "x-asked": `${round} GET /mcp`,
        authorization: `Bearer ${round}`,
      })
    }
    const names = Object.keys(peer.requests[0]?.headers ?? {})
    expect(names.filter((name) => name.startsWith("mcp-"))).toEqual([])
    expect(peer.requests[0]?.headers).not.toHaveProperty("sec-websocket-extensions")
  })

  it("credentials in the URL become a header", async () => {
    await using peer = await webSocketServer()
    await using opened = await openChannel(webSocket(peer.url.replace("ws://", "ws://ada:b%40c@")))
    await peer.socket()
    expect(peer.requests[0]?.headers.authorization).toBe(`Basic ${btoa("ada:b@c")}`)
    expect(JSON.stringify(opened.events)).not.toContain(btoa("ada:b@c"))
    expect(opened.events).toMatchObject([
      { type: "http", method: "GET", url: expect.stringContaining("/mcp") },
      { type: "http", status: 101, headers: { "sec-websocket-protocol": "mcp" } },
    ])
  })

  it("V25-CUST-03 a token may travel as a further subprotocol, fresh for each handshake", async () => {
    await using peer = await webSocketServer()
    let asked = 0
    const transport = webSocket(peer.url, {
      subprotocols: async () => ["mcp", `bearer.${++asked}`],
    })
    for (const round of [1, 2]) {
      await using opened = await openChannel(transport)
      await peer.socket(round)
      expect(peer.requests.at(-1)?.headers["sec-websocket-protocol"]).toBe(`mcp,bearer.${round}`)
      expect(opened.recorder.notes).toEqual([])
    }
  })

  it("V25-CUST-03 a server that selects no subprotocol is taken, with a note", async () => {
    await using peer = await webSocketServer({ handleProtocols: () => false })
    await using opened = await openChannel(webSocket(peer.url))
    expect(opened.recorder.notes).toEqual([
      { code: "subprotocol-missing", detail: "mcp was offered, nothing selected" },
    ])
  })

  it("V25-CUST-03 a server that selects another one is refused by name", async () => {
    await using peer = await webSocketServer({ handleProtocols: () => "graphql-ws" })
    expect(await openingFails(webSocket(peer.url))).toMatchObject({
      _tag: "ProtocolViolation",
      code: "unexpected-content",
      stage: "open",
      message: expect.stringContaining('"graphql-ws", although mcp was asked for'),
    })
    await using eager = await webSocketServer({
      refuse: (incoming, socket) => acceptByHand(incoming, socket, "mcp"),
    })
    expect(await openingFails(webSocket(eager.url, { subprotocols: [] }))).toMatchObject({
      message: expect.stringContaining('"mcp", although none was offered'),
    })
  })

  it("a token that comes back as the selection is refused and not repeated", async () => {
    await using peer = await webSocketServer({
      handleProtocols: (offered) => [...offered][1] ?? "",
    })
    const error = await openingFails(webSocket(peer.url, { subprotocols: ["mcp", "s3cret"] }))
    expect(error).toMatchObject({ message: expect.stringContaining("entry 2 of the subprotocols") })
    expect(JSON.stringify(error)).not.toContain("s3cret")
  })

  it("offers none where none is wanted, and selects another first one", async () => {
    await using peer = await webSocketServer()
    await using none = await openChannel(webSocket(peer.url, { subprotocols: [] }))
    await using other = await openChannel(webSocket(peer.url, { subprotocols: ["mcp.v2", "mcp"] }))
    expect(peer.requests[0]?.headers).not.toHaveProperty("sec-websocket-protocol")
    expect([...none.recorder.notes, ...other.recorder.notes]).toEqual([])
  })

  const challenged = { challenges: [{ scheme: "bearer", parameters: { scope: "tools" } }] }
  const said = { message: expect.stringContaining("because [2J of this") }
  const elsewhere = { ...said, hint: expect.stringContaining("WebSocket endpoint") }

  it.each([
    ["401 Unauthorized", "AuthorizationRequired", "authorization-required", challenged],
    ["403 Forbidden", "AuthorizationRequired", "forbidden", challenged],
    ["404 Not Found", "HttpRejected", "http-status", elsewhere],
    ["400 Bad Request", "HttpRejected", "http-status", elsewhere],
    ["200 OK", "HttpRejected", "http-status", elsewhere],
    ["503 Service Unavailable", "Unreachable", "outage", said],
    ["429 Too Many Requests", "Unreachable", "outage", said],
  ])("a handshake answered with %s is %s with code %s", async (line, _tag, code, more) => {
    const challenge = { "www-authenticate": 'Bearer scope="tools"' }
    await using peer = await webSocketServer({
      refuse: (_, socket) => httpAnswer(socket, line, challenge, "because\n\u001B[2J of this"),
    })
    const status = Number.parseInt(line, 10)
    const expected = { _tag, code, stage: "open", status, ...more }
    expect(await openingFails(webSocket(peer.url))).toMatchObject(expected)
  })

  it("a refusal whose body never ends still tells its status", async () => {
    await using peer = await webSocketServer({
      refuse: (_, socket) => {
        socket.write("HTTP/1.1 404 Not Found\r\ncontent-length: 1000000\r\n\r\n")
        const chunk = "x".repeat(1024)
        for (let sent = 0; sent < 80; sent++) socket.write(chunk)
        return true
      },
    })
    expect(await openingFails(webSocket(peer.url))).toMatchObject({ status: 404 })
  })

  it.each([
    [
      "https://elsewhere.example/mcp?token=abcdefghij",
      "wss://elsewhere.example/mcp?token=‹redacted›",
    ],
    ["/other", "/other"],
  ])("V26-CUST-07 a redirect to %s is not followed", async (location, shown) => {
    await using peer = await webSocketServer({
      refuse: (_, socket) => httpAnswer(socket, "307 Temporary Redirect", { location }),
    })
    const error = await openingFails(
      webSocket(peer.url, { headers: { authorization: "Bearer x" } }),
    )
    expect(error).toMatchObject({
      _tag: "HttpRejected",
      code: "redirect-refused",
      status: 307,
      hint: expect.stringContaining(shown),
    })
    expect(peer.requests).toHaveLength(1)
  })

  it("a port where nobody listens, and a server that is no HTTP server, say so", async () => {
    const nobody = await webSocketServer()
    await nobody[Symbol.asyncDispose]()
    expect(await openingFails(webSocket(nobody.url))).toMatchObject({
      _tag: "Unreachable",
      stage: "open",
      message: expect.stringContaining("connection refused"),
    })
    await using plain = await webSocketServer({
      refuse: (_, socket) => {
        socket.end("hello, I speak something else\r\n")
        return true
      },
    })
    expect(await openingFails(webSocket(plain.url))).toMatchObject({ _tag: "Unreachable" })
    await using rude = await webSocketServer({
      refuse: (_, socket) => {
        socket.destroy()
        return true
      },
    })
    expect(await openingFails(webSocket(rude.url))).toMatchObject({
      message: expect.stringContaining("closed the connection"),
    })
    expect(await openingFails(webSocket(rude.url.replace("ws:", "wss:")))).toMatchObject({
      message: expect.stringContaining("does not speak TLS"),
    })
  })

  it("a supplier that fails, or gives what no header can be, is the cause", async () => {
    await using peer = await webSocketServer()
    const cause = new Error("the token server is away")
    const requestHeaders = () => Promise.reject(cause)
    expect(await openingFails(webSocket(peer.url, { requestHeaders }))).toMatchObject({
      _tag: "Unreachable",
      stage: "open",
      cause,
    })
    const broken = () => ({ authorization: "a\nb" })
    expect(await openingFails(webSocket(peer.url, { requestHeaders: broken }))).toMatchObject({
      _tag: "Unreachable",
      cause: { _tag: "InvalidInput" },
    })
    expect(
      await openingFails(webSocket(peer.url, { subprotocols: () => ["mcp", "no token"] })),
    ).toMatchObject({ _tag: "Unreachable", cause: { _tag: "InvalidInput" } })
    expect(peer.requests).toEqual([])
  })
})

/** A server that takes connections and says nothing. */
const mute = async () => {
  const sockets: Array<Socket> = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on("error", () => {})
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`, // it listens on TCP
    connected: async () => {
      if (sockets[0] === undefined) await once(server, "connection")
      return sockets[0] as Socket // there now
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

describe("a server that never answers the handshake", () => {
  effectIt.effect("is given up at the deadline, on the clock of the caller", () =>
    Effect.gen(function* () {
      const server = yield* Effect.acquireRelease(Effect.promise(mute), ({ close }) =>
        Effect.sync(close),
      )
      const opening = yield* Effect.forkChild(
        Effect.scoped(webSocket(server.url, { timeouts: { connect: 60_000 } }).open),
        { startImmediately: true },
      )
      const socket = yield* Effect.promise(() => server.connected())
      const left = once(socket.resume(), "close")
      yield* TestClock.adjust("59 seconds")
      expect(opening.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust("1 second")
      const error = yield* Effect.flip(Fiber.join(opening))
      expect(error).toMatchObject({
        _tag: "Unreachable",
        stage: "open",
        message: expect.stringContaining("no WebSocket within 60000 ms"),
      })
      yield* Effect.promise(() => left)
    }),
  )

  effectIt.effect("is left at once when nobody waits any more", () =>
    Effect.gen(function* () {
      const server = yield* Effect.acquireRelease(Effect.promise(mute), ({ close }) =>
        Effect.sync(close),
      )
      const opening = yield* Effect.forkChild(Effect.scoped(webSocket(server.url).open), {
        startImmediately: true,
      })
      const socket = yield* Effect.promise(() => server.connected())
      const left = once(socket.resume(), "close")
      yield* Fiber.interrupt(opening)
      expect(Exit.hasInterrupts(yield* Fiber.await(opening))).toBe(true)
      yield* Effect.promise(() => left)
    }),
  )
})
