import { it as effectIt } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { afterEach, describe, expect, it } from "vitest"
import { legacyServer, notification, tool, type Script, type Step } from "../src/index.js"
import { startWebSocketPeer, webSocketPeer, type WebSocketPeer } from "../src/node.js"
import { call, openWebSocket, type WebSocketClient } from "./raw-clients.js"

const open: Array<WebSocketPeer> = []
const start = async (script: Script): Promise<WebSocketPeer> => {
  const peer = await startWebSocketPeer(script)
  open.push(peer)
  return peer
}
afterEach(async () => {
  for (const peer of open.splice(0)) await peer.close()
})

const onOpening = (...reply: ReadonlyArray<Step>): Script => ({
  rules: [{ when: { kind: "open" }, reply }],
})

const ask = async (...reply: ReadonlyArray<Step>): Promise<WebSocketClient> => {
  const peer = await start({ rules: [{ when: { method: "x" }, reply }] })
  const client = await openWebSocket(peer.url)
  client.say(call(5, "x"))
  return client
}

describe("the upgrade", () => {
  it("V25-CUST-03 chooses mcp where it is offered", async () => {
    const { url } = await start({ rules: [] })
    expect(url).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/mcp$/)
    expect((await openWebSocket(url)).socket.protocol).toBe("mcp")
    expect((await openWebSocket(url, ["a", "mcp"])).socket.protocol).toBe("mcp")
    expect((await openWebSocket(url, [])).socket.protocol).toBe("")
  })

  it("can choose another subprotocol, or none, which clients refuse", async () => {
    const other = await start({ rules: [], subprotocol: "other" })
    await expect(openWebSocket(other.url)).rejects.toThrow("invalid subprotocol")
    const none = await start({ rules: [], subprotocol: null })
    await expect(openWebSocket(none.url)).rejects.toThrow("no subprotocol")
  })

  it("is an arrival with path and headers, which rules can refuse", async () => {
    const peer = await start({
      rules: [
        {
          when: { kind: "open", headers: { authorization: null } },
          reply: [{ http: { status: 401, text: "no token" } }],
        },
      ],
    })
    await expect(openWebSocket(peer.url)).rejects.toThrow("401")
    await openWebSocket(`${peer.url}?a=1`, ["mcp"], { authorization: "Bearer t" })
    expect(peer.received.map(({ kind, httpMethod, path }) => [kind, httpMethod, path])).toEqual([
      ["open", "GET", "/mcp"],
      ["open", "GET", "/mcp?a=1"],
    ])
    expect(peer.received[1]?.headers?.["authorization"]).toBe("Bearer t")
  })

  it("gets 404 elsewhere, and 426 is for what asks for none", async () => {
    const { url } = await start({ rules: [] })
    await expect(openWebSocket(url.replace("/mcp", "/other"))).rejects.toThrow("404")
    expect((await fetch(url.replace("ws:", "http:"))).status).toBe(426)
  })

  it("can be left unanswered, or cut", async () => {
    const silent = await start(onOpening({ silence: true }))
    const outcome = openWebSocket(silent.url).catch((error: Error) => error.message)
    await silent.next({ kind: "open" })
    silent.play([{ http: { status: 503 } }], { kind: "open" })
    expect(await outcome).toContain("503")
    const cut = await start(onOpening({ destroy: true }))
    await expect(openWebSocket(cut.url)).rejects.toThrow("hang up")
  })

  it("can be followed by the peer's first word", async () => {
    const { url } = await start(onOpening({ message: notification("hello") }))
    const { frames } = await openWebSocket(url)
    expect(await frames.take()).toBe('{"jsonrpc":"2.0","method":"hello"}')
  })
})

describe("steps over WebSocket", () => {
  it("result, error, message and raw are text frames", async () => {
    const { frames } = await ask(
      { message: notification("n") },
      { raw: "no JSON" },
      { error: { code: -1, message: "m" } },
      { result: {}, id: { $text: "/id" } },
    )
    expect(await frames.take()).toBe('{"jsonrpc":"2.0","method":"n"}')
    expect(await frames.take()).toBe("no JSON")
    expect(await frames.take()).toBe('{"jsonrpc":"2.0","id":5,"error":{"code":-1,"message":"m"}}')
    expect(await frames.take()).toBe('{"jsonrpc":"2.0","id":"5","result":{}}')
  })

  it("C119 binary frames, and fragments that split a character", async () => {
    const { frames } = await ask(
      { binary: { base64: "/wA=" } },
      { fragments: ["caf", { base64: "ww==" }, { base64: "qQ==" }] },
    )
    expect(await frames.take()).toEqual(Buffer.from([0xff, 0]))
    expect(await frames.take()).toBe("café")
  })

  it("a text over and over", async () => {
    const { frames } = await ask({ raw: { repeat: "é", times: 3_000_000 } })
    expect(await frames.take()).toBe("é".repeat(3_000_000))
  })

  it("close says why, after what was said", async () => {
    const { frames, closed } = await ask({ result: {} }, { close: 1011, reason: "no licence" })
    expect(await closed).toEqual([1011, "no licence"])
    expect(await frames.take()).toContain('"id":5')
    expect(open[0]?.disconnects()).toBe(0)
  })

  it("C119 destroy is a cut without a close frame (1006), after what was said", async () => {
    const { frames, closed } = await ask({ result: {} }, { destroy: true })
    expect(await closed).toEqual([1006, ""])
    expect(await frames.take()).toContain('"id":5')
  })

  it("freeze answers no ping any more", async () => {
    const { socket, frames } = await ask({ freeze: true }, { result: {} })
    expect(await frames.take()).toContain('"id":5')
    let pongs = 0
    socket.on("pong", () => (pongs += 1))
    socket.ping()
    socket.send("unread")
    open[0]?.send(notification("still speaking"))
    expect(await frames.take()).toContain("still speaking")
    expect(pongs).toBe(0)
    expect(open[0]?.received.map(({ kind }) => kind)).toEqual(["open", "request"])
  })
})

describe("what a WebSocket peer sees", () => {
  it("messages on a channel; a binary frame is invalid", async () => {
    const peer = await start(legacyServer({ tools: [tool("echo")], listens: true }))
    const client = await openWebSocket(peer.url)
    client.say(call(1, "initialize"))
    expect(await client.frames.take()).toContain('"protocolVersion":"2025-11-25"')
    client.socket.send(Buffer.from("x"))
    expect(await client.frames.take()).toContain("-32700")
    expect(peer.received.map(({ kind, place }) => [kind, place])).toEqual([
      ["open", 1],
      ["request", 1],
      ["invalid", 1],
    ])
  })

  it("the code a client closes with", async () => {
    const peer = await start({ rules: [] })
    const [first, second] = [await openWebSocket(peer.url), await openWebSocket(peer.url)]
    first.socket.close(1003)
    const gone = await peer.until(({ kind }) => kind === "disconnect")
    expect(gone).toMatchObject({ place: 1, closeCode: 1003, path: "/mcp" })
    second.socket.terminate()
    const cut = await peer.until(({ kind, place }) => kind === "disconnect" && place === 2)
    expect(cut.closeCode).toBe(1006)
    expect(peer.disconnects()).toBe(2)
  })
})

describe("live control over WebSocket", () => {
  it("play answers what was held, send speaks on every connection", async () => {
    const peer = await start({ rules: [{ when: {}, reply: [{ silence: true }] }] })
    const clients = [await openWebSocket(peer.url), await openWebSocket(peer.url)] as const
    clients[1].say(call(7, "x"))
    await peer.next("x")
    peer.play([{ result: { late: true } }], { method: "x" })
    expect(await clients[1].frames.take()).toContain('"id":7')
    peer.send(notification("n"))
    for (const { frames } of clients) expect(await frames.take()).toContain('"n"')
  })

  it("C118 close cuts and refuses, restart accepts at the same address", async () => {
    const peer = await start({ rules: [] })
    const { closed } = await openWebSocket(peer.url)
    expect(peer.sockets()).toBe(1)
    await peer.close()
    expect(await closed).toEqual([1006, ""])
    await expect(openWebSocket(peer.url)).rejects.toThrow("ECONNREFUSED")
    await peer.restart()
    await openWebSocket(peer.url)
    expect(peer.disconnects()).toBe(0)
  })

  it("refuses steps that WebSocket cannot play, save in rules that never match there", async () => {
    await expect(startWebSocketPeer(onOpening({ comment: "" }))).rejects.toThrow(
      "cannot be played over websocket",
    )
    const header = { when: { headers: { a: null } }, reply: [{ comment: "" }] } as const
    await start({ rules: [header] }) // never matches here
  })
})

describe("webSocketPeer", () => {
  effectIt.effect("plays delays on the clock of its scope, and closes with it", () =>
    Effect.gen(function* () {
      const client = yield* Effect.scoped(
        Effect.gen(function* () {
          const peer = yield* webSocketPeer({
            rules: [{ when: {}, reply: [{ delay: 60_000 }, { result: {} }] }],
          })
          const client = yield* Effect.promise(() => openWebSocket(peer.url))
          client.say(call(1, "x"))
          yield* Effect.promise(() => peer.next("x"))
          yield* TestClock.adjust("1 minute")
          expect(yield* Effect.promise(() => client.frames.take())).toContain('"id":1')
          return client
        }),
      )
      expect(yield* Effect.promise(() => client.closed)).toEqual([1006, ""])
    }),
  )
})
