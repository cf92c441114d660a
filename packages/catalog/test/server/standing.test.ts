import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { Catalog, type CatalogOptions } from "@entente/catalog"
import { memoryVerdicts } from "@entente/client"
import {
  legacyServer,
  memoryPeer,
  modernServer,
  pages,
  tool,
  withRules,
  type MemoryPeer,
  type Rule,
} from "@entente/testkit"
import { changeable, listChanged, lists } from "./peers.js"

/** Lets everything happen that needs no time. */
const turn = Effect.repeat(Effect.yieldNow, { times: 200 })

const busy: Rule = {
  when: { method: "tools/list" },
  reply: [{ error: { code: -32_603, message: "busy" } }],
}

const made = (peer: MemoryPeer, options?: CatalogOptions) =>
  Catalog.make(
    { one: { transport: peer.transport, connect: { verdicts: memoryVerdicts() } } },
    options,
  ).pipe(Effect.tap(() => turn))

const statusOf = (catalog: Catalog.Catalog) => catalog.server("one")?.status

const asked = (peer: MemoryPeer) => peer.requests("tools/list").length

describe("how a server stands", () => {
  it.effect(
    "C008 connected without a list: unavailable with the reason, and read again by itself",
    () =>
      Effect.gen(function* () {
        const peer = memoryPeer(legacyServer({ tools: [tool("a")] }))
        peer.add({ ...busy, times: 2 })
        const catalog = yield* made(peer)
        yield* catalog.settled
        expect(statusOf(catalog)).toMatchObject({
          state: "unavailable",
          counts: { spawned: 1, negotiated: 1, listed: 0, exposed: 0 },
          list: { status: "unavailable" },
          trouble: { code: "peer-error", message: expect.stringContaining("busy") },
        })
        expect(yield* Effect.flip(catalog.call("one__a"))).toMatchObject({
          code: "server-unavailable",
        })
        yield* TestClock.adjust("5 seconds")
        yield* turn
        expect(statusOf(catalog)).toMatchObject({
          state: "live",
          list: { status: "complete" },
          trouble: undefined,
          counts: { exposed: 1 },
        })
      }),
  )

  it.effect("the same is read at once where somebody asks for it", () =>
    Effect.gen(function* () {
      const peer = memoryPeer(legacyServer({ tools: [tool("a")] }))
      peer.add({ ...busy, times: 1 })
      const catalog = yield* made(peer)
      expect(statusOf(catalog)?.state).toBe("unavailable")
      yield* catalog.retry("one")
      yield* turn
      expect(statusOf(catalog)?.state).toBe("live")
    }),
  )

  it.effect("with a list that cannot be read again: stale, with the tools it had", () =>
    Effect.gen(function* () {
      const peer = memoryPeer(changeable("a"))
      const catalog = yield* made(peer)
      peer.add(busy)
      peer.send(listChanged)
      yield* turn
      expect(statusOf(catalog)).toMatchObject({ state: "stale", trouble: { code: "peer-error" } })
      expect(catalog.tools).toMatchObject({ version: 1, stale: ["one"], tools: [{ id: "one__a" }] })
      // It is read again at its own pace, however often somebody asks for the list.
      const before = asked(peer)
      for (let times = 0; times < 10; times++) yield* catalog.list()
      expect(asked(peer)).toBe(before)
      peer.add(lists("b"))
      yield* TestClock.adjust("5 seconds")
      yield* turn
      expect(statusOf(catalog)).toMatchObject({ state: "live", trouble: undefined })
      expect(catalog.tools).toMatchObject({ version: 2, stale: [], tools: [{ id: "one__b" }] })
    }),
  )

  it.effect(
    "while the connection opens itself again: recovering, and live when it was read again",
    () =>
      Effect.gen(function* () {
        const peer = memoryPeer(changeable("a"))
        const catalog = yield* made(peer)
        const client = catalog.server("one")?.client
        peer.add(lists("a", "b"))
        peer.play([{ destroy: true }])
        yield* turn
        expect(statusOf(catalog)).toMatchObject({ state: "recovering", failures: 0 })
        expect(catalog.tools).toMatchObject({ stale: ["one"], tools: [{ id: "one__a" }] })
        yield* TestClock.adjust("1 second")
        yield* turn
        expect(statusOf(catalog)).toMatchObject({ state: "live" })
        expect(catalog.server("one")?.client).toBe(client)
        expect(catalog.tools.tools.map(({ id }) => id)).toEqual(["one__a", "one__b"])
      }),
  )

  it.effect("C118 that offers no tools any more when it is back has none", () =>
    Effect.gen(function* () {
      const peer = memoryPeer(changeable("a"))
      const catalog = yield* made(peer)
      expect(catalog.tools.tools).toHaveLength(1)
      peer.replace(legacyServer({ prompts: [] }).rules)
      peer.play([{ destroy: true }])
      yield* TestClock.adjust("1 second")
      yield* turn
      expect(statusOf(catalog)).toMatchObject({ state: "live", list: { status: "unsupported" } })
      expect(catalog.tools.tools).toEqual([])
      peer.replace(changeable("a", "b").rules)
      peer.play([{ destroy: true }])
      yield* TestClock.adjust("2 seconds")
      yield* turn
      expect(catalog.tools.tools.map(({ id }) => id)).toEqual(["one__a", "one__b"])
    }),
  )

  it.effect("with a list that was cut off at a bound: what came is there, and the reason", () =>
    Effect.gen(function* () {
      const results = ["a", "b"].map((name, index) => ({
        tools: [tool(name)],
        nextCursor: `page ${index + 2}`,
      }))
      const peer = memoryPeer(
        withRules(legacyServer({ tools: [] }), ...pages("tools/list", results)),
      )
      const connect = { verdicts: memoryVerdicts(), lists: { maxPages: 2 } }
      const catalog = yield* Catalog.make({ one: { transport: peer.transport, connect } })
      yield* catalog.ready
      yield* turn
      expect(statusOf(catalog)).toMatchObject({
        state: "live",
        list: { status: "partial", reason: { code: "page-limit" } },
        counts: { exposed: 2 },
      })
    }),
  )
})

describe("a list that says how long it is good", () => {
  it.effect(
    "V26-CACHE-02 V26-CACHE-04 is read again by the first list() after that, and not before",
    () =>
      Effect.gen(function* () {
        const peer = memoryPeer(modernServer({ tools: [tool("a")], ttlMs: 120_000 }))
        const catalog = yield* made(peer, { revalidateMs: 60_000 })
        const before = asked(peer)
        yield* TestClock.adjust(119_000)
        yield* catalog.list()
        expect(asked(peer)).toBe(before)
        expect(catalog.tools.stale).toEqual([])
        yield* TestClock.adjust(1_000)
        expect(statusOf(catalog)?.state).toBe("stale")
        yield* catalog.list()
        yield* catalog.list()
        expect(asked(peer)).toBe(before + 1)
        expect(catalog.tools).toMatchObject({ version: 1, stale: [] })
      }),
  )

  it.effect("that is over at once is no reason to ask before every call of a model", () =>
    Effect.gen(function* () {
      const peer = memoryPeer(modernServer({ tools: [tool("a")], ttlMs: 1 }))
      const catalog = yield* made(peer)
      const before = asked(peer)
      for (let times = 0; times < 100; times++) {
        yield* TestClock.adjust(10)
        yield* catalog.list()
      }
      expect(asked(peer) - before).toBeLessThanOrEqual(2)
    }),
  )

  it.effect("and one that says nothing, of a server that tells of no changes, once a minute", () =>
    Effect.gen(function* () {
      const peer = memoryPeer(
        modernServer({ tools: [tool("a")], ttlMs: 0, capabilities: { tools: {} } }),
      )
      const catalog = yield* made(peer)
      const before = asked(peer)
      for (let seconds = 0; seconds < 180; seconds++) {
        yield* TestClock.adjust("1 second")
        yield* catalog.list()
      }
      expect(asked(peer) - before).toBe(3)
    }),
  )
})
