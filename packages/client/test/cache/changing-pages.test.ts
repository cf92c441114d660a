import { describe, expect } from "vitest"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { memoryPeer, modernServer, tool, withRules } from "@entente/testkit"
import { until } from "../field/scripted-http.js"
import { changed, isOpen, subscription } from "../subscription/modern-peers.js"
import { complete, fresh, memoryResults, openStore } from "./kept.js"
import { connect, cursors, names, page, server } from "./list-server.js"

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

  it.effect(
    "V26-CACHE-10 a notice reaches a store that was left alone when the last one came",
    () =>
      Effect.gen(function* () {
        const peer = server(page(undefined, "a"))
        const store = openStore()
        let hangs = true
        const client = yield* connect(peer, {
          cache: { store: { ...store, get: (key) => (hangs ? Effect.never : store.get(key)) } },
        })
        const notice = () =>
          client.connection.life.notified.tell({
            jsonrpc: "2.0",
            method: "notifications/tools/list_changed",
          })
        const asking = yield* Effect.forkChild(names(client))
        yield* TestClock.adjust("1 second")
        yield* Fiber.join(asking)
        notice()
        yield* names(client)
        expect(store.errands).not.toContain("delete")
        hangs = false
        yield* TestClock.adjust("1 minute")
        notice()
        expect(store.errands).toContain("delete")
      }),
  )

  it.effect("V26-CACHE-10 doubts of one and the same moment count each", () =>
    Effect.gen(function* () {
      const peer = server(page(undefined, "a"))
      const client = yield* connect(peer)
      const results = client.connection.results.of("tools/list")
      for (let times = 1; times <= 3; times++) {
        yield* names(client)
        yield* names(client)
        expect(cursors(peer)).toHaveLength(times)
        results.doubt()
      }
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
