import { describe, expect } from "vitest"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { Client, memoryVerdicts, type ConnectOptions } from "@entente/client"
import type { JsonObject } from "@entente/protocol"
import {
  memoryPeer,
  modernServer,
  refusal,
  tool,
  withRules,
  type MemoryPeer,
  type Rule,
} from "@entente/testkit"
import { until } from "../field/scripted-http.js"
import { changed, isOpen, offersAll, subscription } from "../subscription/modern-peers.js"
import { complete, fresh, memoryResults, openStore } from "./kept.js"

/** What a server answers to one cursor, from now on. */
const page = (cursor: string | undefined, name: string, rest: JsonObject = {}): Rule => ({
  when: { method: "tools/list", params: { cursor: cursor ?? { $present: false } } },
  reply: [{ result: { ...fresh, tools: [tool(name)], ...rest } }],
})

const server = (...rules: ReadonlyArray<Rule>) =>
  memoryPeer(withRules(modernServer({ tools: [], capabilities: offersAll }), ...rules))

const connect = (peer: MemoryPeer, options: ConnectOptions = {}) =>
  Client.connect(peer.transport, { verdicts: memoryVerdicts(), ...options })

const names = (client: Client.Client, options = {}) =>
  Effect.map(client.tools.list(options), ({ items }) => items.map(({ name }) => name))

/** The cursors that the server was asked for, in order; null for page one. */
const cursors = (peer: MemoryPeer) =>
  peer.requests("tools/list").map(({ message }) => message.params?.["cursor"] ?? null)

describe("pages that are kept", () => {
  it.effect("V26-CACHE-02 V26-CACHE-01 are not asked for again before their time is over", () =>
    Effect.gen(function* () {
      const peer = server(page(undefined, "a", { ttlMs: 5_000 }))
      const client = yield* connect(peer)
      expect(yield* names(client)).toEqual(["a"])
      yield* TestClock.adjust(4_999)
      expect(yield* names(client)).toEqual(["a"])
      expect(cursors(peer)).toEqual([null])
      yield* TestClock.adjust(1)
      expect(yield* names(client)).toEqual(["a"])
      expect(cursors(peer)).toEqual([null, null])
    }),
  )

  it.effect.each([0, undefined, -5, null, "60000", Number.NaN, 0.5])(
    "V26-CACHE-03 with the ttlMs %j there are none",
    (ttlMs) =>
      Effect.gen(function* () {
        const peer = server(page(undefined, "a", { ttlMs }))
        const store = openStore()
        const client = yield* connect(peer, { cache: { store } })
        yield* names(client)
        yield* names(client)
        expect(cursors(peer)).toEqual([null, null])
        expect([...store.entries]).toEqual([])
      }),
  )

  it.effect.each([1e300, Number.MAX_SAFE_INTEGER, 2 ** 53 + 2])(
    "V26-CACHE-03 an absurd ttlMs (%d) is good for long, and a store is asked to keep it for 30 days",
    (ttlMs) =>
      Effect.gen(function* () {
        const peer = server(page(undefined, "a", { ttlMs }))
        const store = openStore("machine")
        const client = yield* connect(peer, { cache: { store, server: "s" } })
        yield* names(client)
        yield* TestClock.adjust("3650 days")
        yield* names(client)
        expect(cursors(peer)).toEqual([null])
        expect([...store.entries.values()].map((entry) => entry.ttlMs)).toEqual([2_592_000_000])
      }),
  )

  it.effect(
    "V26-CACHE-12 V26-CACHE-13 expire each for itself, and are asked for by their cursors",
    () =>
      Effect.gen(function* () {
        const peer = server(
          page(undefined, "a", { nextCursor: "2" }),
          page("2", "b", { nextCursor: "", ttlMs: 1_000 }),
          page("", "c"),
        )
        const client = yield* connect(peer)
        expect(yield* names(client)).toEqual(["a", "b", "c"])
        yield* TestClock.adjust(1_000)
        expect(yield* names(client)).toEqual(["a", "b", "c"])
        expect(cursors(peer)).toEqual([null, "2", "", "2"])
        // The time of the others goes on from when they came.
        yield* TestClock.adjust(59_000)
        expect(yield* names(client)).toEqual(["a", "b", "c"])
        expect(cursors(peer)).toEqual([null, "2", "", "2", null, "2", ""])
      }),
  )

  it.effect(
    "V26-CACHE-06 a page is no answer to another cursor, and no list to another method",
    () =>
      Effect.gen(function* () {
        const peer = memoryPeer(
          withRules(
            modernServer({ tools: [], prompts: [{ name: "p" }], ttlMs: 60_000 }),
            page(undefined, "a", { nextCursor: "__proto__" }),
            page("__proto__", "b", { nextCursor: "constructor" }),
            page("constructor", "c"),
          ),
        )
        const client = yield* connect(peer)
        for (let reading = 0; reading < 2; reading++) {
          expect(yield* names(client)).toEqual(["a", "b", "c"])
          expect((yield* client.prompts.list()).items).toEqual([{ name: "p" }])
        }
        expect(cursors(peer)).toEqual([null, "__proto__", "constructor"])
        expect(peer.requests("prompts/list")).toHaveLength(1)
      }),
  )

  it.effect(
    "V26-PAGE-05 V26-CACHE-13 a refused cursor costs all of them, and the walk begins anew",
    () =>
      Effect.gen(function* () {
        const peer = server(
          page(undefined, "old-1", { nextCursor: "old" }),
          page("old", "old-2", { ttlMs: 1_000, nextCursor: "3" }),
          page("3", "old-3"),
        )
        const store = openStore()
        const client = yield* connect(peer, { cache: { store } })
        expect(yield* names(client)).toEqual(["old-1", "old-2", "old-3"])
        yield* TestClock.adjust(1_000)
        peer.replace(
          withRules(
            modernServer({ tools: [] }),
            page(undefined, "new-1", { nextCursor: "new" }),
            page("new", "new-2"),
            {
              when: { method: "tools/list" },
              reply: refusal(400, -32602, "Unknown cursor"),
            },
          ).rules,
        )
        expect(yield* names(client)).toEqual(["new-1", "new-2"])
        expect(cursors(peer).slice(3)).toEqual(["old", null, "new"])
        expect(store.entries.size).toBe(2)
        expect(yield* names(client)).toEqual(["new-1", "new-2"])
        expect(cursors(peer)).toHaveLength(6)
      }),
  )

  it.effect.each([{ refresh: true }, { verify: true }])(
    "V26-CACHE-05 with %j every page is asked for, and what comes is kept",
    (options) =>
      Effect.gen(function* () {
        const peer = server(page(undefined, "a", { nextCursor: "2" }), page("2", "b"))
        const client = yield* connect(peer)
        yield* names(client)
        yield* names(client, options)
        const asked = cursors(peer).length
        expect(asked).toBe("verify" in options ? 6 : 4)
        yield* names(client)
        expect(cursors(peer)).toHaveLength(asked)
      }),
  )

  it.effect(
    "V26-CACHE-02 what was said before does not come back after a newer answer that is not kept",
    () =>
      Effect.gen(function* () {
        const peer = server(page(undefined, "old"))
        const client = yield* connect(peer)
        yield* names(client)
        peer.add(page(undefined, "new", { ttlMs: 0 }))
        expect(yield* names(client, { refresh: true })).toEqual(["new"])
        expect(yield* names(client)).toEqual(["new"])
        expect(cursors(peer)).toHaveLength(3)
      }),
  )

  it.effect("V26-CACHE-02 of what was said to everybody and to this one the newer counts", () =>
    Effect.gen(function* () {
      const peer = server(page(undefined, "one"))
      const client = yield* connect(peer)
      const seen: Array<ReadonlyArray<string>> = []
      for (const [name, cacheScope] of [
        ["two", "private"],
        ["three", "public"],
      ] as const) {
        yield* names(client)
        yield* TestClock.adjust(10)
        peer.add(page(undefined, name, { cacheScope }))
        yield* names(client, { refresh: true })
        seen.push(yield* names(client))
      }
      expect(seen).toEqual([["two"], ["three"]])
    }),
  )

  it.effect("V26-CACHE-05 a list whose next reading fails is still there", () =>
    Effect.gen(function* () {
      const peer = server(page(undefined, "a", { ttlMs: 1_000 }))
      const client = yield* connect(peer)
      yield* names(client)
      yield* TestClock.adjust(1_000)
      peer.add({
        when: { method: "tools/list" },
        reply: [{ error: { code: -32603, message: "no" } }],
      })
      expect((yield* client.tools.list()).status).toBe("unavailable")
      expect(client.tools.last).toMatchObject({ items: [{ name: "a" }] })
    }),
  )

  it.effect("streams and pages come from there too, and quarantined items again", () =>
    Effect.gen(function* () {
      const peer = server(
        page(undefined, "a", { tools: [tool("a"), { name: 5 }], nextCursor: "2" }),
        page("2", "b"),
      )
      const client = yield* connect(peer)
      for (let reading = 0; reading < 2; reading++) {
        const { items, quarantined } = yield* client.tools.list()
        expect(items).toHaveLength(2)
        expect(quarantined).toMatchObject([{ page: 0, index: 1 }])
      }
      expect(yield* Stream.runCollect(client.tools.stream())).toHaveLength(2)
      expect(yield* Stream.runCollect(client.tools.pages())).toHaveLength(2)
      expect(cursors(peer)).toEqual([null, "2"])
    }),
  )

  it.effect("nobody can change what the next one reads", () =>
    Effect.gen(function* () {
      const peer = server(page(undefined, "a"))
      const client = yield* connect(peer)
      const { items } = yield* client.tools.list()
      Object.assign(items[0] ?? {}, { name: "changed" })
      expect(yield* names(client)).toEqual(["a"])
      expect(cursors(peer)).toEqual([null])
    }),
  )
})

describe("pages of a list that changes", () => {
  it.effect("V26-CACHE-10 C125 are not used after a notice, and what is read then is", () =>
    Effect.gen(function* () {
      const peer = server(page(undefined, "a", { nextCursor: "2" }), page("2", "b"))
      const store = memoryResults()
      const client = yield* connect(peer, { cache: { store } })
      yield* isOpen(client)
      expect(yield* names(client)).toEqual(["a", "b"])
      let told = 0
      client.on("notifications/tools/list_changed", () => told++)
      // The clock stands still: neither before nor after is to be told by it.
      peer.send(changed("tools"), subscription)
      yield* until(() => told === 1)
      peer.add(page(undefined, "c"))
      expect(yield* names(client)).toEqual(["c"])
      expect(yield* names(client)).toEqual(["c"])
      expect(client.tools.last).toMatchObject({ stale: false, items: [{ name: "c" }] })
      expect(cursors(peer)).toEqual([null, "2", null])
      // Nor does another client find the old ones.
      const other = yield* connect(peer, { cache: { store } })
      expect(yield* names(other)).toEqual(["c"])
      expect(cursors(peer)).toHaveLength(3)
    }),
  )

  it.effect("V26-CACHE-10 a response that was begun before the notice is not kept as fresh", () =>
    Effect.gen(function* () {
      const peer = server(
        { when: { method: "tools/list" }, reply: [{ silence: true }], times: 1 },
        page(undefined, "new"),
      )
      const store = openStore()
      const client = yield* connect(peer, { cache: { store } })
      yield* isOpen(client)
      const heard: Array<string> = []
      client.connection.life.notified.add(({ method }) => heard.push(method))
      // A single page, so that nothing but the notice tells that it is old.
      const [listing] = yield* Effect.all(
        [
          client.tools.list(),
          Effect.gen(function* () {
            yield* until(() => cursors(peer).length === 1)
            peer.send(changed("tools"), subscription)
            yield* until(() => heard.length === 1)
            peer.play([{ result: { ...fresh, tools: [tool("old")] } }], { method: "tools/list" })
          }),
        ],
        { concurrency: 2 },
      )
      expect(listing.items).toMatchObject([{ name: "new" }])
      const texts = [...store.entries.values()].map(({ text }) => text)
      expect(texts.filter((text) => text.includes('"old"'))).toEqual([])
      expect(texts).toHaveLength(1)
    }),
  )

  it.effect(
    "V26-CACHE-11 a server that never notices is read again when the time is over, and one with both at either",
    () =>
      Effect.gen(function* () {
        for (const capabilities of [{ tools: {} }, { tools: { listChanged: true } }]) {
          const peer = memoryPeer(withRules(modernServer({ capabilities }), page(undefined, "a")))
          const client = yield* connect(peer)
          yield* names(client)
          yield* names(client)
          expect(cursors(peer)).toHaveLength(1)
          yield* TestClock.adjust(60_000)
          yield* names(client)
          expect(cursors(peer)).toHaveLength(2)
        }
      }),
  )

  it.effect(
    "V26-CACHE-10 pages that were kept are doubtful after a lost connection, for this client alone",
    () =>
      Effect.gen(function* () {
        const peer = server(page(undefined, "a"))
        const store = openStore()
        const client = yield* connect(peer, { cache: { store }, reconnect: "never" })
        yield* names(client)
        peer.play([{ destroy: true }])
        yield* until(() => client.state !== "ready")
        const failed = yield* Effect.flip(client.tools.list())
        expect(failed._tag).toBe("ConnectionClosed")
        expect(store.entries.size).toBe(1)
      }),
  )

  it.effect("notices without end keep no store busy without end", () =>
    Effect.gen(function* () {
      const peer = server(page(undefined, "a"))
      const store = openStore()
      const client = yield* connect(peer, {
        cache: {
          store: {
            ...store,
            delete: (prefix) =>
              Effect.andThen(
                Effect.sleep(100),
                Effect.sync(() => store.delete(prefix)),
              ),
          },
        },
      })
      const { notified } = client.connection.life
      for (let times = 0; times < 10_000; times++) {
        notified.tell({ jsonrpc: "2.0", method: "notifications/tools/list_changed" })
      }
      yield* TestClock.adjust("1 minute")
      expect(store.errands.filter((errand) => errand === "delete").length).toBeLessThan(10)
    }),
  )
})

describe("pages of one list with two scopes", () => {
  const mixed = (first: string | undefined, second: string | undefined) => [
    page(undefined, "a", { nextCursor: "2", cacheScope: first }),
    page("2", "b", { cacheScope: second }),
  ]

  it.effect.each([
    ["public", "private"],
    ["private", "public"],
    ["public", undefined],
    [undefined, "public"],
  ] as const)("V26-CACHE-12 V26-CACHE-08 %s and %s are private", ([first, second]) =>
    Effect.gen(function* () {
      const peer = server(...mixed(first, second))
      const store = openStore()
      const client = yield* connect(peer, { cache: { store, authorization: "one" } })
      yield* names(client)
      const scopes = () => [...store.entries.values()].map(({ scope }) => scope)
      expect(scopes()).not.toContain("public")
      const other = yield* connect(peer, { cache: { store, authorization: "other" } })
      expect(yield* names(other)).toEqual(["a", "b"])
      expect(cursors(peer)).toEqual([null, "2", null, "2"])
      // From the second reading on all of them are kept.
      yield* names(client)
      const asked = cursors(peer).length
      yield* names(client)
      expect(scopes()).not.toContain("public")
      expect(cursors(peer)).toHaveLength(asked)
    }),
  )

  it.effect("one that is not to be kept at all makes the others private too", () =>
    Effect.gen(function* () {
      const peer = server(page(undefined, "a", { nextCursor: "2" }), {
        when: { method: "tools/list", params: { cursor: "2" } },
        reply: [{ result: { ...complete, tools: [] } }],
      })
      const store = openStore()
      const client = yield* connect(peer, { cache: { store } })
      yield* names(client)
      expect([...store.entries]).toEqual([])
    }),
  )
})
