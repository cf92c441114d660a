import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { Client, memoryVerdicts } from "@entente/client"
import { legacyServer, memoryPeer, tool, type Step } from "@entente/testkit"
import { connected, names } from "../field/connected.js"
import { connectTo, eras, following, listOf, lists, serve, settle } from "./noisy-server.js"

const failing: Step = { error: { code: -32603, message: "out of ink" } }

/** The list is refused, as often as it is asked for. */
const broken = { when: { method: "tools/list" }, reply: [failing] }

describe("a list that is followed", () => {
  it.effect.each(eras)(
    "V25-LIST-01 C125 %s: it comes as it is, and again when the server says that it has changed",
    (era) =>
      Effect.gen(function* () {
        const { peer, client, notify } = yield* connectTo(era, "a")
        const { seen, versions, stop } = yield* following(client)
        yield* settle
        expect(versions()).toEqual([[1, "a"]])
        expect(client.tools.state).toBe("live")
        serve(peer, listOf([["a", "b"]]))
        notify()
        yield* settle
        // One source: whoever looks sees the new list, by whatever door.
        expect(versions()).toEqual([
          [1, "a"],
          [2, "a", "b"],
        ])
        expect(client.tools.last).toEqual(seen[1])
        expect(client.tools.last).toMatchObject({ version: 2, changed: true, stale: false })
        // The first is recognisably old.
        expect(seen[0]?.version).not.toBe(client.tools.last?.version)
        yield* stop
        notify()
        yield* settle
        expect(lists(peer)).toBe(2)
        expect(client.tools.state).toBe("stale")
        expect(client.tools.last?.staleBecause).toEqual({
          code: "changed",
          message: "The server says that the list has changed.",
        })
      }),
  )

  it.effect.each(eras)(
    "V25-LIST-01 V26-SUB-01 %s: a change is read at once, and one right after it within a second of the clock",
    (era) =>
      Effect.gen(function* () {
        const { peer, client, notify } = yield* connectTo(era, "a")
        const { versions } = yield* following(client)
        yield* settle
        for (const [version, ...tools] of [
          [2, "a", "b"],
          [3, "b"],
          [4, "b", "c"],
        ] as const) {
          serve(peer, listOf([tools]))
          notify()
          yield* settle
          // The first is here already; for the others no more is needed than this.
          yield* TestClock.adjust(version === 2 ? "0 millis" : "999 millis")
          yield* settle
          expect(versions().at(-1)).toEqual([version, ...tools])
        }
      }),
  )

  it.effect.each(eras)(
    "C017 %s: 200 notices cost one leading and one trailing reading, and a call goes on",
    (era) =>
      Effect.gen(function* () {
        const { peer, client, notify } = yield* connectTo(era, "a")
        const { stop } = yield* following(client)
        yield* settle
        expect(lists(peer)).toBe(1)
        peer.add({ when: { method: "tools/list" }, reply: [{ silence: true }], times: 1 })
        peer.add({ when: { method: "tools/call" }, reply: [{ silence: true }], times: 1 })
        const call = yield* Effect.forkChild(client.callTool({ name: "a" }))
        yield* settle
        notify()
        yield* settle
        expect(lists(peer)).toBe(2)
        for (let notice = 1; notice < 200; notice++) notify()
        yield* settle
        const result = { resultType: "complete", tools: [tool("a")] }
        peer.play([{ result }], { method: "tools/list" })
        yield* settle
        peer.play([{ result: { resultType: "complete", content: [] } }], { method: "tools/call" })
        expect(yield* Fiber.join(call)).toMatchObject({ content: [] })
        yield* TestClock.adjust("1 hour")
        yield* settle
        expect(lists(peer)).toBe(3)
        expect(client.tools.state).toBe("live")
        yield* stop
      }),
  )

  it.effect.each(eras)(
    "C017 V25-LIST-02 %s: notices after a reading are followed together, soon",
    (era) =>
      Effect.gen(function* () {
        const { peer, client, notify } = yield* connectTo(era, "a")
        const { versions, stop } = yield* following(client)
        yield* settle
        serve(peer, listOf([["b"]]))
        notify()
        yield* settle
        serve(peer, listOf([["c"]]))
        for (let notice = 0; notice < 100; notice++) notify()
        yield* settle
        expect(client.tools.state).toBe("stale")
        yield* TestClock.adjust("500 millis")
        yield* settle
        expect(versions()).toEqual([
          [1, "a"],
          [2, "b"],
          [3, "c"],
        ])
        expect(lists(peer)).toBe(3)
        yield* stop
      }),
  )

  it.effect.each(eras)(
    "V26-CACHE-05 %s: where it cannot be read again the last one stays, stale, and it is tried again later and later",
    (era) =>
      Effect.gen(function* () {
        const { peer, client, notify } = yield* connectTo(era, "a")
        const { versions, stop } = yield* following(client)
        yield* settle
        peer.add({ ...broken, times: 3 })
        notify()
        yield* settle
        expect(client.tools.state).toBe("stale")
        expect(client.tools.last).toMatchObject({
          status: "complete",
          items: [{ name: "a" }],
          stale: true,
          staleBecause: { code: "peer-error", rpcCode: -32603 },
        })
        for (const pause of [1_250, 2_500]) {
          const before = lists(peer)
          yield* TestClock.adjust(`${pause} millis`)
          yield* settle
          expect(lists(peer)).toBe(before + 1)
        }
        serve(peer, listOf([["b"]]))
        yield* TestClock.adjust("5 seconds")
        yield* settle
        expect(versions()).toEqual([
          [1, "a"],
          [2, "b"],
        ])
        expect(client.tools.state).toBe("live")
        yield* stop
      }),
  )

  it.effect("V26-CACHE-05 half of a newer list does not replace a whole one", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* connectTo("modern", "a", "b")
      yield* client.tools.list()
      serve(peer, [...listOf([["c"], ["d"]])])
      peer.add({ when: { method: "tools/list", params: { cursor: "2" } }, reply: [failing] })
      const listing = yield* client.tools.list()
      expect(listing).toMatchObject({ status: "partial", version: 0, items: [{ name: "c" }] })
      expect(client.tools.last).toMatchObject({ status: "complete", version: 1, stale: true })
      expect(client.tools.last?.staleBecause).toEqual(listing.reason)
    }),
  )

  it.effect("comes when it can be read at last, and says until then why it cannot", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* connectTo("legacy", "a")
      peer.add({ ...broken, times: 2 })
      const { seen, stop } = yield* following(client)
      yield* settle
      expect(seen).toMatchObject([
        { status: "unavailable", version: 0, reason: { rpcCode: -32603 } },
      ])
      expect(client.tools.state).toBe("unavailable")
      yield* TestClock.adjust("4 seconds")
      yield* settle
      yield* TestClock.adjust("4 seconds")
      yield* settle
      expect(seen[1]).toMatchObject({ status: "complete", version: 1 })
      yield* stop
    }),
  )

  it.effect("that is not offered says so, and asks for nothing", () =>
    Effect.gen(function* () {
      const peer = memoryPeer(legacyServer({ tools: [tool("a")] }))
      const client = yield* Client.connect(peer.transport, { verdicts: memoryVerdicts() })
      expect(client.prompts.state).toBe("unsupported")
      const first = yield* Stream.runHead(client.prompts.follow())
      expect(first).toMatchObject({ value: { status: "unsupported", version: 0 } })
      expect(peer.requests("prompts/list")).toEqual([])
    }),
  )

  it.effect("two who follow cost one reading, and each sees everything", () =>
    Effect.gen(function* () {
      const { peer, client, notify } = yield* connectTo("legacy", "a")
      const one = yield* following(client)
      const other = yield* following(client)
      yield* settle
      serve(peer, listOf([["b"]]))
      notify()
      yield* settle
      expect(lists(peer)).toBe(2)
      expect(one.versions()).toEqual(other.versions())
      yield* one.stop
      serve(peer, listOf([["c"]]))
      yield* TestClock.adjust("1 second")
      notify()
      yield* settle
      expect(other.versions().at(-1)).toEqual([3, "c"])
      expect(one.versions()).toHaveLength(2)
      yield* other.stop
    }),
  )

  it.effect("ends when the connection is closed", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { client } = yield* Scope.provide(connectTo("legacy", "a"), scope)
      const { seen } = yield* following(client)
      yield* settle
      yield* Scope.close(scope, Exit.void)
      yield* settle
      expect(seen).toHaveLength(1)
      expect(client.tools.state).toBe("ended")
      expect(client.tools.last).toMatchObject({ items: [{ name: "a" }], stale: true })
    }),
  )
})

describe("readings at the same time", () => {
  it.effect.each(eras)("%s: share one walk where they differ in nothing", (era) =>
    Effect.gen(function* () {
      const { peer, client } = yield* connectTo(era)
      serve(peer, listOf([["a"], ["b"]]))
      const told: Array<unknown> = []
      const listings = yield* Effect.all(
        [
          client.tools.list(),
          client.tools.list({ onPage: (progress) => told.push(progress) }),
          client.tools.list({ verify: false }),
        ],
        { concurrency: "unbounded" },
      )
      expect(lists(peer)).toBe(2)
      expect(new Set(listings).size).toBe(1)
      expect(told).toEqual([
        { pages: 1, items: 1 },
        { pages: 2, items: 2 },
      ])
      yield* Effect.all([client.tools.list(), client.tools.list({ headers: { "x-a": "1" } })], {
        concurrency: "unbounded",
      })
      expect(lists(peer)).toBe(6)
    }),
  )

  it.effect("the walk is called off when the last one leaves, and not before", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* connectTo("legacy", "a")
      peer.add({ when: { method: "tools/list" }, reply: [{ silence: true }], times: 1 })
      const one = yield* Effect.forkChild(client.tools.list())
      const other = yield* Effect.forkChild(client.tools.list())
      yield* settle
      expect(client.tools.state).toBe("fetching")
      yield* Fiber.interrupt(one)
      expect(peer.methods()).not.toContain("notifications/cancelled")
      yield* Fiber.interrupt(other)
      yield* TestClock.adjust("1 second")
      yield* settle
      expect(peer.methods()).toContain("notifications/cancelled")
      expect(client.tools.state).toBe("unknown")
      expect(names((yield* client.tools.list()).items)).toEqual(["a"])
    }),
  )

  it.effect("a reporter that throws costs its own reading alone", () =>
    Effect.gen(function* () {
      const { client } = yield* connectTo("legacy", "a")
      const fault = new Error("mine")
      const [broke, listing] = yield* Effect.all(
        [
          Effect.exit(
            client.tools.list({
              onPage: () => {
                throw fault
              },
            }),
          ),
          client.tools.list(),
        ],
        { concurrency: "unbounded" },
      )
      expect(Exit.isFailure(broke)).toBe(true)
      expect(listing.status).toBe("complete")
    }),
  )

  it("end with the connection, each with the reason", async () => {
    const peer = memoryPeer(legacyServer({ tools: [] }))
    const client = await connected(peer.transport)
    peer.add({ when: { method: "tools/list" }, reply: [{ silence: true }] })
    const readings = [client.tools.list(), client.tools.list()].map((reading) =>
      reading.then(
        () => undefined,
        (error: unknown) => error,
      ),
    )
    await peer.next("tools/list")
    await client.close()
    for (const reading of readings)
      expect(await reading).toMatchObject({ _tag: "ConnectionClosed" })
    await expect(client.tools.list()).rejects.toMatchObject({ _tag: "ConnectionClosed" })
    expect(client.tools.state).toBe("ended")
  })
})
