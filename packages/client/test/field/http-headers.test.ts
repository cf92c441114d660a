import { it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import { Client, memoryVerdicts } from "@entente/client"
import { legacyServer, modernServer, tool, withRules, type Rule } from "@entente/testkit"
import { httpPeer, startHttpPeer } from "@entente/testkit/node"
import { http } from "@entente/transport"
import { connected, names, noted } from "./connected.js"

const legacy = legacyServer({ tools: [tool("a")] })
const both = "application/json, text/event-stream"

const caught = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "it succeeded",
    (error: unknown) => error,
  )

describe("what a client says it accepts", () => {
  it("C121 is both types on every POST of a connection, whatever headers the user has", async () => {
    const asks: Rule = {
      when: { method: "tools/list" },
      times: 1,
      reply: [
        { event: { message: { jsonrpc: "2.0", id: "s1", method: "ping" } } },
        { result: { tools: [tool("a")] } },
      ],
    }
    await using peer = await startHttpPeer(withRules(legacy, asks))
    await using client = await connected(
      http(peer.url, { headers: { Accept: "application/json", "Content-Type": "text/plain" } }),
    )
    await client.tools.list({ headers: { accept: "*/*" } })
    await peer.until(({ kind }) => kind === "response")
    const posts = peer.exchanges("POST")
    expect(posts.map(({ kind }) => kind)).toContain("notification")
    for (const { headers } of posts) {
      expect(headers).toMatchObject({ accept: both, "content-type": "application/json" })
    }
    await peer.until(({ httpMethod }) => httpMethod === "GET")
    const gets = peer.exchanges("GET").map(({ headers }) => headers?.["accept"])
    expect(new Set(gets)).toEqual(new Set(["text/event-stream"]))
  })

  it("C121 a 406 that names no request is told with the server's code and words", async () => {
    const words = "both media types must be accepted"
    const refusing: Rule = {
      when: { method: "tools/call" },
      reply: [{ status: 406, id: "server-error", error: { code: -32600, message: words } }],
    }
    await using peer = await startHttpPeer(withRules(legacy, refusing))
    await using client = await connected(peer.url)
    const other = client.tools.list()
    expect(await caught(client.callTool({ name: "a" }))).toMatchObject({
      _tag: "HttpRejected",
      code: "http-status",
      status: 406,
      cause: { _tag: "PeerError", method: "tools/call", rpcCode: -32600, rpcMessage: words },
    })
    expect(names((await other).items)).toEqual(["a"])
    expect(noted(client)).not.toContain("unknown-reply")
  })
})

describe("a server that refuses whatever it is asked", () => {
  it("C121 is told with its code and words, when the connection cannot be opened", async () => {
    const words = "both media types must be accepted"
    await using peer = await startHttpPeer({
      rules: [
        {
          when: { kind: "request" },
          reply: [{ status: 406, id: "server-error", error: { code: -32600, message: words } }],
        },
      ],
    })
    const error = (await caught(connected(peer.url))) as { attempts: ReadonlyArray<unknown> }
    expect(error.attempts).toContainEqual({
      what: expect.stringContaining("initialize"),
      outcome: expect.stringMatching(/406.*-32600.*both media types/),
    })
  })
})

describe("an answer that does not say what it is", () => {
  const unsaid: Rule = {
    when: { method: "tools/list" },
    reply: [{ result: { tools: [tool("b")] }, headers: { "content-type": "text/plain" } }],
  }

  it("C122 is read by its first bytes, with a note", async () => {
    await using peer = await startHttpPeer(withRules(legacy, unsaid))
    await using client = await connected(peer.url)
    expect(names((await client.tools.list()).items)).toEqual(["b"])
    expect(noted(client)).toContain("content-type-sniffed")
  })

  it.each([{ strict: true }, { tolerances: { "content-type-sniffed": false } }])(
    "C122 with %o it fails its request, and no other",
    async (options) => {
      await using peer = await startHttpPeer(withRules(legacy, unsaid))
      await using client = await connected(peer.url, options)
      expect(await client.tools.list()).toMatchObject({
        status: "unavailable",
        reason: { message: expect.stringContaining("content-type-sniffed") },
      })
      expect(await client.callTool({ name: "a" })).toMatchObject({ content: [{}] })
    },
  )

  it("C122 is no message where it says that it is a web page", async () => {
    const page: Rule = {
      when: { method: "tools/call" },
      reply: [{ result: { content: [] }, headers: { "content-type": "text/html" } }],
    }
    await using peer = await startHttpPeer(withRules(legacy, page))
    await using client = await connected(peer.url)
    expect(await caught(client.callTool({ name: "a" }))).toMatchObject({
      code: "unexpected-content",
    })
  })
})

describe("an acknowledgement that is none", () => {
  it.each([
    ["the value null", "application/json", "null"],
    ["an empty body that has a type", "application/json", ""],
    ["text", "text/plain; charset=UTF-8", "accepted"],
  ])("C052 %s: the connection is ready all the same, with one note", async (_, type, text) => {
    const acknowledging: Rule = {
      when: { method: "notifications/initialized" },
      reply: [{ http: { status: 200, headers: { "content-type": type }, text } }],
    }
    await using peer = await startHttpPeer(withRules(legacy, acknowledging))
    await using client = await connected(peer.url)
    expect(client.state).toBe("ready")
    const ofAck = client.notes.filter(({ code }) => !code.startsWith("listening"))
    expect(ofAck).toEqual([
      { code: "ack-was-not-202", count: 1, detail: "notifications/initialized got HTTP 200" },
    ])
    expect((await client.tools.list()).status).toBe("complete")
  })
})

describe("headers that change while a connection lives", () => {
  it.effect(
    "C128 a supplier is asked for every request, repetitions included, without a reconnect",
    () =>
      Effect.gen(function* () {
        const peer = yield* httpPeer(
          withRules(modernServer({ tools: [tool("a")] }), {
            when: { headers: { authorization: "Bearer T3" } },
            times: 1,
            reply: [{ destroy: true }],
          }),
        )
        const clock = yield* Clock.Clock
        const hour = 3_600_000
        let asked = 0
        const transport = http(peer.url, {
          headers: { "X-Tenant": "fixed", "X-Fixed": "kept", Authorization: "Bearer fixed" },
          requestHeaders: async () => {
            asked += 1
            const passed = Math.floor(clock.currentTimeMillisUnsafe() / hour) + 1
            return { Authorization: `Bearer T${passed}`, "X-Tenant": passed === 1 ? "a" : "b" }
          },
        })
        const client = yield* Client.connect(transport, { verdicts: memoryVerdicts() })
        yield* client.callTool({ name: "a" })
        yield* TestClock.adjust("1 hour")
        yield* client.callTool({ name: "a" })
        yield* client.callTool({ name: "a" }, { headers: { "X-Tenant": "mine", Accept: "*/*" } })
        yield* TestClock.adjust("1 hour")
        // The server cuts the first attempt; the second one asks anew.
        yield* client.tools.list()
        const posts = peer.exchanges("POST").map(({ headers }) => headers ?? {})
        expect(
          posts.map(({ authorization, "x-tenant": tenant }) => `${authorization} ${tenant}`),
        ).toEqual([
          "Bearer T1 a",
          "Bearer T1 a",
          "Bearer T2 b",
          "Bearer T2 mine",
          "Bearer T3 b",
          "Bearer T3 b",
        ])
        for (const headers of posts)
          expect(headers).toMatchObject({ "x-fixed": "kept", accept: both })
        expect(asked).toBe(posts.length)
        expect(peer.requests("server/discover")).toHaveLength(1)
      }),
    { timeout: 30_000 },
  )
})
