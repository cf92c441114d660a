import { describe, expect } from "vitest"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { memoryPeer, modernServer, refusal, tool, withRules } from "@entente/testkit"
import { openStore } from "./kept.js"
import { connect, cursors, names, page, server } from "./list-server.js"

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
