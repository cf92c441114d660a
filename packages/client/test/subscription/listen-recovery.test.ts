import { describe, expect } from "vitest"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { Client, memoryVerdicts } from "@entente/client"
import { metaKey } from "@entente/protocol"
import { legacyServer, memoryPeer, tool, withRules, type Peer } from "@entente/testkit"
import { stdioPeer, webSocketPeer } from "@entente/testkit/node"
import { webSocket, type Transport } from "@entente/transport"
import { stdio } from "@entente/transport/stdio"
import * as TestClock from "effect/testing/TestClock"
import { until } from "../field/scripted-http.js"
import { asked, changed, listen, listenIds, noted, server, subscription } from "./modern-peers.js"

/** Peers whose channel can be cut, and the way to each. */
const channels: ReadonlyArray<
  readonly [
    name: string,
    (
      script: ReturnType<typeof server>,
    ) => Effect.Effect<{ readonly peer: Peer; readonly transport: Transport }, never, Scope.Scope>,
  ]
> = [
  [
    "stdio",
    (script) => Effect.map(stdioPeer(script), (peer) => ({ peer, transport: stdio(peer) })),
  ],
  [
    "websocket",
    (script) =>
      Effect.map(webSocketPeer(script), (peer) => ({ peer, transport: webSocket(peer.url) })),
  ],
]

const options = {
  mode: "modern",
  reconnect: { baseMs: 1, maxMs: 1, maxAttempts: 50 },
} as const

describe("listening after the channel was lost", () => {
  it.effect.each(channels)(
    "V26-STDIO-10 V26-SUB-12 V26-SUB-08 over %s it is asked for again, with a new id, and what was missed is made up for",
    ([, open]) =>
      Effect.gen(function* () {
        const { peer, transport } = yield* open(server())
        const client = yield* Client.connect(transport, { ...options, verdicts: memoryVerdicts() })
        yield* client.tools.list()
        const told: Array<unknown> = []
        const agreed: Array<unknown> = []
        client.resources.subscriptions.subscribe(
          "x://1",
          (update) => told.push(update),
          (error) => agreed.push(error),
        )
        yield* until(() => agreed.length === 1)
        expect(agreed).toEqual([undefined])
        const states: Array<string> = []
        client.connection.life.listening.changed.add((state) => states.push(state))
        const before = asked(peer).length
        peer.play([{ destroy: true }], subscription)
        yield* until(() => client.state === "recovering")
        expect(client.listening).toBe("closed")
        expect(client.tools.last?.stale).toBe(true)
        yield* TestClock.adjust("10 millis") // the pause before the next try; a start takes real time
        yield* until(() => client.state === "ready" && client.listening === "open")
        expect(states).toEqual(["closed", "opening", "open"])
        expect(asked(peer)).toHaveLength(before + 1)
        expect(asked(peer).at(-1)).toMatchObject({
          toolsListChanged: true,
          resourceSubscriptions: ["x://1"],
        })
        expect(new Set(listenIds(peer)).size).toBe(before + 1)
        expect(told).toEqual([{ uri: "x://1", missed: true }])
        yield* until(() => client.tools.last?.stale === false)
        const heard: Array<string> = []
        client.connection.life.notified.add(({ method }) => heard.push(method))
        peer.send(changed("tools"), subscription)
        yield* until(() => heard.length === 1)
        expect(noted(client)).toEqual(["reconnected"])
      }),
  )

  it.effect("V26-SUB-09 over stdio it is cancelled before stdin is closed", () =>
    Effect.gen(function* () {
      const peer = yield* stdioPeer(server())
      const client = yield* Client.connect(stdio(peer), { ...options, verdicts: memoryVerdicts() })
      yield* until(() => client.listening === "open")
      yield* client.close
      const [id] = listenIds(peer)
      const last = peer.received.findLast(({ kind }) => kind === "notification")
      expect(last?.message).toMatchObject({
        method: "notifications/cancelled",
        params: { requestId: id },
      })
    }),
  )

  it.effect("C037 (b) a server without the method is asked once for each process", () =>
    Effect.gen(function* () {
      const peer = yield* stdioPeer(
        withRules(server(), listen([{ error: { code: -32601, message: "Method not found" } }])),
      )
      const client = yield* Client.connect(stdio(peer), { ...options, verdicts: memoryVerdicts() })
      yield* until(() => client.listening === "unsupported")
      peer.play([{ destroy: true }], subscription)
      yield* until(() => client.state === "recovering")
      yield* TestClock.adjust("10 millis")
      yield* until(() => asked(peer).length === 2 && client.listening === "unsupported")
      yield* client.callTool({ name: "a" })
      expect(asked(peer)).toHaveLength(2)
    }),
  )

  it.effect(
    "V26-SUB-15 what the server offers no more is not asked for, and its subscribers are told",
    () =>
      Effect.gen(function* () {
        const peer = memoryPeer(server())
        const client = yield* Client.connect(peer.transport, {
          ...options,
          verdicts: memoryVerdicts(),
        })
        const told: Array<unknown> = []
        const agreed: Array<unknown> = []
        client.resources.subscriptions.subscribe(
          "x://1",
          (update) => told.push(update),
          (error) => agreed.push(error),
        )
        yield* until(() => agreed.length === 1)
        const poorer = { tools: { listChanged: true }, resources: {} }
        peer.replace(server({ capabilities: poorer }).rules)
        peer.play([{ destroy: true }], subscription)
        yield* until(() => client.state === "recovering")
        yield* TestClock.adjust("10 millis")
        yield* until(() => client.listening === "open")
        expect(asked(peer).at(-1)).toEqual({ toolsListChanged: true })
        expect(told).toEqual([{ uri: "x://1", missed: true }])
        expect(agreed).toEqual([undefined])
        expect(noted(client)).toEqual(["reconnected", "subscription-lost"])
      }),
  )

  it.effect(
    "V26-DUAL-11 a server that comes back in the other era is listened to in its own way",
    () =>
      Effect.gen(function* () {
        const peer = yield* stdioPeer(server())
        const client = yield* Client.connect(stdio(peer), {
          ...options,
          mode: "auto",
          verdicts: memoryVerdicts(),
        })
        const told: Array<unknown> = []
        const agreed: Array<unknown> = []
        client.resources.subscriptions.subscribe(
          "x://1",
          (update) => told.push(update),
          (error) => agreed.push(error),
        )
        yield* until(() => agreed.length === 1)
        const old = withRules(
          legacyServer({
            tools: [tool("a")],
            resources: [],
            capabilities: { tools: {}, resources: { subscribe: true } },
          }),
          { when: { method: "resources/subscribe" }, reply: [{ result: {} }] },
        )
        peer.replace(old.rules)
        peer.play([{ destroy: true }], subscription)
        yield* until(() => client.state === "recovering")
        yield* TestClock.adjust("10 millis")
        yield* until(() => client.state === "ready")
        expect(client.era).toBe("legacy")
        yield* until(() => told.length === 1)
        expect(peer.requests("resources/subscribe")).toMatchObject([
          { message: { params: { uri: "x://1" } } },
        ])
        expect(client.listening).toBe("open")
        expect(client.subscriptions).toEqual({ filter: "everything", withheld: {} })
        // What needs a subscription in the modern era needs none here.
        const heard: Array<string> = []
        client.connection.life.notified.add(({ method }) => heard.push(method))
        peer.send({ jsonrpc: "2.0", method: "notifications/tools/list_changed" })
        yield* until(() => heard.length === 1)
        expect(JSON.stringify(peer.requests("resources/subscribe"))).not.toContain(
          metaKey.protocolVersion,
        )
      }),
  )
})
