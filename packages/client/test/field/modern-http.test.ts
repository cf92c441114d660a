import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import { Client, memoryVerdicts } from "@entente/client"
import { modernServer, tool, withRules, type Rule, type Step } from "@entente/testkit"
import { httpPeer, startHttpPeer, type HttpPeer } from "@entente/testkit/node"
import { http } from "@entente/transport"
import { connected, names, noted } from "./connected.js"

const modern = (...rules: ReadonlyArray<Rule>) =>
  withRules(modernServer({ tools: [tool("a")] }), ...rules)

const called = (...reply: ReadonlyArray<Step>): Rule => ({ when: { method: "tools/call" }, reply })
const answer = { resultType: "complete", content: [] }
const success = { jsonrpc: "2.0", id: { $from: "/id" }, result: answer }
const failure = { code: -32_601, message: "no such thing" }

const caught = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "it succeeded",
    (error: unknown) => error,
  )

/** No modern connection ever does anything but POST, in no session, from no event on. */
const expectPostsOnly = (peer: HttpPeer): void => {
  expect([...peer.exchanges("GET"), ...peer.exchanges("DELETE")]).toEqual([])
  for (const { headers } of peer.received) {
    expect(headers).not.toHaveProperty("mcp-session-id")
    expect(headers).not.toHaveProperty("last-event-id")
  }
}

describe("the stream of a modern request", { timeout: 30_000 }, () => {
  it("V26-HTTP-03 brings its notifications and then its answer; what follows changes nothing", async () => {
    const log = (data: number): Step => ({
      event: {
        message: {
          jsonrpc: "2.0",
          method: "notifications/message",
          params: { level: "info", data },
        },
      },
    })
    const again = { ...success, result: { ...answer, content: [{ type: "text", text: "again" }] } }
    await using peer = await startHttpPeer(
      modern(
        called(log(1), { event: { message: success } }, { event: { message: again } }, log(2)),
      ),
    )
    await using client = await connected(peer.url)
    expect(await client.callTool({ name: "a" })).toEqual(answer)
    expect(await client.callTool({ name: "a" })).toEqual(answer)
    expect(client.state).toBe("ready")
    expect(peer.requests("tools/call")).toHaveLength(2)
  })

  it("V26-HTTP-04 may hold no request of the server: it is noted, and never answered", async () => {
    const ping = { jsonrpc: "2.0", id: 1, method: "ping" }
    await using peer = await startHttpPeer(
      modern(called({ event: { message: ping } }, { event: { message: success } })),
    )
    await using client = await connected(peer.url)
    expect(await client.callTool({ name: "a" })).toEqual(answer)
    await client.tools.list()
    expect(noted(client)).toContain("server-request-in-modern")
    expect(peer.received.filter(({ kind }) => kind === "response")).toEqual([])
  })

  it("V26-HTTP-06 may hold comments wherever an event may begin", async () => {
    await using peer = await startHttpPeer(
      modern(
        called(
          { comment: "one" },
          { raw: ":\r\n:\n: data: {}\n\n" },
          { event: { message: success } },
          { raw: ":late" },
        ),
      ),
    )
    await using client = await connected(peer.url)
    expect(await client.callTool({ name: "a" })).toEqual(answer)
    expect(noted(client)).toEqual([])
  })

  it("V26-HTTP-07 V26-HTTP-08 is never resumed, whatever ids it has: a read is asked anew, under a new id", async () => {
    const cut: Rule = {
      when: { method: "tools/list" },
      times: 1,
      reply: [{ event: { id: "1", retry: 1, data: "" } }, { destroy: true }],
    }
    const ended: Rule = { ...cut, reply: [{ event: { id: "2", retry: 1, data: "" } }] }
    for (const rule of [cut, ended]) {
      await using peer = await startHttpPeer(modern(rule))
      const client = await connected(peer.url)
      expect(names((await client.tools.list()).items)).toEqual(["a"])
      const ids = peer.requests("tools/list").map(({ message }) => message.id)
      expect(new Set(ids).size).toBe(2)
      await client.close()
      expectPostsOnly(peer)
    }
  })

  it("V26-HTTP-08 V26-HTTP-09 that breaks off loses a call that may have effects: it is not made twice", async () => {
    const cuts: ReadonlyArray<ReadonlyArray<Step>> = [
      [{ event: { id: "1", data: "" } }, { destroy: true }],
      [{ comment: "open" }],
      [
        { http: { headers: { "content-type": "application/json" }, text: '{"json' } },
        { destroy: true },
      ],
      [{ destroy: true }],
    ]
    for (const reply of cuts) {
      await using peer = await startHttpPeer(modern(called(...reply)))
      await using client = await connected(peer.url)
      expect(await caught(client.callTool({ name: "a" }))).toMatchObject({
        _tag: "RequestLost",
        code: "lost",
        method: "tools/call",
      })
      expect(peer.requests("tools/call")).toHaveLength(1)
      expectPostsOnly(peer)
    }
  })

  it.each<[when: string, reply: ReadonlyArray<Step>]>([
    ["before any answer", [{ silence: true }]],
    ["after the head", [{ comment: "open" }, { silence: true }]],
    [
      "in the middle of JSON",
      [
        { http: { headers: { "content-type": "application/json" }, text: '{"json' } },
        { silence: true },
      ],
    ],
  ])("V26-HTTP-10 V26-HTTP-11 is closed by an abort %s, and that says all", async (_, reply) => {
    await using peer = await startHttpPeer(modern(called(...reply)))
    await using client = await connected(peer.url)
    const stop = new AbortController()
    const call = caught(client.callTool({ name: "a" }, { signal: stop.signal }))
    await peer.next("tools/call")
    const left = peer.until(({ kind }) => kind === "disconnect")
    stop.abort()
    expect(await call).toMatchObject({ _tag: "RequestAborted" })
    expect(await left).toMatchObject({ message: { method: "tools/call" } })
    await client.tools.list()
    expect(peer.methods()).toEqual(["server/discover", "tools/call", "tools/list"])
    expectPostsOnly(peer)
  })

  it.effect("V26-HTTP-12 is closed when its time is over, and that says all", () =>
    Effect.gen(function* () {
      const peer = yield* httpPeer(modern(called({ comment: "open" }, { silence: true })))
      const client = yield* Client.connect(http(peer.url), { verdicts: memoryVerdicts() })
      const call = yield* Effect.forkChild(Effect.flip(client.callTool({ name: "a" })))
      yield* Effect.promise(() => peer.next("tools/call"))
      yield* TestClock.adjust("59 seconds")
      expect(peer.disconnects()).toBe(0)
      yield* TestClock.adjust("1 second")
      expect(yield* Fiber.join(call)).toMatchObject({ _tag: "RequestTimeout", timeoutMs: 60_000 })
      yield* Effect.promise(() => peer.until(({ kind }) => kind === "disconnect"))
      expect(peer.methods()).toEqual(["server/discover", "tools/call"])
    }),
  )
})

describe("the status of a modern answer", { timeout: 30_000 }, () => {
  it.each([200, 400, 404, 409, 422, 500, 503])(
    "V26-HTTP-14 %i: a JSON-RPC error in its body is the answer, whatever it is called",
    async (status) => {
      const types = ["application/json", "text/plain", "application/problem+json"]
      for (const type of status === 200 ? types.slice(0, 2) : types) {
        const error = { code: -32_602, message: "Unknown tool: a" }
        await using peer = await startHttpPeer(
          modern(called({ status, error, headers: { "content-type": type } })),
        )
        await using client = await connected(peer.url)
        expect(await caught(client.callTool({ name: "a" }))).toMatchObject({
          _tag: "PeerError",
          rpcCode: -32_602,
          rpcMessage: "Unknown tool: a",
        })
        expect(peer.requests("tools/call")).toHaveLength(1)
      }
    },
  )

  const challenge = { "www-authenticate": 'Bearer error="insufficient_scope", scope="more"' }

  it.each<[row: string, reply: Step, outcome: object, again?: ReadonlyArray<string>]>([
    ["200 with JSON", { result: answer }, answer],
    ["200 with a stream", { event: { message: success } }, answer],
    ["202, after which no answer can come", { http: { status: 202 } }, { _tag: "RequestLost" }],
    [
      "400 with −32020",
      { status: 400, error: { code: -32_020, message: "header mismatch" } },
      { _tag: "PeerError", rpcCode: -32_020, status: 400 },
      ["tools/list", "tools/call"], // once, with what the tool's description says now (C031)
    ],
    [
      "400 with −32021",
      { status: 400, error: { code: -32_021, message: "capability", data: {} } },
      { _tag: "PeerError", rpcCode: -32_021, status: 400 },
    ],
    [
      "400 with −32602",
      { status: 400, error: { code: -32_602, message: "bad _meta" } },
      { _tag: "PeerError", rpcCode: -32_602, status: 400 },
    ],
    [
      "400 without JSON-RPC",
      { http: { status: 400, text: "bad" } },
      { _tag: "HttpRejected", code: "http-status", status: 400 },
    ],
    [
      "401",
      { http: { status: 401, headers: { "www-authenticate": "Bearer" } } },
      { _tag: "AuthorizationRequired", code: "authorization-required", status: 401 },
    ],
    [
      "403 with a scope that is missing",
      { http: { status: 403, headers: challenge } },
      {
        _tag: "AuthorizationRequired",
        code: "forbidden",
        challenges: [{ scheme: "bearer", parameters: { error: "insufficient_scope" } }],
      },
    ],
    [
      "404 with −32601",
      { status: 404, error: failure },
      { _tag: "PeerError", rpcCode: -32_601, status: 404 },
    ],
    [
      "404 without JSON-RPC",
      { http: { status: 404, text: "not here" } },
      { _tag: "HttpRejected", code: "http-status", status: 404 },
    ],
    ["405", { http: { status: 405 } }, { _tag: "HttpRejected", status: 405 }],
    ["413", { http: { status: 413 } }, { _tag: "HttpRejected", status: 413 }],
    ["431", { http: { status: 431 } }, { _tag: "HttpRejected", status: 431 }],
  ])(
    "V26-HTTP-15 V26-HDR-14 %s is told as it is, and the connection stays",
    async (_, reply, outcome, again = []) => {
      await using peer = await startHttpPeer(modern(called(reply)))
      await using client = await connected(peer.url)
      const told = await client.callTool({ name: "a" }).catch((error: unknown) => error)
      expect(told).toMatchObject(outcome)
      expect((await client.tools.list()).status).toBe("complete")
      expect(client.state).toBe("ready")
      expect(peer.methods()).toEqual(["server/discover", "tools/call", ...again, "tools/list"])
      expectPostsOnly(peer)
    },
  )

  it("V26-HTTP-15 404 with −32601 is a method that is unknown, and no session that was lost", async () => {
    await using peer = await startHttpPeer(modern())
    await using client = await connected(peer.url)
    expect(await caught(client.request("x/unknown", {}))).toMatchObject({
      _tag: "PeerError",
      rpcCode: -32_601,
      status: 404,
    })
    expect((await client.tools.list()).status).toBe("complete")
    expect(peer.methods()).toEqual(["server/discover", "x/unknown", "tools/list"])
    expect(noted(client)).not.toContain("session-renewed")
  })
})

describe("headers of a modern request", { timeout: 30_000 }, () => {
  it.each(["Grüße", "a b ", "=?base64?eA==?=", "日本", "x\ny"])(
    "V26-HDR-05 Mcp-Name for the tool %j comes through any header",
    async (name) => {
      // The peer refuses a call whose header does not repeat its body.
      await using peer = await startHttpPeer(modernServer({ tools: [tool(name)] }))
      await using client = await connected(peer.url)
      await client.tools.list()
      expect(await client.callTool({ name })).toMatchObject({ content: expect.anything() })
      const [call] = peer.requests("tools/call")
      expect(call?.headers?.["mcp-method"]).toBe("tools/call")
      expect(call?.headers?.["mcp-name"]).toMatch(/^=\?base64\?[A-Za-z0-9+/=]+\?=$/)
    },
  )
})
