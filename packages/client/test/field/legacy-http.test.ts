import { describe, expect } from "vitest"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import {
  legacyServer,
  notification,
  request,
  tool,
  withRules,
  type Rule,
  type Step,
} from "@entente/testkit"
import { startHttpPeer } from "@entente/testkit/node"
import { connected, reasonOf } from "./connected.js"
import { connect, passUntil } from "./scripted-http.js"

const offers = { tools: [tool("a")] }
const legacy = legacyServer({ ...offers, sessionIds: ["S1", "S2"] })
const result = { content: [] }
const answer = { jsonrpc: "2.0", id: { $from: "/id" }, result }

const called = (...reply: ReadonlyArray<Step>): Rule => ({ when: { method: "tools/call" }, reply })

describe("messages over legacy HTTP", () => {
  it("V25-HTTP-01 V25-HTTP-04 V25-HTTP-07 each one is a POST of its own, answers to the server too", async () => {
    const sampling = request("s1", "sampling/createMessage", { messages: [] })
    const ping = request("s2", "ping")
    const log = notification("notifications/message", { level: "info", data: "at work" })
    await using peer = await startHttpPeer(
      withRules(
        legacy,
        called(
          { event: { message: sampling } },
          { event: { message: log } },
          { event: { message: ping } },
          { event: { message: answer } },
        ),
      ),
    )
    await using client = await connected(peer.url, { mode: "legacy" })
    const heard: Array<unknown> = []
    client.onNotification((one) => heard.push(one))
    const calls = Array.from({ length: 3 }, () => client.callTool({ name: "a" }))
    expect(await Promise.all(calls)).toEqual([result, result, result])
    await client.tools.list()
    const responses = () => peer.received.filter(({ kind }) => kind === "response")
    await peer.until(() => responses().length === 6)
    expect(heard).toEqual([log, log, log])
    expect(responses().map(({ message }) => message)).toEqual(
      expect.arrayContaining([
        { jsonrpc: "2.0", id: "s1", error: expect.objectContaining({ code: -32601 }) },
        { jsonrpc: "2.0", id: "s2", result: {} },
      ]),
    )
    const posts = peer.exchanges("POST")
    // initialize, initialized, three calls with two answers each, and a list.
    expect(posts).toHaveLength(12)
    expect(new Set(posts.map(({ place }) => place)).size).toBe(posts.length)
    for (const { path, message } of posts) {
      expect(path).toBe("/mcp")
      expect(message).toMatchObject({ jsonrpc: "2.0" })
      expect(Array.isArray(message)).toBe(false)
    }
  })

  it("V25-HTTP-05 where notifications/initialized is refused there is no connection, and the reason is told", async () => {
    const error = { code: -32600, message: "not so fast" }
    await using peer = await startHttpPeer(
      withRules(legacy, {
        when: { method: "notifications/initialized" },
        reply: [{ http: { status: 400, json: { jsonrpc: "2.0", error } } }],
      }),
    )
    expect(
      await reasonOf(connected(peer.url, { mode: "legacy", reconnect: "never" })),
    ).toMatchObject({ message: expect.stringMatching(/notifications\/initialized.*400/s) })
    expect(peer.methods()).toEqual(["initialize", "notifications/initialized"])
  })

  it("C110 a ping on the stream that answers initialize is answered before the handshake goes on", async () => {
    const initialized = {
      protocolVersion: "2025-11-25",
      capabilities: { tools: {} },
      serverInfo: { name: "asks", version: "1" },
    }
    await using peer = await startHttpPeer(
      withRules(
        legacyServer(offers),
        {
          when: { method: "initialize" },
          reply: [{ event: { message: request("srv-1", "ping") } }, { silence: true }],
        },
        { when: { kind: "response" }, reply: [{ http: { status: 202 } }] },
      ),
    )
    const opening = connected(peer.url, { mode: "legacy", listen: false })
    const pong = await peer.next({ kind: "response" })
    expect(pong.message).toEqual({ jsonrpc: "2.0", id: "srv-1", result: {} })
    expect(peer.methods()).toEqual(["initialize"])
    peer.send({ jsonrpc: "2.0", id: 1, result: initialized }, { method: "initialize" })
    await using client = await opening
    expect((await client.tools.list()).status).toBe("complete")
  })

  it("V25-HTTP-40 a server of 2025-03-26 may ignore the version header, and may look at it", async () => {
    const script = legacyServer({ ...offers, revision: "2025-03-26", sessionIds: ["S1"] })
    await using peer = await startHttpPeer(script)
    await using client = await connected(peer.url)
    expect(client.protocolVersion).toBe("2025-03-26")
    expect((await client.tools.list()).status).toBe("complete")
    expect(await client.callTool({ name: "a" })).toMatchObject({ content: [{}] })
    const versions = peer
      .requests()
      .filter(({ message }) => message.method.startsWith("tools"))
      .map(({ headers }) => headers?.["mcp-protocol-version"] ?? "2025-03-26")
    expect(versions).toEqual(["2025-03-26", "2025-03-26"])
  })

  it.each([
    [503, {}],
    [429, { "retry-after": "0" }],
    [500, { "retry-after": "1" }],
  ])("V25-HTTP-45 a call that gets %i is told so, and not made again", async (status, headers) => {
    await using peer = await startHttpPeer(
      withRules(legacy, called({ http: { status, headers, text: "busy" } })),
    )
    await using client = await connected(peer.url)
    expect(await reasonOf(client.callTool({ name: "a" }))).toMatchObject({ status })
    expect((await client.tools.list()).status).toBe("complete")
    expect(peer.requests("tools/call")).toHaveLength(1)
    expect(peer.requests("initialize")).toHaveLength(1)
  })
})

describe("streams of legacy HTTP that end too early", () => {
  it("V25-HTTP-10 V25-HTTP-24 a clean end without any event id loses the call at once", async () => {
    await using peer = await startHttpPeer(withRules(legacy, called({ comment: "going" })))
    await using client = await connected(peer.url)
    expect(await reasonOf(client.callTool({ name: "a" }))).toMatchObject({
      _tag: "RequestLost",
      code: "lost",
    })
    expect(peer.requests("tools/call")).toHaveLength(1)
  })

  it.effect("V25-HTTP-19 what is replayed may have been heard before, and may have gaps", () =>
    Effect.gen(function* () {
      const note = (n: number): Step => ({
        event: { id: `e${n}`, message: notification("x/seen", { n }) },
      })
      const { peer, client } = yield* connect(
        withRules(legacy, called(note(1), note(2), { destroy: true })),
        { listen: false },
      )
      const heard: Array<unknown> = []
      client.connection.life.notified.add(({ params }) => heard.push(params))
      const calling = yield* Effect.forkChild(client.callTool({ name: "a" }), {
        startImmediately: true,
      })
      const { message } = yield* Effect.promise(() => peer.next("tools/call"))
      const { id } = message as { readonly id: number }
      peer.add({
        when: { httpMethod: "GET", headers: { "last-event-id": "e2" } },
        reply: [
          note(1),
          note(2),
          note(5),
          { event: { id: "e9", message: { jsonrpc: "2.0", id, result } } },
        ],
      })
      yield* passUntil(() => peer.exchanges("GET").length === 1)
      expect(yield* Fiber.join(calling)).toEqual(result)
      expect(heard).toEqual([{ n: 1 }, { n: 2 }, { n: 5 }])
      expect(client.notes).toMatchObject([{ code: "event-replayed", count: 2 }])
    }),
  )

  it.effect("V25-HTTP-15 V25-HTTP-16 what belongs to a call may come on any stream", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* connect(
        withRules(
          legacyServer({ ...offers, listens: true }),
          called({ comment: "" }, { silence: true }),
        ),
      )
      yield* passUntil(() => client.listening === "open")
      const heard: Array<string> = []
      client.connection.life.notified.add(({ method }) => heard.push(method))
      const calling = yield* Effect.forkChild(client.callTool({ name: "a" }), {
        startImmediately: true,
      })
      const { message } = yield* Effect.promise(() => peer.next("tools/call"))
      const { id } = message as { readonly id: number }
      const onGet = { httpMethod: "GET" }
      const related = { _meta: { "io.modelcontextprotocol/related-task": { taskId: "t" } } }
      peer.send(notification("notifications/tasks/status", related), onGet)
      peer.send(request("e1", "elicitation/create", related), onGet)
      const asked = yield* Effect.promise(() => peer.next({ kind: "response" }))
      expect(asked.message).toMatchObject({ id: "e1", error: { code: -32601 } })
      peer.send({ jsonrpc: "2.0", id, result }, { method: "tools/call" })
      expect(yield* Fiber.join(calling)).toEqual(result)
      expect(heard).toEqual(["notifications/tasks/status"])
    }),
  )
})
