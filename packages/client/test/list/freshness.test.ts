import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { Client, memoryResults, memoryVerdicts } from "@entente/client"
import {
  legacyServer,
  memoryPeer,
  modernServer,
  tool,
  withRules,
  type MemoryPeer,
  type Rule,
  type Script,
} from "@entente/testkit"
import { httpPeer } from "@entente/testkit/node"
import { http } from "@entente/transport"
import { until } from "../field/scripted-http.js"
import { following, lists, settle } from "./noisy-server.js"

/** Pages of tools, each with its own hint of how long it holds. */
const hinted = (...hints: ReadonlyArray<object>): ReadonlyArray<Rule> =>
  hints.map((hint, index): Rule => ({
    when: {
      method: "tools/list",
      params: { cursor: index === 0 ? { $present: false } : String(index) },
    },
    reply: [
      {
        result: {
          resultType: "complete",
          tools: [tool(`t${index}`)],
          ...(index + 1 < hints.length ? { nextCursor: String(index + 1) } : {}),
          ...hint,
        },
      },
    ],
  }))

/** By default a server that never says when its list changes. */
const connectTo = (script: Script) =>
  Effect.gen(function* () {
    const peer: MemoryPeer = memoryPeer(script)
    const client = yield* Client.connect(peer.transport, { verdicts: memoryVerdicts() })
    return { peer, client }
  })

const modern = (rules: ReadonlyArray<Rule>, listChanged = false): Script =>
  withRules(
    modernServer({ tools: [], capabilities: { tools: listChanged ? { listChanged } : {} } }),
    ...rules,
  )

describe("how long a list holds", () => {
  it.effect(
    "V26-CACHE-02 until its time to live is over it answers by itself, and then it is asked for on the next use",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* connectTo(modern(hinted({ ttlMs: 5_000 })))
        const first = yield* client.tools.list()
        yield* TestClock.adjust("4999 millis")
        const told: Array<unknown> = []
        const again = yield* client.tools.list({ onPage: (progress) => told.push(progress) })
        expect(again).toEqual({ ...first, changed: false, stale: false })
        expect(told).toEqual([{ pages: 1, items: 1 }])
        expect(lists(peer)).toBe(1)
        expect(client.tools.state).toBe("live")
        yield* TestClock.adjust("1 millis")
        expect(client.tools.state).toBe("stale")
        expect(client.tools.last).toMatchObject({ stale: true, staleBecause: { code: "expired" } })
        expect(yield* client.tools.list()).toMatchObject({
          version: 1,
          changed: false,
          stale: false,
        })
        expect(lists(peer)).toBe(2)
        expect(client.tools.state).toBe("live")
      }),
  )

  it.effect(
    "V26-CACHE-02 `refresh`, a verifying walk and options of one's own ask all the same",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* connectTo(modern(hinted({ ttlMs: 5_000 })))
        yield* client.tools.list()
        yield* client.tools.list({ refresh: true })
        yield* client.tools.list({ meta: { "example.org/a": 1 } })
        expect(lists(peer)).toBe(3)
        yield* client.tools.list({ verify: true })
        expect(lists(peer)).toBe(5)
        yield* client.tools.list()
        expect(lists(peer)).toBe(5)
      }),
  )

  it.effect.each([[0], [undefined], [-5], [0.5], [null], ["60000"], [{}], [true], [-1e308]])(
    "V26-CACHE-03 ttlMs %j is asked for again on each use, and never in between",
    ([ttlMs]) =>
      Effect.gen(function* () {
        const hint = ttlMs === undefined ? {} : { ttlMs }
        const { peer, client } = yield* connectTo(modern(hinted(hint)))
        for (let use = 1; use <= 3; use++) {
          expect(yield* client.tools.list()).toMatchObject({ status: "complete", stale: false })
          expect(lists(peer)).toBe(use)
          yield* TestClock.adjust("1 minute")
          expect(lists(peer)).toBe(use)
        }
      }),
  )

  it.effect.each([
    [1.5, 1],
    [2.9, 2],
    [1e308, 1e12],
    [Number.MAX_SAFE_INTEGER, 1e12],
    [2 ** 31, 2 ** 31],
  ] as ReadonlyArray<readonly [number, number]>)(
    "V26-CACHE-03 ttlMs %d holds for %d ms at least",
    ([ttlMs, holds]) =>
      Effect.gen(function* () {
        const { peer, client } = yield* connectTo(modern(hinted({ ttlMs })))
        yield* client.tools.list()
        yield* TestClock.adjust(holds - 1)
        yield* client.tools.list()
        expect(lists(peer)).toBe(1)
        expect(client.tools.state).toBe("live")
      }),
  )

  it.effect(
    "V26-CACHE-12 it holds for as long as all of its pages do, and one that is over is asked for alone",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* connectTo(
          modern(hinted({ ttlMs: 60_000 }, { ttlMs: 1_000 }, { ttlMs: 30_000 })),
        )
        yield* client.tools.list()
        yield* TestClock.adjust("999 millis")
        yield* client.tools.list()
        expect(lists(peer)).toBe(3)
        yield* TestClock.adjust("1 millis")
        expect(client.tools.state).toBe("stale")
        const [, silent] = hinted({}, {}, {})
        if (silent !== undefined) peer.add(silent)
        yield* client.tools.list()
        expect(lists(peer)).toBe(4)
        yield* client.tools.list()
        expect(lists(peer)).toBe(5)
      }),
  )

  it.effect("V26-CACHE-02 what was kept from before this connection answers, and says so", () =>
    Effect.gen(function* () {
      const store = memoryResults()
      const peer = memoryPeer(modern(hinted({ ttlMs: 5_000, cacheScope: "public" })))
      const options = { verdicts: memoryVerdicts(), cache: { store, server: "one" } }
      const before = yield* Client.connect(peer.transport, options)
      yield* before.tools.list()
      expect(before.tools.state).toBe("live")
      yield* TestClock.adjust("1 second")
      const client = yield* Client.connect(peer.transport, options)
      expect((yield* client.tools.list()).items).toHaveLength(1)
      expect(lists(peer)).toBe(1)
      expect(client.tools.state).toBe("cached")
      yield* client.tools.list({ refresh: true })
      expect(client.tools.state).toBe("live")
    }),
  )

  it.effect(
    "V26-CACHE-04 nothing is sent because time has passed, not even while it is followed",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* connectTo(modern(hinted({ ttlMs: 1_000 }), true))
        const { versions, stop } = yield* following(client)
        yield* settle
        const before = peer.methods()
        yield* TestClock.adjust("1 hour")
        yield* settle
        expect(peer.methods()).toEqual(before)
        expect(client.tools.state).toBe("stale")
        // Whoever uses it then brings the news to those who follow as well.
        peer.add({
          when: { method: "tools/list" },
          reply: [{ result: { resultType: "complete", tools: [tool("new")], ttlMs: 1_000 } }],
        })
        yield* client.tools.list()
        yield* settle
        expect(versions()).toEqual([
          [1, "t0"],
          [2, "new"],
        ])
        yield* stop
      }),
  )

  it.effect.each([500, 503])(
    "V26-CACHE-05 an expired list is still there when asking for it again ends in HTTP %i",
    (status) =>
      Effect.gen(function* () {
        const peer = yield* httpPeer(modern(hinted({ ttlMs: 1_000 })))
        const client = yield* Client.connect(http(peer.url), { verdicts: memoryVerdicts() })
        yield* client.tools.list()
        yield* TestClock.adjust("1 second")
        peer.add({ when: { method: "tools/list" }, reply: [{ http: { status } }], times: 1 })
        const listing = yield* client.tools.list()
        expect(listing).toMatchObject({ status: "unavailable", items: [], version: 0 })
        expect(client.tools.last).toMatchObject({
          status: "complete",
          version: 1,
          items: [{ name: "t0" }],
          stale: true,
          staleBecause: listing.reason,
        })
        expect(yield* client.tools.list()).toMatchObject({ version: 1, changed: false })
        expect(client.tools.state).toBe("live")
      }),
  )

  it.effect.each([
    ["a time to live alone", modern(hinted({ ttlMs: 60_000 })), false],
    ["both", modern(hinted({ ttlMs: 60_000 }), true), true],
    ["notices alone", modern(hinted({}), true), true],
  ] as const)("V26-CACHE-11 V26-CACHE-10 a server may offer %s", ([, script, tells]) =>
    Effect.gen(function* () {
      const { peer, client } = yield* connectTo(script)
      if (tells) yield* until(() => client.listening === "open")
      expect(client.subscriptions.filter).toEqual(tells ? { toolsListChanged: true } : undefined)
      yield* client.tools.list()
      expect(client.tools.state).toBe("live")
      if (!tells) return
      const [listen] = peer.requests("subscriptions/listen")
      const _meta = { "io.modelcontextprotocol/subscriptionId": listen?.message.id }
      const method = "notifications/tools/list_changed"
      peer.send({ jsonrpc: "2.0", method, params: { _meta } }, { method: "subscriptions/listen" })
      yield* until(() => client.tools.state === "stale")
      yield* client.tools.list()
      expect(lists(peer)).toBe(2)
      expect(client.tools.state).toBe("live")
    }),
  )

  it.effect(
    "V26-DUAL-06 a legacy server's hints mean nothing: its list is asked for on each use",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* connectTo(
          withRules(legacyServer({ tools: [] }), {
            when: { method: "tools/list" },
            reply: [{ result: { tools: [tool("a")], ttlMs: 60_000, cacheScope: "public" } }],
          }),
        )
        expect(client.era).toBe("legacy")
        yield* client.tools.list()
        expect(yield* client.tools.list()).toMatchObject({ status: "complete", changed: false })
        expect(lists(peer)).toBe(2)
        yield* TestClock.adjust("1 day")
        expect(client.tools.state).toBe("live")
      }),
  )
})
