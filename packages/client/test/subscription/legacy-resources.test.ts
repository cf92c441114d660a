import { describe, expect } from "vitest"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { Client, memoryVerdicts, type ResourceUpdated } from "@entente/client"
import {
  legacyServer,
  memoryPeer,
  notification,
  tool,
  withRules,
  type LegacyServerOptions,
  type Peer,
  type Rule,
  type Step,
} from "@entente/testkit"
import { stdioPeer } from "@entente/testkit/node"
import { stdio } from "@entente/transport/stdio"
import { connect, passUntil, until } from "../field/scripted-http.js"

const a = "file:///notes/a"
const b = "file:///notes/b"

const answers = (reply: ReadonlyArray<Step>, method = "resources/subscribe"): Rule => ({
  when: { method },
  reply,
})

const server = (options: LegacyServerOptions = {}, ...rules: ReadonlyArray<Rule>) =>
  withRules(
    legacyServer({
      tools: [tool("a")],
      resources: [],
      capabilities: { tools: {}, resources: { subscribe: true } },
      ...options,
    }),
    ...rules,
    answers([{ result: {} }]),
    answers([{ result: {} }], "resources/unsubscribe"),
  )

const inMemory = (script = server()) =>
  Effect.gen(function* () {
    const peer = memoryPeer(script)
    const client = yield* Client.connect(peer.transport, {
      verdicts: memoryVerdicts(),
      mode: "legacy",
    })
    return { peer, client }
  })

/** Somebody who wants to hear of a resource, and what became of that. */
const subscribe = (client: Client.Client, uri: string) => {
  const told: Array<ResourceUpdated> = []
  const outcomes: Array<unknown> = []
  const stop = client.resources.subscriptions.subscribe(
    uri,
    (update) => told.push(update),
    (error) => outcomes.push(error ?? "agreed"),
  )
  return { told, outcomes, stop, settled: until(() => outcomes.length > 0) }
}

const updated = (uri: unknown) => notification("notifications/resources/updated", { uri })

/** What was asked about resources, in order. */
const asked = (peer: Peer): ReadonlyArray<string> =>
  peer
    .requests()
    .filter(({ message }) => message.method.startsWith("resources/"))
    .map(({ message }) => `${message.method.slice(10)} ${String(message.params?.["uri"])}`)

describe("a resource of a legacy server", () => {
  it.effect(
    "V25-RES-03 V26-DUAL-11 is subscribed to, and updates of it and of what lies under it are told",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* inMemory()
        const { told, outcomes, settled } = subscribe(client, a)
        yield* settled
        expect(outcomes).toEqual(["agreed"])
        for (const uri of [a, `${a}/deep`, b, `${a}b`, 7]) peer.send(updated(uri))
        yield* until(() => client.notes.length === 1)
        expect(told).toEqual([a, `${a}/deep`].map((uri) => ({ uri, missed: false })))
        // What has no URI is noted; what names another resource is nobody's business here.
        expect(client.notes).toMatchObject([{ code: "invalid-notification", count: 1 }])
        expect(asked(peer)).toEqual([`subscribe ${a}`])
        expect(client.subscriptions).toEqual({ filter: "everything", withheld: {} })
      }),
  )

  it.effect("is subscribed to once however many want it, and until the last of them leaves", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* inMemory()
      const [one, other] = [subscribe(client, a), subscribe(client, a)]
      yield* Effect.all([one.settled, other.settled])
      one.stop()
      one.stop()
      peer.send(updated(a))
      yield* until(() => other.told.length === 1)
      expect(one.told).toEqual([])
      other.stop()
      yield* until(() => asked(peer).length === 2)
      peer.send(updated(a))
      yield* client.tools.list()
      expect(other.told).toHaveLength(1)
      expect(asked(peer)).toEqual([`subscribe ${a}`, `unsubscribe ${a}`])
    }),
  )

  it.effect("V25-RES-03 is not overtaken by a change of mind: one request about it at a time", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* inMemory(
        withRules(
          server(),
          { when: { method: "resources/subscribe" }, times: 1, reply: [{ silence: true }] },
          { when: { method: "resources/unsubscribe" }, times: 1, reply: [{ silence: true }] },
        ),
      )
      const first = subscribe(client, a)
      yield* until(() => asked(peer).length === 1)
      first.stop()
      yield* client.tools.list()
      expect(asked(peer)).toEqual([`subscribe ${a}`])
      peer.play([{ result: {} }], { method: "resources/subscribe" })
      yield* until(() => asked(peer).length === 2)
      expect(first.outcomes).toEqual([])
      const second = subscribe(client, a)
      yield* client.tools.list()
      expect(asked(peer)).toEqual([`subscribe ${a}`, `unsubscribe ${a}`])
      // Unsubscribing is done as well as it can be: an error is as good as a result.
      peer.play([{ error: { code: -32603, message: "no" } }], { method: "resources/unsubscribe" })
      yield* second.settled
      expect(second.outcomes).toEqual(["agreed"])
      expect(asked(peer)).toEqual([`subscribe ${a}`, `unsubscribe ${a}`, `subscribe ${a}`])
    }),
  )

  it.effect.each([{}, { subscribe: false }, { listChanged: true }])(
    "V25-CAP-03 of a server with %j is refused here, and nothing is sent",
    (resources) =>
      Effect.gen(function* () {
        const { peer, client } = yield* inMemory(server({ capabilities: { tools: {}, resources } }))
        const { outcomes } = subscribe(client, a)
        expect(outcomes).toMatchObject([
          {
            _tag: "CapabilityMissing",
            method: "resources/subscribe",
            capability: "resources.subscribe",
          },
        ])
        yield* client.tools.list()
        expect(asked(peer)).toEqual([])
        // V25-CAP-10: an update all the same does no harm.
        peer.send(updated(a))
        yield* client.tools.list()
        expect(client.state).toBe("ready")
      }),
  )

  it.effect(
    "that the server refuses is refused to all who want it, with its own words, and may be tried again",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* inMemory(
          withRules(server(), {
            when: { method: "resources/subscribe" },
            times: 1,
            reply: [{ error: { code: -32002, message: "no such resource" } }],
          }),
        )
        const both = [subscribe(client, a), subscribe(client, a)]
        yield* Effect.all(both.map(({ settled }) => settled))
        for (const { outcomes } of both) {
          expect(outcomes).toMatchObject([{ _tag: "PeerError", rpcCode: -32002 }])
        }
        peer.send(updated(a))
        const again = subscribe(client, a)
        yield* again.settled
        expect(again.outcomes).toEqual(["agreed"])
        for (const { told } of both) expect(told).toEqual([])
        expect(asked(peer)).toEqual([`subscribe ${a}`, `subscribe ${a}`])
        expect(client.notes).toEqual([])
      }),
  )

  it.effect("may be left, and wanted again, by a listener that is told of an update", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* inMemory()
      const { subscriptions } = client.resources
      const told: Array<ResourceUpdated> = []
      const agreed: Array<unknown> = []
      let stop = (): void => {}
      const begin = (): void => {
        const ends = subscriptions.subscribe(
          a,
          (update) => {
            told.push(update)
            stop()
            begin()
          },
          (error) => agreed.push(error),
        )
        stop = ends
      }
      begin()
      yield* until(() => agreed.length === 1)
      peer.send(updated(a))
      yield* until(() => agreed.length === 2)
      expect(told).toEqual([{ uri: a, missed: false }])
      expect(asked(peer)).toEqual([`subscribe ${a}`, `unsubscribe ${a}`, `subscribe ${a}`])
    }),
  )

  it.effect("V25-RES-04 is unsubscribed from at the end, for what it is worth", () =>
    Effect.gen(function* () {
      const peer = yield* stdioPeer(server())
      const client = yield* Client.connect(stdio(peer), {
        verdicts: memoryVerdicts(),
        mode: "legacy",
      })
      const { settled } = subscribe(client, a)
      yield* settled
      yield* client.close
      expect(asked(peer)).toEqual([`subscribe ${a}`, `unsubscribe ${a}`])
    }),
  )
})

describe("a resource of a legacy server over HTTP", () => {
  const forget = (...ids: ReadonlyArray<string>): Rule => ({
    when: { headers: { "mcp-session-id": { $oneOf: ids } } },
    reply: [{ http: { status: 404 } }],
  })

  it.effect(
    "V25-RES-04 is subscribed to again in a new session, and may have changed meanwhile",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* connect(server({ sessionIds: ["S1", "S2"], listens: true }))
        const live = [subscribe(client, a), subscribe(client, b)]
        const gone = subscribe(client, "file:///gone")
        yield* Effect.all([...live, gone].map(({ settled }) => settled))
        gone.stop()
        yield* until(() => asked(peer).length === 4)
        peer.add(forget("S1"))
        yield* client.tools.list()
        yield* until(() => live.every(({ told }) => told.length === 1))
        const again = peer
          .requests("resources/subscribe")
          .filter(({ headers }) => headers?.["mcp-session-id"] === "S2")
          .map(({ message }) => message.params?.["uri"])
        expect(again).toEqual([a, b])
        expect(live.map(({ told }) => told)).toEqual([
          [{ uri: a, missed: true }],
          [{ uri: b, missed: true }],
        ])
        yield* until(() => client.listening === "open")
        peer.send(updated(a), { httpMethod: "GET", headers: { "mcp-session-id": "S2" } })
        yield* until(() => live[0]?.told.length === 2)
        expect(gone.told).toEqual([])
      }),
  )

  it.effect(
    "V25-RES-04 that cannot be subscribed to again leaves a note, and may have changed",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* connect(
          server(
            { sessionIds: ["S1", "S2"], listens: true },
            {
              when: { method: "resources/subscribe", headers: { "mcp-session-id": "S2" } },
              times: 1,
              reply: [{ error: { code: -32002, message: "no such resource" } }],
            },
          ),
        )
        const { told, outcomes, settled } = subscribe(client, a)
        yield* settled
        peer.add(forget("S1"))
        yield* client.tools.list()
        yield* until(() => told.length === 1)
        expect(told).toEqual([{ uri: a, missed: true }])
        expect(outcomes).toEqual(["agreed"])
        expect(client.notes).toContainEqual(
          expect.objectContaining({
            code: "subscription-lost",
            detail: expect.stringContaining("no such resource"),
          }),
        )
        yield* TestClock.adjust("10 minutes")
        expect(peer.requests("resources/subscribe")).toHaveLength(2)
        // Who asks again gets it again, and so does everybody.
        const later = subscribe(client, a)
        yield* later.settled
        expect(later.outcomes).toEqual(["agreed"])
        expect(told).toHaveLength(2)
      }),
  )

  it.effect(
    "V25-RES-04 a request that was under way when the session ended is made in the new one",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* connect(
          server(
            { sessionIds: ["S1", "S2"], listens: true },
            {
              when: { method: "resources/subscribe", headers: { "mcp-session-id": "S1" } },
              reply: [{ silence: true }],
            },
          ),
        )
        const { outcomes, settled } = subscribe(client, a)
        yield* until(() => asked(peer).length === 1)
        peer.add(forget("S1"))
        yield* client.tools.list()
        peer.play([{ http: { status: 404 } }], { method: "resources/subscribe" })
        yield* settled
        expect(outcomes).toEqual(["agreed"])
        const sessions = peer
          .requests("resources/subscribe")
          .map(({ headers }) => headers?.["mcp-session-id"])
        expect(sessions[0]).toBe("S1")
        expect(sessions.slice(1).every((id) => id === "S2")).toBe(true)
      }),
  )

  it.effect(
    "V25-HTTP-14 while its stream is cut it may have changed, and that is said when it is back",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* connect(server({ listens: true }))
        const { told, settled } = subscribe(client, a)
        yield* settled
        yield* until(() => client.listening === "open")
        peer.play([{ destroy: true }], { httpMethod: "GET" })
        yield* until(() => client.listening === "backingOff")
        expect(told).toEqual([])
        yield* passUntil(() => client.listening === "open")
        expect(told).toEqual([{ uri: a, missed: true }])
        expect(asked(peer)).toEqual([`subscribe ${a}`])
      }),
  )

  it.effect("opens the stream that nobody else wanted, and closes it again", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* connect(server({ listens: true }), { listen: false })
      yield* client.tools.list()
      expect(peer.exchanges("GET")).toHaveLength(0)
      const { told, stop, settled } = subscribe(client, a)
      yield* settled
      yield* until(() => client.listening === "open")
      peer.send(updated(a), { httpMethod: "GET" })
      yield* until(() => told.length === 1)
      stop()
      yield* until(() => client.listening === "closed" && peer.disconnects() === 1)
      expect(peer.exchanges("GET")).toHaveLength(1)
    }),
  )
})
