import { describe, expect } from "vitest"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { legacyServer, memoryPeer, notification, withRules, type Peer } from "@entente/testkit"
import { connected } from "../field/connected.js"
import { until } from "../field/scripted-http.js"
import { Client, memoryVerdicts, type ConnectOptions, type ResourceUpdated } from "@entente/client"
import { asked, listen, onListen, server, subscription } from "./modern-peers.js"

const uri = "file:///a"

const legacy = withRules(
  legacyServer({ resources: [], capabilities: { resources: { subscribe: true } } }),
  { when: { method: "resources/subscribe" }, reply: [{ result: {} }] },
  { when: { method: "resources/unsubscribe" }, reply: [{ result: {} }] },
)

/** How a server of each era is asked, and how it tells. */
const eras = [
  {
    mode: "legacy",
    script: legacy,
    tell: (peer: Peer) => peer.send(notification("notifications/resources/updated", { uri })),
    count: (peer: Peer) => peer.requests("resources/subscribe").length,
    isOver: (peer: Peer) => peer.requests("resources/unsubscribe").length === 1,
  },
  {
    mode: "modern",
    script: server(),
    tell: (peer: Peer) =>
      peer.send(onListen("notifications/resources/updated", { uri }), subscription),
    count: (peer: Peer) =>
      asked(peer).filter((filter) => JSON.stringify(filter).includes(uri)).length,
    isOver: (peer: Peer) =>
      peer.methods().filter((method) => method === "notifications/cancelled").length === 2,
  },
] as const

const withoutCapability = {
  legacy: legacyServer({ resources: [], capabilities: { resources: {} } }),
  modern: server({ capabilities: { resources: {} } }),
}

const eventually = (holds: () => boolean): Promise<void> => Effect.runPromise(until(holds))

const open = (script: Parameters<typeof memoryPeer>[0], options: ConnectOptions) =>
  Effect.gen(function* () {
    const peer = memoryPeer(script)
    const client = yield* Client.connect(peer.transport, {
      verdicts: memoryVerdicts(),
      ...options,
    })
    return { peer, client }
  })

describe("client.resources.updates", () => {
  it.effect.each(eras)(
    "V26-DUAL-11 V25-RES-03 subscribes while it is read, in the $mode era",
    ({ mode, script, tell, count, isOver }) =>
      Effect.gen(function* () {
        const { peer, client } = yield* open(script, { mode })
        const updates = client.resources.updates(uri)
        yield* client.resources.list()
        expect(count(peer)).toBe(0)
        const reading = yield* Effect.forkChild(Stream.runCollect(Stream.take(updates, 2)), {
          startImmediately: true,
        })
        yield* until(() => count(peer) === 1)
        yield* client.resources.list()
        tell(peer)
        tell(peer)
        expect(yield* Fiber.join(reading)).toEqual([
          { uri, missed: false },
          { uri, missed: false },
        ])
        yield* until(() => isOver(peer))
      }),
  )

  it.effect.each(["legacy", "modern"] as const)(
    "V25-CAP-03 V26-SUB-15 fails where the server does not offer it, in the %s era",
    (mode) =>
      Effect.gen(function* () {
        const { client } = yield* open(withoutCapability[mode], { mode })
        const error = yield* Effect.flip(Stream.runDrain(client.resources.updates(uri)))
        expect(error).toMatchObject({
          _tag: "CapabilityMissing",
          capability: "resources.subscribe",
        })
      }),
  )

  it.effect("ends when the client is closed, and fails when the connection has failed", () =>
    Effect.gen(function* () {
      for (const end of ["close", "loss"]) {
        const { peer, client } = yield* open(legacy, { mode: "legacy", reconnect: "never" })
        const reading = yield* Effect.forkChild(Stream.runCollect(client.resources.updates(uri)), {
          startImmediately: true,
        })
        yield* until(() => peer.requests("resources/subscribe").length === 1)
        yield* client.resources.list()
        if (end === "close") yield* client.close
        else peer.play([{ destroy: true }])
        const exit = yield* Fiber.await(reading)
        if (end === "close") expect(exit).toEqual(Exit.succeed([]))
        else expect(Exit.isFailure(exit) && String(exit.cause)).toContain("ConnectionClosed")
      }
    }),
  )

  it.effect("interrupted before the server has agreed it leaves nothing behind", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* open(
        withRules(legacy, {
          when: { method: "resources/subscribe" },
          times: 1,
          reply: [{ silence: true }],
        }),
        { mode: "legacy" },
      )
      const reading = yield* Effect.forkChild(Stream.runDrain(client.resources.updates(uri)), {
        startImmediately: true,
      })
      yield* until(() => peer.requests("resources/subscribe").length === 1)
      yield* Fiber.interrupt(reading)
      peer.play([{ result: {} }], { method: "resources/subscribe" })
      yield* until(() => peer.requests("resources/unsubscribe").length === 1)
      expect(client.connection.life.listening.resources.names).toEqual([])
    }),
  )
})

describe("client.resources.subscribe", () => {
  it.each(eras)(
    "V26-DUAL-11 V25-RES-03 resolves when the server has agreed, with what ends it, in the $mode era",
    async ({ mode, script, tell, count, isOver }) => {
      const peer = memoryPeer(script)
      await using client = await connected(peer.transport, { mode })
      const told: Array<ResourceUpdated> = []
      {
        await using unsubscribe = await client.resources.subscribe(uri, (one) => told.push(one))
        expect(count(peer)).toBe(1)
        expect(typeof unsubscribe).toBe("function")
        tell(peer)
        await eventually(() => told.length === 1)
      }
      await eventually(() => isOver(peer))
      expect(told).toEqual([{ uri, missed: false }])
    },
  )

  it.each(["legacy", "modern"] as const)(
    "V25-CAP-03 V26-SUB-15 rejects where the server does not offer it, in the %s era",
    async (mode) => {
      const peer = memoryPeer(withoutCapability[mode])
      await using client = await connected(peer.transport, { mode })
      await expect(client.resources.subscribe(uri, () => {})).rejects.toMatchObject({
        _tag: "CapabilityMissing",
        capability: "resources.subscribe",
      })
    },
  )

  it("rejects with NotSubscribed where a modern server grants nothing of it", async () => {
    const peer = memoryPeer(
      withRules(
        server(),
        listen([
          {
            message: onListen("notifications/subscriptions/acknowledged", {
              notifications: { toolsListChanged: true },
            }),
          },
        ]),
      ),
    )
    await using client = await connected(peer.transport, { mode: "modern" })
    await expect(client.resources.subscribe(uri, () => {})).rejects.toMatchObject({
      _tag: "NotSubscribed",
      uri,
      message: expect.stringContaining("docs/errors.md#not-subscribed"),
    })
    expect(client.subscriptions).toMatchObject({ filter: { toolsListChanged: true } })
  })

  it.each(eras)(
    "is over when its signal aborts: before, while it is asked for, and later, in the $mode era",
    async ({ mode, script, count, isOver }) => {
      const peer = memoryPeer(script)
      await using client = await connected(peer.transport, { mode })
      const aborted = { _tag: "RequestAborted", cause: "enough" }
      const before = AbortSignal.abort("enough")
      await expect(
        client.resources.subscribe(uri, () => {}, { signal: before }),
      ).rejects.toMatchObject(aborted)
      expect(count(peer)).toBe(0)
      const while_ = new AbortController()
      const asking = client.resources.subscribe(uri, () => {}, { signal: while_.signal })
      while_.abort("enough")
      await expect(asking).rejects.toMatchObject(aborted)
      const later = new AbortController()
      await client.resources.subscribe("file:///b", () => {}, { signal: later.signal })
      later.abort("enough")
      if (mode === "legacy") {
        await eventually(() => peer.requests("resources/unsubscribe").length === 2)
      } else await eventually(() => isOver(peer))
      await client.resources.list()
      expect(client.notes).toEqual([])
    },
  )
})
