import { connect } from "node:net"
import { it as effectIt } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { afterEach, describe, expect, it } from "vitest"
import { listening, notification, type Script } from "../src/index.js"
import { httpPeer, startHttpPeer, type HttpPeer } from "../src/node.js"
import { call, post, reader } from "./raw-clients.js"

const open: Array<HttpPeer> = []
const start = async (script: Script): Promise<HttpPeer> => {
  const peer = await startHttpPeer(script)
  open.push(peer)
  return peer
}
afterEach(async () => {
  for (const peer of open.splice(0)) await peer.close()
})

describe("defaults over HTTP", () => {
  const answerTo = async (body: unknown): Promise<readonly [number, unknown]> => {
    const { url } = await start({ rules: [] })
    const response = await post(url, body)
    const text = await response.text()
    return [response.status, text === "" ? undefined : JSON.parse(text)]
  }

  it("V25-HTTP-05 notifications and responses get 202 without a body", async () => {
    expect(await answerTo(notification("n"))).toEqual([202, undefined])
    expect(await answerTo({ jsonrpc: "2.0", id: 1, result: {} })).toEqual([202, undefined])
  })

  it("an unknown method gets -32601", async () => {
    expect(await answerTo(call(3, "x"))).toMatchObject([200, { id: 3, error: { code: -32601 } }])
  })

  it.each([
    ["no JSON", "{", -32700],
    ["an empty body", "", -32700],
    ["no JSON-RPC", {}, -32600],
    ["a batch", [call(1, "x")], -32600],
  ])("%s gets 400 and an error without id", async (_, body, code) => {
    expect(await answerTo(body)).toMatchObject([400, { id: null, error: { code } }])
  })

  it("GET and DELETE get 405", async () => {
    const { url } = await start({ rules: [] })
    const got = await fetch(url)
    expect([got.status, got.headers.get("allow")]).toEqual([405, "POST"])
    expect((await fetch(url, { method: "DELETE" })).status).toBe(405)
  })

  it("other paths get 404 unless a rule names them", async () => {
    const peer = await start({
      rules: [
        { when: { path: "/other" }, reply: [{ result: "other" }] },
        { when: {}, reply: [{ result: "mcp" }] },
      ],
      endpoint: "/rpc",
    })
    expect(peer.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/rpc$/)
    const at = (path: string): Promise<Response> => post(new URL(path, peer.url).href, call(1, "x"))
    expect(await (await at("/other")).json()).toMatchObject({ result: "other" })
    expect(await (await at("/rpc?a=1")).json()).toMatchObject({ result: "mcp" })
    expect((await at("/mcp")).status).toBe(404)
  })
})

describe("what an HTTP peer sees", () => {
  it("C019 rules can look at headers", async () => {
    const peer = await start({
      rules: [
        { when: { headers: { "mcp-session-id": "S1" } }, reply: [{ http: { status: 404 } }] },
        { when: { headers: { "Mcp-Session-Id": null } }, reply: [{ http: { status: 400 } }] },
      ],
      unmatched: [{ result: {} }],
    })
    const status = async (headers: Record<string, string>): Promise<number> =>
      (await post(peer.url, call(1, "x"), headers)).status
    expect(await status({ "mcp-session-id": "S1" })).toBe(404)
    expect(await status({})).toBe(400)
    expect(await status({ "mcp-session-id": "S2" })).toBe(200)
    expect(peer.received[0]).toMatchObject({
      httpMethod: "POST",
      path: "/mcp",
      headers: { "mcp-session-id": "S1", accept: "application/json, text/event-stream" },
      message: { method: "x" },
    })
  })

  it("counts exchanges by method, and sockets", async () => {
    const peer = await start({ rules: [listening] })
    await post(peer.url, call(1, "x"))
    await post(peer.url, call(2, "x"))
    const leave = new AbortController()
    await fetch(peer.url, { signal: leave.signal })
    await (await fetch(peer.url, { method: "DELETE" })).text()
    const count = (method: "GET" | "POST" | "DELETE"): number => peer.exchanges(method).length
    expect([count("GET"), count("POST"), count("DELETE")]).toEqual([1, 2, 1])
    expect(peer.sockets()).toBeGreaterThan(0)
    leave.abort()
    await peer.until(({ kind }) => kind === "disconnect")
    expect(count("GET")).toBe(1)
    await peer.close()
    expect(peer.sockets()).toBe(0)
  })

  it("V26-HTTP-10 sees a client that leaves, and which exchange it left", async () => {
    const peer = await start({ rules: [{ when: {}, reply: [{ comment: "" }, { silence: true }] }] })
    const leave = new AbortController()
    const response = await post(peer.url, call(4, "x"), {}, leave.signal)
    expect(response.status).toBe(200)
    expect(peer.disconnects()).toBe(0)
    leave.abort()
    const gone = await peer.until(({ kind }) => kind === "disconnect")
    expect(gone).toMatchObject({ httpMethod: "POST", message: { id: 4 }, place: 1 })
    expect(peer.disconnects()).toBe(1)
  })

  it("a body that breaks off is a disconnect and nothing more", async () => {
    const peer = await start({ rules: [] })
    const socket = connect(Number(new URL(peer.url).port), "127.0.0.1")
    socket.write("POST /mcp HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{", () => socket.end())
    await peer.until(({ kind }) => kind === "disconnect")
    expect(peer.received).toHaveLength(1)
  })

  it("an exchange that was answered is no disconnect", async () => {
    const peer = await start({ rules: [] })
    await (await post(peer.url, call(1, "x"))).text()
    await peer.close()
    expect(peer.disconnects()).toBe(0)
  })
})

describe("live control over HTTP", () => {
  it("send writes to the GET stream and leaves it open", async () => {
    const peer = await start({ rules: [listening] })
    const read = reader(await fetch(peer.url))
    for (const method of ["a", "b"]) {
      peer.send(notification(method))
      expect(await read()).toBe(`data: {"jsonrpc":"2.0","method":"${method}"}\n\n`)
    }
  })

  it("send can choose the stream, with values of the request that opened it", async () => {
    const reply = [{ comment: "" }, { silence: true }] as const
    const peer = await start({ rules: [listening, { when: {}, reply }] })
    const [general, scoped] = [await fetch(peer.url), await post(peer.url, call(30, "listen"))]
    const readScoped = reader(scoped)
    expect(await readScoped()).toBe(": \n\n")
    peer.send(notification("n", { id: { $from: "/id" } }), { method: "listen" })
    expect(await readScoped()).toContain('"params":{"id":30}')
    peer.send(notification("m"), { httpMethod: "GET" })
    expect(await reader(general)()).toContain('"method":"m"')
  })

  it("send passes over requests that wait for an answer", async () => {
    const peer = await start({ rules: [{ when: {}, reply: [{ silence: true }] }] })
    const held = post(peer.url, call(1, "x"))
    await peer.next("x")
    expect(() => peer.send(notification("n"))).toThrow("Nothing is open")
    peer.play([{ result: {} }], { method: "x" })
    expect(await (await held).json()).toMatchObject({ id: 1 })
  })

  it("play ends, cuts and answers", async () => {
    const peer = await start({ rules: [listening, { when: {}, reply: [{ silence: true }] }] })
    const ended = await fetch(peer.url)
    peer.play([], { httpMethod: "GET" })
    expect(await ended.text()).toBe("")

    const cut = await fetch(peer.url)
    peer.play([{ destroy: true }], { httpMethod: "GET" })
    await expect(cut.text()).rejects.toThrow("terminated")

    const held = post(peer.url, call(7, "x"))
    await peer.next("x")
    peer.play([{ result: { late: true } }], { method: "x" })
    expect(await (await held).json()).toMatchObject({ id: 7, result: { late: true } })
  })

  it("rules change while the peer runs", async () => {
    const peer = await start({ rules: [{ when: {}, reply: [{ result: "old" }] }] })
    peer.add({ when: {}, times: 1, reply: [{ result: "added" }] })
    const result = async (): Promise<unknown> => (await post(peer.url, call(1, "x"))).json()
    expect(await result()).toMatchObject({ result: "added" })
    expect(await result()).toMatchObject({ result: "old" })
    peer.replace([])
    expect(await result()).toMatchObject({ error: { code: -32601 } })
  })

  it("C118 close refuses connections, restart accepts them at the same address", async () => {
    const peer = await start({ rules: [listening] })
    const stream = await fetch(peer.url)
    await peer.close()
    await expect(stream.text()).rejects.toThrow("terminated")
    const refused = await post(peer.url, call(1, "x")).catch((error: Error) => error.cause)
    expect(refused).toMatchObject({ code: "ECONNREFUSED" })
    await peer.close()
    await peer.restart()
    expect((await post(peer.url, call(1, "x"))).status).toBe(200)
    await peer.restart()
    expect((await post(peer.url, call(2, "x"))).status).toBe(200)
    expect(peer.requests("x")).toHaveLength(2)
  })

  it("refuses steps that HTTP cannot play", async () => {
    const script: Script = { rules: [{ when: {}, reply: [{ stderr: "x" }] }] }
    await expect(startHttpPeer(script)).rejects.toThrow("cannot be played over http")
    const peer = await start({ rules: [] })
    expect(() => peer.add({ when: {}, reply: [{ exit: 1 }] })).toThrow("rules[0].reply[0]")
    expect(() => peer.play([{ exit: 1 }])).toThrow("play[0]")
  })
})

describe("httpPeer", () => {
  effectIt.effect("plays delays on the clock of its scope, and closes with it", () =>
    Effect.gen(function* () {
      const url = yield* Effect.scoped(
        Effect.gen(function* () {
          const peer = yield* httpPeer({
            rules: [{ when: {}, reply: [{ delay: 60_000 }, { result: {} }] }],
          })
          const response = post(peer.url, call(1, "x"))
          yield* Effect.promise(() => peer.next("x"))
          yield* TestClock.adjust("1 minute")
          expect((yield* Effect.promise(() => response)).status).toBe(200)
          return peer.url
        }),
      )
      const refused = yield* Effect.flip(Effect.tryPromise(() => post(url, call(2, "x"))))
      expect(refused.cause).toMatchObject({ message: "fetch failed" })
    }),
  )
})
