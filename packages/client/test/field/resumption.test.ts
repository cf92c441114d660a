import { describe, expect } from "vitest"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { Client, memoryVerdicts } from "@entente/client"
import { legacyServer, modernServer, tool, withRules, type Rule, type Step } from "@entente/testkit"
import { httpPeer, type HttpPeer } from "@entente/testkit/node"
import { http } from "@entente/transport"
import { connect, until, passUntil } from "./scripted-http.js"

const offers = { tools: [tool("a")] }
const legacy = legacyServer({ ...offers, sessionIds: ["S1", "S2"] })
const result = { content: [] }

const call = (...reply: ReadonlyArray<Step>): Rule => ({ when: { method: "tools/call" }, reply })

/** What a GET that goes on from an event is answered with, the first time and later. */
const resumed = (from: string, ...reply: ReadonlyArray<Step>): Rule => ({
  when: { httpMethod: "GET", headers: { "last-event-id": from } },
  reply,
})

const answer = (id: unknown): Step => ({ message: { jsonrpc: "2.0", id, result } })

const resumes = (peer: HttpPeer) =>
  peer.exchanges("GET").filter(({ headers }) => headers?.["last-event-id"] !== undefined)

describe("a response stream that ends without its response", () => {
  it.effect(
    "C115 V25-HTTP-18 legacy with an event id: one GET goes on, and the call resolves once",
    () =>
      Effect.gen(function* () {
        const priming: Step = { event: { id: "e1", data: "" } }
        const { peer, client } = yield* connect(
          withRules(legacy, call(priming, { destroy: true })),
          { mode: "legacy", listen: false },
        )
        const calling = yield* Effect.forkChild(client.callTool({ name: "a" }), {
          startImmediately: true,
        })
        yield* until(() => peer.requests("tools/call").length === 1)
        const id = peer.requests("tools/call")[0]?.message.id
        peer.add(resumed("e1", { event: { id: "e2", message: { jsonrpc: "2.0", id, result } } }))
        yield* passUntil(() => resumes(peer).length === 1)
        expect(yield* Fiber.join(calling)).toEqual(result)
        expect(resumes(peer)).toMatchObject([
          { headers: { "mcp-session-id": "S1", "mcp-protocol-version": "2025-11-25" } },
        ])
        expect(peer.requests("tools/call")).toHaveLength(1)
      }),
  )

  it.effect("C115 V25-HTTP-26 a replayed event and a second answer are dropped with a note", () =>
    Effect.gen(function* () {
      const progress: Step = { event: { id: "e1", message: { jsonrpc: "2.0", method: "x/seen" } } }
      const { peer, client } = yield* connect(
        withRules(legacy, call(progress, { destroy: true })),
        {
          mode: "legacy",
          listen: false,
        },
      )
      const heard: Array<string> = []
      client.connection.life.notified.add(({ method }) => heard.push(method))
      const calling = yield* Effect.forkChild(client.callTool({ name: "a" }), {
        startImmediately: true,
      })
      yield* until(() => heard.length === 1)
      const id = peer.requests("tools/call")[0]?.message.id
      peer.add(resumed("e1", progress, answer(id), answer(id)))
      yield* passUntil(() => resumes(peer).length === 1)
      expect(yield* Fiber.join(calling)).toEqual(result)
      expect(heard).toEqual(["x/seen"])
      expect(client.notes).toMatchObject([{ code: "event-replayed", count: 1 }])
    }),
  )

  it.effect.each([
    ["V25-HTTP-24 without an event id", legacy, "legacy"],
    ["V26-HTTP-07 V26-HTTP-08 on a modern connection", modernServer(offers), "modern"],
  ] as const)(
    "C115 %s the call settles at once as lost, and nothing is sent again",
    ([, script, mode]) =>
      Effect.gen(function* () {
        const id = mode === "modern" ? { id: "e1" } : {}
        const { peer, client } = yield* connect(
          withRules(script, call({ event: { ...id, data: "" } }, { destroy: true })),
          { mode, listen: false },
        )
        const failure = yield* Effect.flip(client.callTool({ name: "a" }))
        expect(failure).toMatchObject({ _tag: "RequestLost", code: "lost" })
        yield* TestClock.adjust("1 minute")
        expect(peer.requests("tools/call")).toHaveLength(1)
        expect(peer.exchanges("GET")).toHaveLength(0)
      }),
  )

  it.effect("C115 a read is sent again by itself, once", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* connect(
        withRules(legacy, {
          when: { method: "tools/list" },
          times: 1,
          reply: [{ event: { data: "" } }, { destroy: true }],
        }),
        { mode: "legacy" },
      )
      expect(yield* client.tools.list()).toMatchObject({ status: "complete" })
      expect(peer.requests("tools/list")).toHaveLength(2)
    }),
  )

  it.effect(
    "C116 V25-HTTP-10 V25-HTTP-21 V25-HTTP-22 a server that wants polling is polled at its own pace",
    () =>
      Effect.gen(function* () {
        const polling: Step = { event: { id: "p1", retry: 500, data: "" } }
        const { peer, client } = yield* connect(
          withRules(legacy, call(polling), resumed("p1", { comment: "not yet" })),
          { mode: "legacy", listen: false },
        )
        const calling = yield* Effect.forkChild(client.callTool({ name: "a" }), {
          startImmediately: true,
        })
        yield* passUntil(() => resumes(peer).length === 3, "10 millis")
        const id = peer.requests("tools/call")[0]?.message.id
        peer.add(resumed("p1", answer(id)))
        yield* passUntil(() => resumes(peer).length === 4, "10 millis")
        expect(yield* Fiber.join(calling)).toEqual(result)
        const times = [peer.requests("tools/call")[0]!, ...resumes(peer)].map(({ at }) => at)
        for (const [index, at] of times.entries()) {
          if (index > 0) expect(at - times[index - 1]!).toBeGreaterThanOrEqual(500)
        }
      }),
  )

  it.effect(
    "C116 V25-TIME-05 at its deadline it is timed out, not lost, and the server is told",
    () =>
      Effect.gen(function* () {
        const polling: Step = { event: { id: "p1", retry: 500, data: "" } }
        const { peer, client } = yield* connect(
          withRules(legacy, call(polling), resumed("p1", { comment: "not yet" })),
          { mode: "legacy", listen: false },
        )
        const calling = yield* Effect.forkChild(
          Effect.flip(client.callTool({ name: "a" }, { timeoutMs: 5_000 })),
          { startImmediately: true },
        )
        let over = false
        calling.addObserver(() => (over = true))
        yield* passUntil(() => over)
        expect(yield* Fiber.join(calling)).toMatchObject({ _tag: "RequestTimeout" })
        expect(resumes(peer).length).toBeGreaterThan(0)
        expect(resumes(peer).length).toBeLessThanOrEqual(10)
        const polls = resumes(peer).length
        yield* Effect.promise(() => peer.next("notifications/cancelled"))
        yield* TestClock.adjust("1 minute")
        expect(resumes(peer)).toHaveLength(polls)
      }),
  )

  it.effect("V25-TIME-05 a pause of a minute does not outlive a deadline of five seconds", () =>
    Effect.gen(function* () {
      const slow: Step = { event: { id: "p1", retry: 60_000, data: "" } }
      const { peer, client } = yield* connect(withRules(legacy, call(slow)), {
        mode: "legacy",
        listen: false,
      })
      const calling = yield* Effect.forkChild(
        Effect.flip(client.callTool({ name: "a" }, { timeoutMs: 5_000 })),
        { startImmediately: true },
      )
      yield* until(() => peer.requests("tools/call").length === 1)
      yield* TestClock.adjust("5 seconds")
      expect(yield* Fiber.join(calling)).toMatchObject({ _tag: "RequestTimeout" })
      expect(resumes(peer)).toHaveLength(0)
    }),
  )

  it.effect.each([400, 403, 405, 406])(
    "V25-HTTP-23 a GET that is refused with %i means that the answer is lost",
    (status) =>
      Effect.gen(function* () {
        const { peer, client } = yield* connect(
          withRules(
            legacy,
            call({ event: { id: "e1", data: "" } }),
            resumed("e1", { http: { status } }),
          ),
          { mode: "legacy", listen: false },
        )
        const calling = yield* Effect.forkChild(Effect.flip(client.callTool({ name: "a" })), {
          startImmediately: true,
        })
        yield* passUntil(() => resumes(peer).length === 1)
        expect(yield* Fiber.join(calling)).toMatchObject({
          _tag: "RequestLost",
          cause: { message: expect.stringContaining(String(status)) },
        })
      }),
  )

  it.effect("V25-HTTP-23 without the server's word five tries that bring nothing mean lost", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* connect(
        withRules(
          legacy,
          call({ event: { id: "e1", data: "" } }),
          resumed("e1", { http: { status: 503 } }),
        ),
        { mode: "legacy", listen: false, timeoutMs: Infinity },
      )
      const calling = yield* Effect.forkChild(Effect.flip(client.callTool({ name: "a" })), {
        startImmediately: true,
      })
      let over = false
      calling.addObserver(() => (over = true))
      yield* passUntil(() => over, "500 millis")
      expect(yield* Fiber.join(calling)).toMatchObject({
        _tag: "RequestLost",
        cause: { _tag: "Unreachable", status: 503 },
      })
      const times = resumes(peer).map(({ at }) => at)
      expect(times).toHaveLength(5)
      const pauses = times.slice(1).map((at, index) => at - times[index]!)
      for (const [index, pause] of pauses.entries()) {
        if (index > 0) expect(pause).toBeGreaterThan(pauses[index - 1]!)
      }
    }),
  )

  it.effect(
    "V25-HTTP-32 a GET that is answered 404 in a session is its end: a call is lost with it",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* connect(
          withRules(
            legacy,
            call({ event: { id: "e1", data: "" } }),
            resumed("e1", { http: { status: 404 } }),
          ),
          { mode: "legacy", listen: false },
        )
        const calling = yield* Effect.forkChild(Effect.flip(client.callTool({ name: "a" })), {
          startImmediately: true,
        })
        yield* passUntil(() => resumes(peer).length === 1)
        expect(yield* Fiber.join(calling)).toMatchObject({ _tag: "SessionLost" })
        yield* until(() => client.state === "ready")
        expect(peer.requests("initialize")).toHaveLength(2)
      }),
  )

  it.effect("V25-HTTP-18 two streams that were cut go on each from its own last event", () =>
    Effect.gen(function* () {
      const cut = (name: string): Rule => ({
        when: { method: "tools/call", params: { name } },
        reply: [{ event: { id: `id-${name}`, data: "" } }, { destroy: true }],
      })
      const { peer, client } = yield* connect(withRules(legacy, cut("a"), cut("b")), {
        mode: "legacy",
        listen: false,
      })
      const both = yield* Effect.forkChild(
        Effect.all([client.callTool({ name: "a" }), client.callTool({ name: "b" })], {
          concurrency: 2,
        }),
        { startImmediately: true },
      )
      yield* until(() => peer.requests("tools/call").length === 2)
      for (const { message } of peer.requests("tools/call")) {
        const { name } = message.params as { readonly name: string }
        const content = [{ type: "text", text: name }]
        const reply = { jsonrpc: "2.0", id: message.id, result: { content } }
        peer.add(resumed(`id-${name}`, { event: { message: reply } }))
      }
      yield* passUntil(() => resumes(peer).length === 2)
      const texts = (yield* Fiber.join(both)).map(({ content }) => content)
      expect(texts).toEqual([[{ type: "text", text: "a" }], [{ type: "text", text: "b" }]])
    }),
  )

  it.effect(
    "the answer to initialize may come on a resumed stream, with the session it assigned",
    () =>
      Effect.gen(function* () {
        const initialized = {
          protocolVersion: "2025-11-25",
          capabilities: { tools: {} },
          serverInfo: { name: "polling", version: "1" },
        }
        const headers = { "content-type": "text/event-stream", "mcp-session-id": "S1" }
        const peer = yield* httpPeer(
          withRules(
            legacy,
            {
              when: { method: "initialize" },
              reply: [{ http: { headers } }, { event: { id: "i1", data: "" } }],
            },
            resumed("i1", { message: { jsonrpc: "2.0", id: 1, result: initialized } }),
          ),
        )
        const options = { verdicts: memoryVerdicts(), mode: "legacy", listen: false } as const
        const opening = yield* Effect.forkScoped(Client.connect(http(peer.url), options))
        yield* passUntil(() => peer.methods().includes("notifications/initialized"))
        const client = yield* Fiber.join(opening)
        expect(client.protocolVersion).toBe("2025-11-25")
        expect(resumes(peer)[0]?.headers).toMatchObject({ "mcp-session-id": "S1" })
        expect(resumes(peer)[0]?.headers).not.toHaveProperty("mcp-protocol-version")
        yield* client.tools.list()
        expect(peer.requests("tools/list")[0]?.headers).toMatchObject({ "mcp-session-id": "S1" })
      }),
  )
})
