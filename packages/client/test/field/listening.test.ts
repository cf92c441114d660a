import { describe, expect } from "vitest"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { Client, memoryVerdicts } from "@entente/client"
import {
  legacyServer,
  modernServer,
  notification,
  tool,
  withRules,
  type Step,
} from "@entente/testkit"
import { httpPeer, type HttpPeer } from "@entente/testkit/node"
import { http } from "@entente/transport"
import { connect, until, passUntil } from "./scripted-http.js"

const offers = { tools: [tool("a")] }
const server = legacyServer({ ...offers, sessionIds: ["S1", "S2"], listens: true })
const sessionless = legacyServer({ ...offers, listens: true })

const get = (...reply: ReadonlyArray<Step>) => ({ when: { httpMethod: "GET" }, reply })
const stream: Step = { http: { headers: { "content-type": "text/event-stream" } } }

const noted = (client: Client.Client) => client.notes.map(({ code }) => code)

const gets = (peer: HttpPeer) => peer.exchanges("GET")

const works = (client: Client.Client) =>
  Effect.gen(function* () {
    expect(client.state).toBe("ready")
    expect(yield* client.callTool({ name: "a" })).toMatchObject({ content: [{}] })
  })

describe("the GET stream of a legacy server", () => {
  it.effect(
    "V25-HTTP-11 V25-HTTP-29 is opened after initialized, once, with session and version",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* connect(server)
        yield* until(() => client.listening === "open")
        expect(gets(peer)).toMatchObject([
          {
            headers: {
              accept: "text/event-stream",
              "mcp-session-id": "S1",
              "mcp-protocol-version": "2025-11-25",
            },
          },
        ])
        expect(peer.received.map(({ httpMethod }) => httpMethod)).toEqual(["POST", "POST", "GET"])
        peer.send(notification("notifications/tools/list_changed"), { httpMethod: "GET" })
        const heard: Array<string> = []
        client.connection.life.notified.add(({ method }) => heard.push(method))
        yield* until(() => heard.length === 1)
        expect(heard).toEqual(["notifications/tools/list_changed"])
      }),
  )

  it.effect("V25-HTTP-13 an answer that comes on it settles its request all the same", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* connect(
        withRules(server, { when: { method: "tools/call" }, reply: [{ silence: true }] }),
      )
      yield* until(() => client.listening === "open")
      const calling = client.callTool({ name: "a" })
      const answering = Effect.gen(function* () {
        const { message } = yield* Effect.promise(() => peer.next("tools/call"))
        const { id } = message as { readonly id: number }
        peer.send({ jsonrpc: "2.0", id, result: { content: [] } }, { httpMethod: "GET" })
      })
      const [result] = yield* Effect.all([calling, answering], { concurrency: 2 })
      expect(result).toEqual({ content: [] })
    }),
  )

  it.effect("V26-HTTP-07 a modern server never gets a GET", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* connect(modernServer(offers), { mode: "modern" })
      yield* client.callTool({ name: "a" })
      yield* TestClock.adjust("1 minute")
      expect(gets(peer)).toEqual([])
      expect(client.listening).toBe("closed")
    }),
  )

  it.effect("is not opened where nobody wants it", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* connect(server, { listen: false })
      yield* works(client)
      expect(gets(peer)).toEqual([])
    }),
  )

  it.effect.each<readonly [string, ReadonlyArray<Step>]>([
    ["400", [{ http: { status: 400 } }]],
    ["401 without a challenge", [{ http: { status: 401 } }]],
    ["405", [{ http: { status: 405 } }]],
    ["406", [{ http: { status: 406 } }]],
    ["501", [{ http: { status: 501 } }]],
    ["a page", [{ http: { headers: { "content-type": "text/html" }, text: "<p>" } }]],
    [
      "a redirect to another origin",
      [{ http: { status: 307, headers: { location: "http://other.example/" } } }],
    ],
  ])(
    "C049 V25-HTTP-12 answered with %s it is unsupported, noted, and nothing else changes",
    ([, reply]) =>
      Effect.gen(function* () {
        const { peer, client } = yield* connect(withRules(server, get(...reply)))
        yield* until(() => client.listening === "unsupported")
        expect(noted(client)).toEqual(["listening-unsupported"])
        yield* works(client)
        yield* TestClock.adjust("10 minutes")
        expect(gets(peer)).toHaveLength(1)
      }),
  )

  it.effect("C049 the body of an answer that is no stream is not waited for, nor kept", () =>
    Effect.gen(function* () {
      const endless: Step = { http: { headers: { "content-type": "text/html" }, text: "<p>" } }
      const { peer, client } = yield* connect(
        withRules(server, get(endless, { raw: "<p>" }, { silence: true })),
      )
      yield* until(() => client.listening === "unsupported")
      yield* until(() => peer.disconnects() === 1)
      yield* works(client)
    }),
  )

  it.effect("C049 a 401 without a challenge costs no credential: calls carry it as before", () =>
    Effect.gen(function* () {
      const peer = yield* httpPeer(withRules(server, get({ http: { status: 401 } })))
      let token: string | undefined = "Bearer T"
      const transport = http(peer.url, {
        authorization: {
          headers: (): Record<string, string> =>
            token === undefined ? {} : { authorization: token },
          refused: () => {
            token = undefined
            return "give-up"
          },
        },
      })
      const client = yield* Client.connect(transport, {
        verdicts: memoryVerdicts(),
        mode: "legacy",
      })
      yield* until(() => client.listening === "unsupported")
      yield* works(client)
      expect(peer.requests("tools/call")[0]?.headers).toMatchObject({ authorization: "Bearer T" })
    }),
  )

  it.effect("C049 a 500 is tried once more, later; then it is unavailable, and calls work", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* connect(withRules(server, get({ http: { status: 500 } })))
      yield* until(() => client.listening === "backingOff")
      expect(gets(peer)).toHaveLength(1)
      yield* passUntil(() => client.listening === "unavailable")
      expect(gets(peer)).toHaveLength(2)
      expect(noted(client)).toEqual(["listening-unavailable"])
      yield* works(client)
    }),
  )

  it.effect("C049 a 404 without a session is unsupported", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* connect(
        withRules(sessionless, get({ http: { status: 404 } })),
      )
      yield* until(() => client.listening === "unsupported")
      yield* works(client)
      expect(peer.requests("initialize")).toHaveLength(1)
    }),
  )

  it.effect("C049 C019 a 404 with a session is an expiry, once: then it is unsupported", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* connect(withRules(server, get({ http: { status: 404 } })))
      yield* until(() => client.listening === "unsupported")
      expect(peer.requests("initialize")).toHaveLength(2)
      expect(gets(peer).map(({ headers }) => headers?.["mcp-session-id"])).toEqual(["S1", "S2"])
      yield* works(client)
      yield* TestClock.adjust("10 minutes")
      expect(peer.requests("initialize")).toHaveLength(2)
    }),
  )

  it.effect("C050 a GET that is never answered delays nothing, and ends alone after 10 s", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* connect(withRules(server, get({ silence: true })))
      yield* until(() => gets(peer).length === 1)
      yield* works(client)
      expect(client.listening).toBe("opening")
      yield* TestClock.adjust("10 seconds")
      expect(client.listening).toBe("unavailable")
      yield* until(() => peer.disconnects() === 1)
      expect(client.notes).toMatchObject([
        {
          code: "listening-unavailable",
          detail: expect.not.stringMatching(/authoriz|credential/i),
        },
      ])
      yield* works(client)
    }),
  )

  it.effect(
    "C047 streams that end at once with nothing are opened ever more slowly, then no more",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* connect(withRules(server, get(stream)), {
          listen: { maxFruitless: 3 },
        })
        yield* passUntil(() => client.listening === "unavailable", "10 millis")
        const times = gets(peer).map(({ at }) => at)
        expect(times).toHaveLength(3)
        expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(1_000)
        expect(times[2]! - times[1]!).toBeGreaterThanOrEqual(2_000)
        yield* works(client)
      }),
  )

  it.effect("C047 not sooner than the server's retry value", () =>
    Effect.gen(function* () {
      const { peer } = yield* connect(
        withRules(server, get(stream, { event: { id: "1", retry: 7_000, data: "" } })),
      )
      yield* passUntil(() => gets(peer).length === 4)
      const times = gets(peer).map(({ at }) => at)
      for (const [index, at] of times.entries()) {
        if (index > 0) expect(at - times[index - 1]!).toBeGreaterThanOrEqual(7_000)
      }
      expect(gets(peer).map(({ headers }) => headers?.["last-event-id"])).toEqual([
        undefined,
        "1",
        "1",
        "1",
      ])
    }),
  )

  it.effect(
    "C118 V25-HTTP-14 while it is cut lists are stale, and they are read again afterwards",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* connect(server)
        yield* client.tools.list()
        yield* until(() => client.listening === "open")
        peer.play([{ destroy: true }], { httpMethod: "GET" })
        yield* until(() => client.listening === "backingOff")
        expect(client.state).toBe("ready")
        expect(client.tools.last).toMatchObject({ status: "complete", stale: true })
        yield* passUntil(() => client.listening === "open")
        yield* until(() => client.tools.last?.stale === false)
        expect(client.tools.last).toMatchObject({ changed: false })
        expect(peer.requests("tools/list")).toHaveLength(2)
      }),
  )

  it.effect("C118 a stream that can go on from its last event has missed nothing", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* connect(server)
      yield* client.tools.list()
      yield* until(() => client.listening === "open")
      peer.play([{ event: { id: "7", data: "" } }, { destroy: true }], { httpMethod: "GET" })
      yield* until(() => client.listening === "backingOff")
      expect(client.tools.last?.stale).toBe(false)
      yield* passUntil(() => gets(peer).length === 2)
      expect(gets(peer)[1]?.headers).toMatchObject({ "last-event-id": "7" })
      expect(peer.requests("tools/list")).toHaveLength(1)
    }),
  )

  it.effect(
    "C118 (b) a server that is away when it is opened again is recovered from, lists and all",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* connect(server, {
          reconnect: { baseMs: 100, maxMs: 100, maxAttempts: 50 },
        })
        yield* client.tools.list()
        yield* until(() => client.listening === "open")
        const states: Array<string> = []
        client.connection.life.stateChanged.add((state) => states.push(state))
        yield* Effect.promise(() => peer.close())
        yield* passUntil(() => client.state === "recovering")
        expect(client.tools.last).toMatchObject({ status: "complete", stale: true })
        // Three tries are refused at least: the clock moves past their pauses.
        yield* passUntil(() => client.connection.life.timers.now() > 2_000)
        expect(client.state).toBe("recovering")
        yield* Effect.promise(() => peer.restart())
        yield* passUntil(() => client.state === "ready")
        yield* passUntil(() => client.tools.last?.stale === false)
        expect(client.tools.last).toMatchObject({ changed: false })
        expect(client.listening).not.toBe("closed")
        yield* works(client)
      }),
  )

  it.effect("V25-HTTP-33 a new session listens anew, and the old stream is forgotten", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* connect(server)
      yield* until(() => client.listening === "open")
      peer.play([{ event: { id: "old", data: "" } }, { silence: true }], { httpMethod: "GET" })
      peer.add({
        when: { headers: { "mcp-session-id": "S1" }, method: "tools/call" },
        reply: [{ http: { status: 404 } }],
      })
      yield* Effect.flip(client.callTool({ name: "a" }))
      yield* until(() => client.listening === "open" && gets(peer).length === 2)
      expect(gets(peer)[1]?.headers).toMatchObject({ "mcp-session-id": "S2" })
      expect(gets(peer)[1]?.headers).not.toHaveProperty("last-event-id")
      yield* until(() => peer.disconnects() === 1)
    }),
  )

  it.effect("C118 close ends it and starts no other", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* connect(server)
      yield* until(() => client.listening === "open")
      yield* client.close
      yield* until(() => peer.disconnects() === 1)
      yield* TestClock.adjust("10 minutes")
      expect(client.listening).toBe("closed")
      expect(gets(peer)).toHaveLength(1)
      expect(peer.exchanges("DELETE")).toHaveLength(1)
    }),
  )
})

describe("a request of the server", () => {
  it.effect.each<readonly [string, ReadonlyArray<Step>]>([
    ["400", [{ http: { status: 400 } }]],
    [
      "400 that speaks of the session",
      [{ status: 400, id: null, error: { code: -32000, message: "session id is not valid" } }],
    ],
  ])(
    "C043 an answer to its ping that is refused with %s is a note, and nothing else",
    ([, reply]) =>
      Effect.gen(function* () {
        const { peer, client } = yield* connect(
          withRules(
            server,
            { when: { kind: "response" }, reply },
            { when: { method: "tools/call" }, times: 1, reply: [{ silence: true }] },
          ),
        )
        yield* until(() => client.listening === "open")
        const pending = yield* Effect.forkChild(client.callTool({ name: "a" }), {
          startImmediately: true,
        })
        yield* Effect.promise(() => peer.next("tools/call"))
        peer.send({ jsonrpc: "2.0", method: "ping", id: "7f1c" }, { httpMethod: "GET" })
        yield* until(() => noted(client).includes("reply-refused"))
        const replies = peer.received.filter(({ kind }) => kind === "response")
        expect(replies).toMatchObject([{ message: { jsonrpc: "2.0", id: "7f1c", result: {} } }])
        expect(client.listening).toBe("open")
        expect(peer.requests("initialize")).toHaveLength(1)
        peer.play([{ result: { content: [] } }], { method: "tools/call" })
        expect(yield* Fiber.join(pending)).toEqual({ content: [] })
        yield* works(client)
        expect(
          peer.requests("tools/call").map(({ headers }) => headers?.["mcp-session-id"]),
        ).toEqual(["S1", "S1"])
      }),
  )

  it.effect("V25-HTTP-32 a 404 to the answer is the end of the session it was sent in", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* connect(
        withRules(server, {
          when: { kind: "response", headers: { "mcp-session-id": "S1" } },
          reply: [{ http: { status: 404 } }],
        }),
      )
      yield* until(() => client.listening === "open")
      peer.send({ jsonrpc: "2.0", method: "ping", id: 0 }, { httpMethod: "GET" })
      yield* until(() => gets(peer).length === 2)
      expect(peer.requests("initialize")).toHaveLength(2)
      yield* works(client)
    }),
  )
})
