import { describe, expect } from "vitest"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { Client, memoryVerdicts } from "@entente/client"
import { withRules, type Step } from "@entente/testkit"
import { httpPeer } from "@entente/testkit/node"
import { http } from "@entente/transport"
import { until } from "../field/scripted-http.js"
import {
  asked,
  cancelled,
  changed,
  detailOf,
  everyWay,
  hearing,
  isOpen,
  listen,
  listenIds,
  noted,
  server,
  subscription,
  ways,
  works,
} from "./modern-peers.js"

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
      const client = yield* Client.connect(transport, {
        verdicts: memoryVerdicts(),
        mode: "modern",
      })
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
