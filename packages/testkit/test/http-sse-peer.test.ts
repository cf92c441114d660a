import { it as effectIt } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { afterEach, describe, expect, it } from "vitest"
import { legacyServer, notification, tool, type Script, type Step } from "../src/index.js"
import { httpSsePeer, startHttpSsePeer, type HttpSsePeer } from "../src/node.js"
import { call, openSse, post, type SseClient } from "./raw-clients.js"

const open: Array<HttpSsePeer> = []
const start = async (script: Script): Promise<HttpSsePeer> => {
  const peer = await startHttpSsePeer(script)
  open.push(peer)
  return peer
}
afterEach(async () => {
  for (const peer of open.splice(0)) await peer.close()
})

const onOpening = (...reply: ReadonlyArray<Step>): Script => ({
  rules: [{ when: { kind: "open" }, reply }],
})

const ask = async (
  ...reply: ReadonlyArray<Step>
): Promise<readonly [SseClient, Promise<Response>]> => {
  const peer = await start({ rules: [{ when: { method: "x" }, reply }] })
  const client = await openSse(peer.url)
  return [client, client.say(call(5, "x"))]
}

describe("the stream", () => {
  it("V25-SSE-01 begins with the address for messages, one for each client", async () => {
    const peer = await start({ rules: [] })
    expect(peer.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/sse$/)
    expect(await (await openSse(peer.url)).events.take()).toEqual([
      "endpoint",
      "/messages?session=1",
    ])
    expect(await (await openSse(peer.url)).events.take()).toEqual([
      "endpoint",
      "/messages?session=2",
    ])
  })

  it("C092 can lose the prefix of the address", async () => {
    const peer = await start({
      endpoint: "/api/v1/sse",
      messages: "/api/v1/messages/",
      rules: [
        {
          when: { kind: "open" },
          reply: [{ event: { event: "endpoint", data: "/v1/messages/?session_id=1" } }],
        },
        { when: { method: "x" }, reply: [{ result: {} }] },
      ],
    })
    const client = await openSse(peer.url)
    expect((await client.say(call(1, "x"))).status).toBe(404)
    const there = new URL("/api/v1/messages/?session_id=1", peer.url).href
    expect((await post(there, call(2, "x"))).status).toBe(202)
    expect((await client.events.take())[1]).toContain('"id":2')
  })

  it("can be refused, never answered, or begin with something else", async () => {
    const refusing = await start(onOpening({ http: { status: 401 } }))
    expect((await openSse(refusing.url)).status).toBe(401)
    const speaking = await start(onOpening({ comment: "wait" }))
    const { events } = await openSse(speaking.url)
    expect(await events.take()).toEqual(["", "wait"])
    speaking.play([{ raw: "event: endpoint\ndata: /late\n\n" }], { kind: "open" })
    expect(await events.take()).toEqual(["endpoint", "/late"])
  })

  it("ends and is cut", async () => {
    const [ended] = await ask({ close: 1000 })
    expect(await ended.events.take()).toEqual(["end", ""])
    const [cut] = await ask({ result: {} }, { destroy: true })
    expect((await cut.events.take())[0]).toBe("message")
    expect(await cut.events.take()).toEqual(["cut", "terminated"])
  })
})

describe("messages over HTTP+SSE", () => {
  it("V25-SSE-02 get 202, and their answers come on the stream", async () => {
    const [{ events }, posted] = await ask({ message: notification("n") }, { result: {} })
    const response = await posted
    expect([response.status, await response.text()]).toEqual([202, ""])
    expect(await events.take()).toEqual(["message", '{"jsonrpc":"2.0","method":"n"}'])
    expect(await events.take()).toEqual(["message", '{"jsonrpc":"2.0","id":5,"result":{}}'])
  })

  it("a POST can be answered otherwise, or never", async () => {
    const [, refused] = await ask({ http: { status: 400, text: "no" } })
    expect([(await refused).status, await (await refused).text()]).toEqual([400, "no"])
    const [{ events }, held] = await ask({ silence: true })
    const peer = open[1]
    await peer?.next("x")
    peer?.play([{ result: {} }], { method: "x" })
    expect((await held).status).toBe(202)
    expect((await events.take())[1]).toContain('"id":5')
  })

  it("V25-SSE-07 are matched without HTTP, and recorded with it", async () => {
    const peer = await start(legacyServer({ tools: [tool("echo")], sessionIds: ["S"] }))
    const client = await openSse(peer.url)
    await client.say(call(1, "initialize"))
    expect((await client.events.take())[1]).toContain('"protocolVersion":"2025-11-25"')
    await client.say(call(2, "tools/list"))
    expect((await client.events.take())[1]).toContain('"echo"')
    expect(peer.received.map(({ kind, place }) => [kind, place])).toEqual([
      ["open", 1],
      ["request", 2],
      ["request", 3],
    ])
    expect(peer.requests("tools/list")[0]).toMatchObject({
      path: "/messages?session=1",
      headers: { "content-type": "application/json" },
    })
  })

  it("go to the stream they name, and nowhere without one", async () => {
    const peer = await start({ rules: [{ when: {}, reply: [{ result: {} }] }] })
    const clients = [await openSse(peer.url), await openSse(peer.url)] as const
    await clients[0].say(call(1, "x"))
    expect((await clients[0].events.take())[1]).toContain('"id":1')
    clients[0].leave()
    await peer.until(({ kind }) => kind === "disconnect")
    expect((await clients[0].say(call(2, "x"))).status).toBe(404)
    expect(peer.disconnects()).toBe(1)
  })

  it("elsewhere are none: 405 at the stream's address, 404 at others, unless a rule says", async () => {
    const peer = await start({
      rules: [
        {
          when: { kind: "bodiless", path: "/old", httpMethod: "POST" },
          reply: [{ http: { status: 410 } }],
        },
        { when: {}, reply: [{ result: {} }] },
      ],
    })
    expect((await post(peer.url, call(1, "initialize"))).status).toBe(200) // `{}` is for all of HTTP
    peer.replace([{ when: { method: "initialize" }, reply: [{ result: {} }] }])
    expect((await post(peer.url, call(1, "initialize"))).status).toBe(405)
    expect((await post(peer.url.replace("sse", "x"), call(1, "initialize"))).status).toBe(404)
  })
})

describe("live control over HTTP+SSE", () => {
  it("send writes to every stream", async () => {
    const peer = await start({ rules: [] })
    const clients = [await openSse(peer.url), await openSse(peer.url)]
    peer.send(notification("n"))
    for (const { events } of clients) {
      await events.take()
      expect(await events.take()).toEqual(["message", '{"jsonrpc":"2.0","method":"n"}'])
    }
  })

  it("C118 close cuts and refuses, restart accepts at the same address", async () => {
    const peer = await start({ rules: [] })
    const { events } = await openSse(peer.url)
    await events.take()
    expect(peer.sockets()).toBe(1)
    await peer.close()
    expect(await events.take()).toEqual(["cut", "terminated"])
    await peer.restart()
    expect((await openSse(peer.url)).status).toBe(200)
    expect(peer.disconnects()).toBe(0)
  })

  it("refuses steps that HTTP+SSE cannot play", async () => {
    await expect(startHttpSsePeer(onOpening({ exit: 1 }))).rejects.toThrow(
      "cannot be played over http+sse",
    )
  })
})

describe("httpSsePeer", () => {
  effectIt.effect("plays delays on the clock of its scope, and closes with it", () =>
    Effect.gen(function* () {
      const client = yield* Effect.scoped(
        Effect.gen(function* () {
          const peer = yield* httpSsePeer({
            rules: [
              {
                when: { method: "x" },
                reply: [{ http: { status: 202 } }, { delay: 60_000 }, { result: {} }],
              },
            ],
          })
          const client = yield* Effect.promise(() => openSse(peer.url))
          const posted = yield* Effect.promise(() => client.say(call(1, "x")))
          expect(posted.status).toBe(202)
          yield* TestClock.adjust("1 minute")
          expect((yield* Effect.promise(() => client.events.take()))[1]).toContain('"id":1')
          return client
        }),
      )
      expect((yield* Effect.promise(() => client.events.take()))[0]).toBe("cut")
    }),
  )
})
