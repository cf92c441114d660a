import { describe, expect } from "vitest"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import type { Client } from "@entente/client"
import { notification, withRules, type Peer, type Step } from "@entente/testkit"
import { httpPeer } from "@entente/testkit/node"
import { http } from "@entente/transport"
import { Client as Core, memoryVerdicts } from "@entente/client"
import { passUntil, until } from "../field/scripted-http.js"
import {
  acknowledge,
  asked,
  changed,
  detailOf,
  listen,
  listenIds,
  noted,
  offersAll,
  onListen,
  server,
  subscription,
  ways,
  type Way,
} from "./modern-peers.js"

const everyWay: ReadonlyArray<Way> = ["http", "memory"]

const works = (client: Client.Client) =>
  Effect.gen(function* () {
    expect(client.state).toBe("ready")
    expect(yield* client.callTool({ name: "a" })).toMatchObject({ content: [{}] })
  })

const isOpen = (client: Client.Client) => until(() => client.listening === "open")

/** What the client hears from now on. */
const hearing = (client: Client.Client) => {
  const heard: Array<string> = []
  client.connection.life.notified.add(({ method }) => heard.push(method))
  return heard
}

const cancelled = (peer: Peer) =>
  peer.received.flatMap(({ message }) =>
    (message as { method?: string } | undefined)?.method === "notifications/cancelled"
      ? [(message as { params: { requestId: unknown } }).params.requestId]
      : [],
  )

describe("listening to a modern server", () => {
  it.effect.each(everyWay)(
    "V26-SUB-01 V26-SUB-15 V26-DISC-05 over %s it asks for what the server offers, and hears it",
    (way) =>
      Effect.gen(function* () {
        const { peer, client } = yield* ways[way](server())
        yield* isOpen(client)
        expect(asked(peer)).toEqual([
          { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true },
        ])
        expect(client.subscriptions).toEqual({
          asked: asked(peer)[0],
          filter: asked(peer)[0],
          withheld: {},
        })
        const heard = hearing(client)
        peer.send(changed("tools"), subscription)
        yield* until(() => heard.length === 1)
        expect(heard).toEqual(["notifications/tools/list_changed"])
        expect(noted(client)).toEqual([])
        yield* works(client)
      }),
  )

  it.effect.each([
    [{ tools: {}, prompts: { listChanged: false }, resources: { subscribe: true } }, []],
    [{ tools: { listChanged: true }, prompts: {} }, [{ toolsListChanged: true }]],
  ] as const)(
    "V26-SUB-15 V26-DISC-05 of a server that offers %j it asks for %j",
    ([capabilities, filters]) =>
      Effect.gen(function* () {
        const { peer, client } = yield* ways.memory(server({ capabilities }))
        yield* works(client)
        yield* until(() => client.listening === (filters.length === 0 ? "closed" : "open"))
        expect(asked(peer)).toEqual(filters)
      }),
  )

  it.effect("is not opened where nobody wants it", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* ways.memory(server(), { listen: false })
      yield* works(client)
      expect(asked(peer)).toEqual([])
      expect(client.listening).toBe("closed")
    }),
  )

  it.effect.each(everyWay)(
    "V26-SUB-17 T-13 V26-HTTP-13 over %s it stays open, silent, for days and past every time-out",
    (way) =>
      Effect.gen(function* () {
        const { peer, client } = yield* ways[way](server(), { timeoutMs: 1_000 })
        yield* isOpen(client)
        yield* TestClock.adjust("3 days")
        expect(client.listening).toBe("open")
        const heard = hearing(client)
        peer.send(changed("tools"), subscription)
        yield* until(() => heard.length === 1)
        expect(asked(peer)).toHaveLength(1)
        expect(cancelled(peer)).toEqual([])
      }),
  )

  it.effect("V26-HTTP-13 V26-SUB-17 over HTTP neither idle nor total ends it", () =>
    Effect.gen(function* () {
      const peer = yield* httpPeer(server())
      const transport = http(peer.url, { timeouts: { idle: 5_000, total: 30_000 } })
      const client = yield* Core.connect(transport, { verdicts: memoryVerdicts(), mode: "modern" })
      yield* isOpen(client)
      yield* TestClock.adjust("1 hour")
      expect(client.listening).toBe("open")
      expect(asked(peer)).toHaveLength(1)
    }),
  )

  it.effect.each(everyWay)(
    "V26-SUB-17 C050 over %s no acknowledgement within 10 s ends it alone: it is cancelled, and not tried again",
    (way) =>
      Effect.gen(function* () {
        const hello: ReadonlyArray<Step> = way === "http" ? [{ comment: "hello" }] : []
        const { peer, client } = yield* ways[way](
          withRules(server(), listen([...hello, { silence: true }])),
        )
        yield* until(() => asked(peer).length === 1)
        expect(client.listening).toBe("opening")
        yield* works(client)
        yield* TestClock.adjust("10 seconds")
        expect(client.listening).toBe("unavailable")
        expect(detailOf(client, "listening-unavailable")).toContain("not acknowledged in time")
        if (way === "http") yield* until(() => peer.disconnects() === 1)
        else yield* until(() => cancelled(peer).length === 1)
        yield* TestClock.adjust("10 minutes")
        expect(asked(peer)).toHaveLength(1)
        yield* works(client)
      }),
  )

  it.effect.each(everyWay)(
    "V26-SUB-09 over %s it is opened when somebody wants something, and ended when nobody does",
    (way) =>
      Effect.gen(function* () {
        const { peer, client } = yield* ways[way](server(), { listen: false })
        const release = client.connection.life.listening.tasks.add("task-1")
        yield* isOpen(client)
        const [id] = listenIds(peer)
        release()
        if (way === "http") yield* until(() => peer.disconnects() === 1)
        else yield* until(() => cancelled(peer).length === 1)
        // V26-HTTP-10: over HTTP closing the stream says it, and nothing else is sent.
        expect(cancelled(peer)).toEqual(way === "http" ? [] : [id])
        expect(client.listening).toBe("closed")
        expect(client.subscriptions).toEqual({ withheld: {} })
        yield* works(client)
      }),
  )

  it.effect("V26-SUB-09 over HTTP closing the client closes the stream", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* ways.http(server())
      yield* isOpen(client)
      yield* client.close
      yield* until(() => peer.disconnects() === 1)
      expect(cancelled(peer)).toEqual([])
      expect(client.listening).toBe("closed")
      yield* TestClock.adjust("10 minutes")
      expect(asked(peer)).toHaveLength(1)
    }),
  )
})

describe("what counts is the acknowledgement", () => {
  it.effect.each(everyWay)(
    "V26-SUB-04 V26-SUB-02 over %s what is not granted is told, and dropped where it comes all the same",
    (way) =>
      Effect.gen(function* () {
        const { peer, client } = yield* ways[way](
          withRules(
            server(),
            listen([{ message: acknowledge({ toolsListChanged: true }) }, { silence: true }]),
          ),
        )
        yield* isOpen(client)
        expect(client.subscriptions).toMatchObject({
          filter: { toolsListChanged: true },
          withheld: { promptsListChanged: true, resourcesListChanged: true },
        })
        expect(detailOf(client, "listening-narrowed")).toBe(
          "not granted: promptsListChanged, resourcesListChanged",
        )
        yield* client.prompts.list()
        const heard = hearing(client)
        peer.send(changed("prompts"), subscription)
        peer.send(changed("tools"), subscription)
        yield* until(() => heard.length === 1)
        expect(heard).toEqual(["notifications/tools/list_changed"])
        expect(detailOf(client, "notice-dropped")).toBe(
          "notifications/prompts/list_changed: it was not granted",
        )
        expect(client.prompts.last?.stale).toBe(false)
      }),
  )

  it.effect("V26-SUB-02 what was never asked for is not granted by granting it", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* ways.memory(
        withRules(
          server({ capabilities: { tools: { listChanged: true } } }),
          listen([
            {
              message: acknowledge({
                toolsListChanged: true,
                promptsListChanged: true,
                resourceSubscriptions: ["a://1"],
              }),
            },
          ]),
        ),
      )
      yield* isOpen(client)
      expect(client.subscriptions.filter).toEqual({ toolsListChanged: true })
      const heard = hearing(client)
      peer.send(changed("prompts"), subscription)
      peer.send(onListen("notifications/resources/updated", { uri: "a://1" }), subscription)
      peer.send(changed("tools"), subscription)
      yield* until(() => heard.length === 1)
      expect(heard).toEqual(["notifications/tools/list_changed"])
      expect(client.notes).toMatchObject([{ code: "notice-dropped", count: 2 }])
    }),
  )

  it.effect.each(everyWay)(
    "V26-SUB-04 C037 (c) over %s nothing granted: the stream is closed, and the caller can read it",
    (way) =>
      Effect.gen(function* () {
        const { peer, client } = yield* ways[way](
          withRules(server(), listen([{ message: acknowledge({}) }, { silence: true }])),
        )
        yield* until(() => client.listening === "unsupported")
        expect(client.subscriptions).toMatchObject({
          filter: {},
          withheld: { toolsListChanged: true },
        })
        expect(detailOf(client, "listening-unsupported")).toContain("grants nothing")
        if (way === "http") yield* until(() => peer.disconnects() === 1)
        else yield* until(() => cancelled(peer).length === 1)
        yield* TestClock.adjust("10 minutes")
        expect(asked(peer)).toHaveLength(1)
        yield* works(client)
      }),
  )

  it.effect.each(everyWay)(
    "V26-SUB-03 over %s what comes before it is dropped, and it may come once",
    (way) =>
      Effect.gen(function* () {
        const { peer, client } = yield* ways[way](
          withRules(
            server(),
            listen([
              { message: changed("tools") },
              { message: acknowledge() },
              { message: acknowledge({}) },
              { silence: true },
            ]),
          ),
        )
        const heard = hearing(client)
        yield* isOpen(client)
        peer.send(changed("prompts"), subscription)
        yield* until(() => heard.includes("notifications/prompts/list_changed"))
        expect(heard).not.toContain("notifications/tools/list_changed")
        expect(client.notes).toMatchObject([{ code: "notice-dropped", count: 2 }])
        expect(client.subscriptions.withheld).toEqual({})
      }),
  )

  it.effect("one that is malformed is none", () =>
    Effect.gen(function* () {
      const { client } = yield* ways.memory(
        withRules(server(), listen([{ message: acknowledge("everything") }])),
      )
      yield* until(() => noted(client).includes("notice-dropped"))
      expect(client.listening).toBe("opening")
      yield* TestClock.adjust("10 seconds")
      expect(client.listening).toBe("unavailable")
    }),
  )
})

describe("whose a notification is", () => {
  it.effect.each(everyWay)(
    "V26-SUB-05 V26-SUB-06 V26-STDIO-05 T-23 C037 (a) over %s only the subscription's own name counts, in its own type",
    (way) =>
      Effect.gen(function* () {
        const { peer, client } = yield* ways[way](server())
        yield* client.tools.list()
        yield* isOpen(client)
        const heard = hearing(client)
        const before = peer.requests("tools/list").length
        peer.send(changed("tools", 99), subscription)
        peer.send(changed("tools", { $text: "/id" }), subscription)
        peer.send(changed("tools", null), subscription)
        peer.send(changed("tools", { $from: "/params" }), subscription)
        peer.send(changed("prompts"), subscription)
        yield* until(() => heard.length === 1)
        expect(heard).toEqual(["notifications/prompts/list_changed"])
        expect(client.notes).toMatchObject([{ code: "notice-dropped", count: 4 }])
        expect(client.tools.last?.stale).toBe(false)
        expect(peer.requests("tools/list")).toHaveLength(before)
      }),
  )

  it.effect("V26-HTTP-17 on the stream of a call a change means nothing, whatever it names", () =>
    Effect.gen(function* () {
      const outside: ReadonlyArray<Step> = [
        { message: notification("notifications/tools/list_changed") },
        { message: changed("tools", 2) },
        { message: acknowledge({}, 2) },
        { result: { resultType: "complete", content: [] } },
      ]
      const { peer, client } = yield* ways.http(
        withRules(server(), { when: { method: "tools/call" }, reply: outside }),
      )
      yield* isOpen(client)
      expect(listenIds(peer)).toEqual([2])
      yield* client.tools.list()
      yield* client.callTool({ name: "a" })
      expect(client.notes).toMatchObject([{ code: "notice-dropped", count: 3 }])
      expect(client.tools.last?.stale).toBe(false)
      expect(client.listening).toBe("open")
    }),
  )

  it.effect("V26-STDIO-05 on a shared channel a change that names nothing is nobody's", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* ways.memory(server())
      yield* isOpen(client)
      const heard = hearing(client)
      peer.send(notification("notifications/tools/list_changed"))
      peer.send(notification("notifications/message", { level: "info", data: 1 }))
      yield* until(() => heard.length === 1)
      expect(heard).toEqual(["notifications/message"])
      expect(detailOf(client, "notice-dropped")).toContain("outside any subscription")
    }),
  )

  it.effect.each([
    [{}, ["notifications/tools/list_changed", "x/end"], "subscription-id-missing"],
    [{ strict: true }, ["x/end"], "notice-dropped"],
  ] as const)(
    "T-32 over HTTP the stream says whose a change is that names nothing; with %j: %j",
    ([options, told, code]) =>
      Effect.gen(function* () {
        const { peer, client } = yield* ways.http(server(), options)
        yield* isOpen(client)
        const heard = hearing(client)
        peer.send(notification("notifications/tools/list_changed"), subscription)
        peer.send(onListen("x/end"), subscription)
        yield* until(() => heard.includes("x/end"))
        expect(heard).toEqual(told)
        expect(noted(client)).toEqual([code])
      }),
  )

  it.effect.each(everyWay)(
    "V26-SUB-13 V26-HTTP-17 V26-LOG-02 over %s progress and log messages on it are dropped",
    (way) =>
      Effect.gen(function* () {
        const { peer, client } = yield* ways[way](
          withRules(server(), { when: { method: "tools/call" }, reply: [{ silence: true }] }),
        )
        yield* isOpen(client)
        const heard = hearing(client)
        const progress: Array<number> = []
        const abort = new AbortController()
        const calling = Effect.runPromise(
          client.callTool(
            { name: "a" },
            { meta: { progressToken: "T" }, onProgress: (told) => progress.push(told.progress) },
          ),
          { signal: abort.signal },
        ).catch(() => {})
        yield* until(() => peer.requests("tools/call").length === 1)
        const told = { progressToken: "T", progress: 1 }
        peer.send(onListen("notifications/progress", told), subscription)
        peer.send(onListen("notifications/message", { level: "info", data: 1 }), subscription)
        if (way === "http") {
          peer.send(notification("notifications/message", { level: "info", data: 1 }), subscription)
        }
        peer.send(changed("tools"), subscription)
        yield* until(() => heard.length === 1)
        expect(heard).toEqual(["notifications/tools/list_changed"])
        expect(progress).toEqual([])
        expect(client.notes).toMatchObject([
          { code: "notice-dropped", count: way === "http" ? 3 : 2 },
        ])
        abort.abort()
        yield* Effect.promise(() => calling)
      }),
  )

  it.effect("V26-SUB-08 V26-SUB-12 a late word of an ended one does not reach the next", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* ways.memory(server())
      yield* isOpen(client)
      const [first] = listenIds(peer)
      peer.play([{ result: { resultType: "complete" } }], subscription)
      yield* passUntil(() => asked(peer).length === 2 && client.listening === "open")
      expect(new Set(listenIds(peer)).size).toBe(2)
      const heard = hearing(client)
      peer.send(changed("tools", first), subscription)
      peer.send(changed("prompts"), subscription)
      yield* until(() => heard.length === 1)
      expect(heard).toEqual(["notifications/prompts/list_changed"])
    }),
  )
})

describe("the end of a subscription", () => {
  const over: Step = {
    result: { resultType: "complete", _meta: { "io.modelcontextprotocol/subscriptionId": 2 } },
  }
  const takenBack: Step = {
    message: notification("notifications/cancelled", { requestId: { $from: "/id" } }),
  }
  /** The end with what follows it: over HTTP the stream ends after the last step, unless it is held open. */
  const ends: ReadonlyArray<readonly [string, ReadonlyArray<Step>, ReadonlyArray<Way>]> = [
    ["a result", [over], everyWay],
    ["a cancellation", [takenBack, { silence: true }], everyWay],
    ["a result, then a cancellation", [over, takenBack], ["memory"]],
    [
      "a result, then a cancellation, on a stream held open",
      [over, takenBack, { silence: true }],
      ["http"],
    ],
    ["a cancellation, then a result", [takenBack, over], everyWay],
    ["a cancellation and the end of the stream", [takenBack], ["http"]],
  ]
  const cases = ends.flatMap(([name, steps, over]) =>
    over.map((way) => [name, way, steps] as const),
  )

  it.effect.each(cases)(
    "V26-SUB-10 V26-SUB-11 T-14 by %s over %s it is opened again, more slowly, and lists are read again",
    ([, way, steps]) =>
      Effect.gen(function* () {
        const { peer, client } = yield* ways[way](server())
        yield* client.tools.list()
        yield* isOpen(client)
        const states: Array<string> = []
        client.connection.life.listening.changed.add((state) => states.push(state))
        peer.play(steps, subscription)
        yield* until(() => client.listening === "backingOff")
        expect(client.tools.last).toMatchObject({ status: "complete", stale: true })
        expect(client.subscriptions.filter).toBeUndefined()
        yield* TestClock.adjust("4999 millis")
        yield* works(client)
        expect(asked(peer)).toHaveLength(1)
        yield* passUntil(() => client.listening === "open")
        yield* until(() => client.tools.last?.stale === false)
        expect(client.tools.last).toMatchObject({ changed: false })
        expect(asked(peer)).toHaveLength(2)
        expect(states).toEqual(["backingOff", "opening", "open"])
        // Nothing is cancelled that the server has ended itself.
        expect(cancelled(peer)).toEqual([])
        yield* works(client)
      }),
  )

  it.effect.each<readonly [string, ReadonlyArray<Step>]>([
    ["the stream ends without a word", []],
    ["the socket is cut", [{ destroy: true }]],
    ["an error", [{ error: { code: -32603, message: "restarting" } }]],
    [
      "an error that would have been a refusal before",
      [{ error: { code: -32602, message: "no" } }],
    ],
  ])(
    "V26-SUB-10 V26-SUB-11 by a loss over HTTP (%s) it comes back sooner, and the connection stays",
    ([, steps]) =>
      Effect.gen(function* () {
        const { peer, client } = yield* ways.http(server())
        yield* client.tools.list()
        yield* isOpen(client)
        peer.play(steps, subscription)
        yield* until(() => client.listening === "backingOff")
        expect(client.tools.last?.stale).toBe(true)
        expect(client.state).toBe("ready")
        yield* TestClock.adjust("999 millis")
        expect(asked(peer)).toHaveLength(1)
        yield* passUntil(() => client.listening === "open", "10 millis")
        const [first, second] = peer.requests("subscriptions/listen").map(({ at }) => at)
        expect(second! - first!).toBeGreaterThanOrEqual(1_000)
        expect(second! - first!).toBeLessThan(4_000)
        yield* until(() => client.tools.last?.stale === false)
      }),
  )

  it.effect("V26-SUB-11 V26-CACHE-10 only what was covered goes stale, and is read again", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* ways.http(
        withRules(
          server(),
          listen([{ message: acknowledge({ toolsListChanged: true }) }, { silence: true }]),
        ),
      )
      yield* client.tools.list()
      yield* client.prompts.list()
      yield* isOpen(client)
      peer.play([{ destroy: true }], subscription)
      yield* until(() => client.listening === "backingOff")
      expect([client.tools.last?.stale, client.prompts.last?.stale]).toEqual([true, false])
      yield* passUntil(() => client.listening === "open")
      yield* until(() => client.tools.last?.stale === false)
      expect(peer.requests("tools/list")).toHaveLength(2)
      expect(peer.requests("prompts/list")).toHaveLength(1)
    }),
  )

  it.effect(
    "V26-SUB-11 C047 streams that bring nothing are opened ever more slowly, then no more",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* ways.http(
          withRules(server(), listen([{ message: acknowledge() }, { comment: "bye" }])),
          { listen: { maxFruitless: 3 } },
        )
        yield* passUntil(() => client.listening === "unavailable", "10 millis")
        const times = peer.requests("subscriptions/listen").map(({ at }) => at)
        expect(times).toHaveLength(3)
        expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(1_000)
        expect(times[2]! - times[1]!).toBeGreaterThanOrEqual(2_000)
        yield* TestClock.adjust("10 minutes")
        expect(asked(peer)).toHaveLength(3)
        yield* works(client)
      }),
  )

  it.effect.each(everyWay)(
    "V26-CANC-05 V26-CANC-06 over %s a cancellation of anything else is dropped",
    (way) =>
      Effect.gen(function* () {
        const takenBack = (requestId: unknown): Step => ({
          message: notification("notifications/cancelled", { requestId }),
        })
        const { peer, client } = yield* ways[way](
          withRules(server(), {
            when: { method: "tools/call" },
            reply: [
              takenBack({ $from: "/id" }),
              takenBack({ $text: "/id" }),
              takenBack(undefined),
              { result: { resultType: "complete", content: [] } },
            ],
          }),
        )
        yield* isOpen(client)
        expect(yield* client.callTool({ name: "a" })).toMatchObject({ content: [] })
        expect(client.notes).toMatchObject([{ code: "notice-dropped", count: 3 }])
        expect(client.listening).toBe("open")
        expect(asked(peer)).toHaveLength(1)
      }),
  )
})

describe("a server that does not want to be listened to", () => {
  const refusals: ReadonlyArray<readonly [string, Step]> = [
    ["404 with -32601", { status: 404, error: { code: -32601, message: "Method not found" } }],
    ["-32601", { error: { code: -32601, message: "Method not found" } }],
    ["400 with -32602", { status: 400, error: { code: -32602, message: "no" } }],
    ["-32021", { status: 400, error: { code: -32021, message: "no tasks" } }],
    ["404 without JSON-RPC", { http: { status: 404 } }],
    ["401", { http: { status: 401 } }],
    ["501", { http: { status: 501 } }],
  ]

  it.effect.each(refusals)(
    "V26-SUB-16 C037 (b) answered with %s it is asked once, noted, and nothing else changes",
    ([, step]) =>
      Effect.gen(function* () {
        const { peer, client } = yield* ways.http(withRules(server(), listen([step])))
        yield* until(() => client.listening === "unsupported")
        expect(noted(client)).toEqual(["listening-unsupported"])
        yield* client.tools.list()
        yield* TestClock.adjust("1 hour")
        expect(asked(peer)).toHaveLength(1)
        // Freshness comes from reading: nothing is polled in the background.
        expect(peer.requests("tools/list")).toHaveLength(1)
        expect(client.era).toBe("modern")
        yield* works(client)
      }),
  )

  it.effect("V26-SUB-16 C049 a 503 is tried once more, later; then it is unavailable", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* ways.http(
        withRules(server(), listen([{ http: { status: 503 } }])),
      )
      yield* until(() => client.listening === "backingOff")
      yield* passUntil(() => client.listening === "unavailable")
      expect(asked(peer)).toHaveLength(2)
      expect(noted(client)).toEqual(["listening-unavailable"])
      yield* works(client)
    }),
  )

  it.effect("V26-SUB-11 a stream that was open survives an outage of its server", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* ways.http(server())
      yield* isOpen(client)
      peer.add(listen([{ http: { status: 503 } }], { times: 3 }))
      peer.play([{ destroy: true }], subscription)
      yield* passUntil(() => asked(peer).length === 5 && client.listening === "open")
      yield* works(client)
    }),
  )

  it.effect("V26-SUB-18 a token that has expired is renewed, and the stream is opened again", () =>
    Effect.gen(function* () {
      const peer = yield* httpPeer(
        withRules(server(), {
          when: { headers: { authorization: { $noneOf: ["Bearer 1", "Bearer 2"] } } },
          reply: [{ http: { status: 401, headers: { "www-authenticate": "Bearer" } } }],
        }),
      )
      let token = 1
      const transport = http(peer.url, {
        authorization: {
          headers: () => ({ authorization: `Bearer ${token}` }),
          refused: () => {
            token = 2
            return "retry"
          },
        },
      })
      const client = yield* Core.connect(transport, { verdicts: memoryVerdicts(), mode: "modern" })
      yield* isOpen(client)
      peer.add({
        when: { headers: { authorization: "Bearer 1" } },
        reply: [{ http: { status: 401, headers: { "www-authenticate": "Bearer" } } }],
      })
      peer.play([{ destroy: true }], subscription)
      yield* passUntil(() => client.listening === "open" && asked(peer).length === 3)
      expect(
        peer.requests("subscriptions/listen").map(({ headers }) => headers?.["authorization"]),
      ).toEqual(["Bearer 1", "Bearer 1", "Bearer 2"])
      yield* works(client)
    }),
  )

  it.effect(
    "a server that is away when it is opened again is recovered from, and listened to",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* ways.http(server(), {
          reconnect: { baseMs: 100, maxMs: 100, maxAttempts: 50 },
        })
        yield* client.tools.list()
        yield* isOpen(client)
        yield* Effect.promise(() => peer.close())
        yield* passUntil(() => client.state === "recovering")
        yield* Effect.promise(() => peer.restart())
        yield* passUntil(() => client.state === "ready")
        yield* passUntil(() => client.listening === "open")
        yield* passUntil(() => client.tools.last?.stale === false)
        yield* works(client)
      }),
  )
})

describe("lists of a modern server that is listened to", () => {
  it.effect.each([
    ["tools", ["tools/list"]],
    ["prompts", ["prompts/list"]],
    ["resources", ["resources/list", "resources/templates/list"]],
  ] as const)(
    "V25-LIST-01 V25-LIST-03 V26-CACHE-10 V26-DUAL-11 a notice about %s makes them stale, and the next reading starts from page one",
    ([kind, methods]) =>
      Effect.gen(function* () {
        const { peer, client } = yield* ways.http(server({ ttlMs: 3_600_000 }))
        const { tools, prompts, resources } = client
        const lists = [tools, prompts, resources, resources.templates]
        for (const list of lists) yield* list.list()
        yield* isOpen(client)
        const stale = () => lists.filter(({ last }) => last?.stale === true)
        // Whoever hears of a change finds the list stale already.
        const staleThen: Array<number> = []
        client.on(`notifications/${kind}/list_changed`, () => staleThen.push(stale().length))
        peer.send(changed(kind), subscription)
        yield* until(() => staleThen.length === 1)
        expect(staleThen).toEqual([methods.length])
        expect(stale().map(({ method }) => method)).toEqual(methods)
        for (const list of stale()) yield* list.list()
        for (const method of methods) {
          const read = peer.requests(method).map(({ message }) => message.params?.["cursor"])
          expect(read).toEqual([undefined, undefined])
        }
        expect(stale()).toEqual([])
      }),
  )

  it.effect(
    "V25-LIST-02 V26-CACHE-10 a notice during a walk starts it again, and splices nothing",
    () =>
      Effect.gen(function* () {
        const page = (names: ReadonlyArray<string>, nextCursor?: string) => ({
          resultType: "complete",
          tools: names.map((name) => ({ name, inputSchema: { type: "object" } })),
          ...(nextCursor === undefined ? {} : { nextCursor }),
        })
        const list = (cursor: unknown, reply: ReadonlyArray<Step>, times?: number) => ({
          when: { method: "tools/list", params: { cursor } },
          reply,
          ...(times === undefined ? {} : { times }),
        })
        const { peer, client } = yield* ways.http(
          withRules(
            server(),
            list({ $present: false }, [{ result: page(["old-1"], "2") }], 1),
            list("2", [{ silence: true }], 1),
            list({ $present: false }, [{ result: page(["new-1"], "2") }]),
            list("2", [{ result: page(["new-2"]) }]),
          ),
        )
        yield* isOpen(client)
        const listing = yield* Effect.all(
          [
            client.tools.list(),
            Effect.gen(function* () {
              yield* until(() => peer.requests("tools/list").length === 2)
              const heard = hearing(client)
              peer.send(changed("tools"), subscription)
              yield* until(() => heard.length === 1)
              peer.play([{ result: page(["old-2"]) }], {
                method: "tools/list",
                params: { cursor: "2" },
              })
            }),
          ],
          { concurrency: 2 },
        )
        expect(listing[0]).toMatchObject({
          status: "complete",
          stale: false,
          items: [{ name: "new-1" }, { name: "new-2" }],
        })
      }),
  )

  it.effect("offers everything it can be asked for, tasks too", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* ways.memory(server({ capabilities: offersAll }))
      yield* isOpen(client)
      const { tasks } = client.connection.life.listening
      const release = tasks.add("task-1")
      yield* until(() => asked(peer).length === 2)
      expect(asked(peer)[1]).toMatchObject({ taskIds: ["task-1"] })
      yield* until(() => client.subscriptions.filter !== undefined && cancelled(peer).length === 1)
      const heard = hearing(client)
      peer.send(onListen("notifications/tasks", { taskId: "task-2" }), subscription)
      peer.send(onListen("notifications/tasks", { taskId: "task-1" }), subscription)
      yield* until(() => heard.length === 1)
      // Task ids are bearer-like: no note has one.
      expect(JSON.stringify(client.notes)).not.toContain("task-")
      release()
      yield* until(() => asked(peer).length === 3)
      expect(asked(peer)[2]).not.toHaveProperty("taskIds")
    }),
  )
})
