import { describe, expect } from "vitest"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import type { Client, ResourceUpdated } from "@entente/client"
import { withRules, type Peer } from "@entente/testkit"
import { passUntil, until } from "../field/scripted-http.js"
import {
  acknowledge,
  asked,
  cancelled,
  changed,
  detailOf,
  everyWay,
  isOpen,
  listen,
  listenIds,
  noted,
  onListen,
  server,
  subscription,
  ways,
} from "./modern-peers.js"

const a = "file:///notes/a"
const b = "file:///notes/b"

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

const updated = (uri: string, id?: unknown) =>
  onListen("notifications/resources/updated", { uri }, id)

const uris = (peer: Peer) =>
  asked(peer).map((filter) => (filter as { resourceSubscriptions?: unknown }).resourceSubscriptions)

describe("a resource of a modern server", () => {
  it.effect.each(everyWay)(
    "V26-SUB-01 V26-SUB-14 over %s is asked for in the filter, and updates of it and of what lies under it are told",
    (way) =>
      Effect.gen(function* () {
        const { peer, client } = yield* ways[way](server())
        yield* isOpen(client)
        const { told, outcomes, settled } = subscribe(client, a)
        yield* settled
        expect(outcomes).toEqual(["agreed"])
        expect(asked(peer)[1]).toEqual({
          toolsListChanged: true,
          promptsListChanged: true,
          resourcesListChanged: true,
          resourceSubscriptions: [a],
        })
        const latest = {
          ...subscription,
          params: { notifications: { resourceSubscriptions: [a] } },
        }
        for (const uri of [a, `${a}/deep/er`, `${a}#part`, `${a}b`, b]) {
          peer.send(updated(uri), latest)
        }
        yield* until(() => (client.notes[0]?.count ?? 0) === 2)
        expect(told).toEqual(
          [a, `${a}/deep/er`, `${a}#part`].map((uri) => ({ uri, missed: false })),
        )
        expect(detailOf(client, "notice-dropped")).toBe(
          "notifications/resources/updated: it was not granted",
        )
      }),
  )

  it.effect.each(everyWay)(
    "V26-SUB-07 V26-SUB-06 over %s the old stream serves until the new one is acknowledged, and is cancelled then",
    (way) =>
      Effect.gen(function* () {
        const first = {
          ...subscription,
          params: { notifications: { resourceSubscriptions: { $present: false } } },
        }
        const second = {
          ...subscription,
          params: { notifications: { resourceSubscriptions: [a] } },
        }
        const { peer, client } = yield* ways[way](
          withRules(server(), { when: second, reply: [{ silence: true }] }),
        )
        yield* isOpen(client)
        const [firstId] = listenIds(peer)
        const heard: Array<string> = []
        client.connection.life.notified.add(({ method }) => heard.push(method))
        const { told, outcomes, settled } = subscribe(client, a)
        yield* until(() => asked(peer).length === 2)
        const [, secondId] = listenIds(peer)
        // Both are open now: the old one is heard, the new one has nothing to say yet.
        peer.send(changed("tools", secondId), second)
        peer.send(changed("tools", firstId), first)
        yield* until(() => heard.length === 1)
        expect(noted(client)).toEqual(["notice-dropped"])
        expect([client.listening, outcomes, cancelled(peer), peer.disconnects()]).toEqual([
          "open",
          [],
          [],
          0,
        ])
        peer.send(acknowledge({ $from: "/params/notifications" }, secondId), second)
        yield* settled
        expect(outcomes).toEqual(["agreed"])
        if (way === "http") yield* until(() => peer.disconnects() === 1)
        else {
          yield* until(() => cancelled(peer).length === 1)
          expect(cancelled(peer)).toEqual([firstId])
          peer.send(changed("prompts", firstId), first)
        }
        peer.send(updated(a, secondId), second)
        yield* until(() => told.length === 1)
        expect(heard.at(-1)).toBe("notifications/resources/updated")
        expect(heard).not.toContain("notifications/prompts/list_changed")
        expect(client.listening).toBe("open")
        expect(client.subscriptions.filter).toMatchObject({ resourceSubscriptions: [a] })
      }),
  )

  it.effect(
    "V26-SUB-07 what is wanted in one tick is one request, and one at a time after it",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* ways.memory(server())
        yield* isOpen(client)
        const many = ["x://3", "x://1", "x://2"].map((uri) => subscribe(client, uri))
        yield* until(() => asked(peer).length === 2)
        // While this one is under way, what comes and goes is collected.
        const late = ["x://5", "x://4", "x://6"].map((uri) => subscribe(client, uri))
        late[2]?.stop()
        yield* Effect.all([...many, ...late.slice(0, 2)].map(({ settled }) => settled))
        expect(uris(peer)).toEqual([
          undefined,
          ["x://1", "x://2", "x://3"],
          ["x://1", "x://2", "x://3", "x://4", "x://5"],
        ])
        yield* until(() => cancelled(peer).length === 2)
        expect(cancelled(peer)).toEqual(listenIds(peer).slice(0, 2))
      }),
  )

  it.effect("is asked for once however many want it, and until the last of them leaves", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* ways.memory(server())
      yield* isOpen(client)
      const one = subscribe(client, a)
      yield* one.settled
      const other = subscribe(client, a)
      expect(other.outcomes).toEqual(["agreed"])
      one.stop()
      one.stop()
      yield* client.tools.list()
      peer.send(updated(a), subscription)
      yield* until(() => other.told.length === 1)
      expect(one.told).toEqual([])
      expect(uris(peer)).toEqual([undefined, [a]])
      other.stop()
      yield* until(() => asked(peer).length === 3)
      expect(uris(peer)[2]).toBeUndefined()
      // To leave and come back within a tick asks the server nothing.
      const third = subscribe(client, b)
      yield* third.settled
      third.stop()
      const fourth = subscribe(client, b)
      yield* fourth.settled
      yield* client.tools.list()
      expect(asked(peer)).toHaveLength(4)
    }),
  )

  it.effect(
    "V26-SUB-04 one that is not granted is refused to who wants it, and the rest goes on",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* ways.http(
          withRules(server(), {
            when: {
              ...subscription,
              params: { notifications: { resourceSubscriptions: { $present: true } } },
            },
            reply: [
              { message: acknowledge({ toolsListChanged: true, resourceSubscriptions: [b] }) },
              { silence: true },
            ],
          }),
        )
        yield* isOpen(client)
        const [one, other] = [subscribe(client, a), subscribe(client, b)]
        yield* Effect.all([one.settled, other.settled])
        expect(one.outcomes).toMatchObject([
          { _tag: "NotSubscribed", code: "not-subscribed", uri: a },
        ])
        expect(other.outcomes).toEqual(["agreed"])
        expect(detailOf(client, "listening-narrowed")).toContain("resourceSubscriptions (1)")
        yield* until(() => uris(peer).length === 3)
        expect(uris(peer)).toEqual([undefined, [a, b], [b]])
      }),
  )

  it.effect(
    "V26-SUB-16 where a wider filter is refused the old stream stays, and comes back as it was",
    () =>
      Effect.gen(function* () {
        const wide = {
          ...subscription,
          params: { notifications: { resourceSubscriptions: { $present: true } } },
        }
        const { peer, client } = yield* ways.http(
          withRules(server(), {
            when: wide,
            reply: [{ status: 400, error: { code: -32602, message: "no resources today" } }],
          }),
        )
        yield* isOpen(client)
        const { outcomes, settled } = subscribe(client, a)
        yield* settled
        expect(outcomes).toMatchObject([
          { _tag: "NotSubscribed", cause: { _tag: "PeerError", rpcCode: -32602 } },
        ])
        expect(noted(client)).toEqual(["listening-narrowed"])
        expect(client.listening).toBe("open")
        expect(peer.disconnects()).toBe(0)
        // Tasks are wanted still, and refused together with the resource.
        client.connection.life.listening.tasks.add("t")
        yield* until(() => asked(peer).length === 3)
        yield* until(() => client.listening === "open")
        peer.play([{ destroy: true }], {
          ...subscription,
          params: { notifications: { taskIds: ["t"] } },
        })
        yield* passUntil(() => asked(peer).length === 4 && client.listening === "open")
        expect(asked(peer)[3]).toMatchObject({ toolsListChanged: true, taskIds: ["t"] })
      }),
  )

  it.effect(
    "V26-SUB-16 what was refused is not asked for again when the stream that served drops",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* ways.http(
          withRules(server(), {
            when: { ...subscription, params: { notifications: { taskIds: { $present: true } } } },
            reply: [{ status: 400, error: { code: -32021, message: "no tasks" } }],
          }),
        )
        yield* isOpen(client)
        client.connection.life.listening.tasks.add("t")
        yield* until(() => noted(client).includes("listening-narrowed"))
        peer.play([{ destroy: true }], {
          ...subscription,
          params: { notifications: { taskIds: { $present: false } } },
        })
        yield* passUntil(() => asked(peer).length === 3 && client.listening === "open")
        expect(asked(peer)[2]).toEqual(asked(peer)[0])
        expect(client.subscriptions).toMatchObject({
          asked: { taskIds: ["t"] },
          filter: { toolsListChanged: true },
          withheld: { taskIds: ["t"] },
        })
        // Another interest is another filter, which may be asked for.
        const { outcomes, settled } = subscribe(client, a)
        yield* settled
        expect(outcomes).toMatchObject([{ _tag: "NotSubscribed" }])
        expect(asked(peer)).toHaveLength(4)
      }),
  )

  it.effect(
    "V26-SUB-16 C037 (b) a server without the method refuses every resource, and is asked once",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* ways.http(
          withRules(server(), listen([{ status: 404, error: { code: -32601, message: "?" } }])),
        )
        yield* until(() => client.listening === "unsupported")
        for (const uri of [a, b]) {
          const { outcomes, settled } = subscribe(client, uri)
          yield* settled
          expect(outcomes).toMatchObject([
            { _tag: "NotSubscribed", uri, cause: { _tag: "PeerError", rpcCode: -32601 } },
          ])
        }
        expect(asked(peer)).toHaveLength(1)
      }),
  )

  it.effect(
    "V26-SUB-15 V25-CAP-03 without the capability it is refused here, and nothing is sent",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* ways.memory(
          server({
            capabilities: { tools: { listChanged: true }, resources: { listChanged: true } },
          }),
        )
        yield* isOpen(client)
        const { outcomes } = subscribe(client, a)
        expect(outcomes).toMatchObject([
          {
            _tag: "CapabilityMissing",
            method: "subscriptions/listen",
            capability: "resources.subscribe",
          },
        ])
        yield* client.tools.list()
        expect(uris(peer)).toEqual([undefined])
      }),
  )

  it.effect.each(everyWay)(
    "V26-SUB-11 over %s after a gap it is said to have changed unnoticed, once it is heard again",
    (way) =>
      Effect.gen(function* () {
        const { peer, client } = yield* ways[way](server(), { listen: false })
        const { told, settled } = subscribe(client, a)
        yield* settled
        expect(asked(peer)).toEqual([{ resourceSubscriptions: [a] }])
        peer.play([{ result: { resultType: "complete" } }], subscription)
        yield* until(() => client.listening === "backingOff")
        expect(told).toEqual([])
        yield* passUntil(() => client.listening === "open")
        expect(told).toEqual([{ uri: a, missed: true }])
        expect(uris(peer)).toEqual([[a], [a]])
      }),
  )

  it.effect("is said to have changed unnoticed also where it will not be heard again", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* ways.http(server(), { listen: false })
      const { told, outcomes, settled } = subscribe(client, a)
      yield* settled
      peer.add(listen([{ status: 400, error: { code: -32602, message: "no" } }]))
      peer.play([{ destroy: true }], subscription)
      yield* passUntil(() => client.listening === "unsupported")
      expect(told).toEqual([{ uri: a, missed: true }])
      expect(outcomes).toEqual(["agreed"])
      expect(client.subscriptions.withheld).toEqual({ resourceSubscriptions: [a] })
      // Who comes now learns it at once.
      const later = subscribe(client, a)
      yield* later.settled
      expect(later.outcomes).toMatchObject([{ _tag: "NotSubscribed" }])
    }),
  )

  it.effect(
    "a stream that drops while its successor is under way is followed by that, without a third",
    () =>
      Effect.gen(function* () {
        const second = {
          ...subscription,
          params: { notifications: { resourceSubscriptions: [a] } },
        }
        const { peer, client } = yield* ways.http(
          withRules(server(), { when: second, reply: [{ silence: true }] }),
        )
        yield* client.tools.list()
        yield* isOpen(client)
        const { settled } = subscribe(client, a)
        yield* until(() => asked(peer).length === 2)
        peer.play([{ destroy: true }], {
          ...subscription,
          params: { notifications: { resourceSubscriptions: { $present: false } } },
        })
        yield* until(() => client.listening === "opening")
        expect(client.tools.last?.stale).toBe(true)
        peer.send(acknowledge(), second)
        yield* settled
        yield* until(() => client.tools.last?.stale === false)
        expect(client.listening).toBe("open")
        expect(asked(peer)).toHaveLength(2)
      }),
  )

  it.effect("V26-SUB-16 a resource that is refused from the start costs no news of lists", () =>
    Effect.gen(function* () {
      const refused = {
        status: 400,
        error: { code: -32602, message: "no such resource" },
      }
      const { peer, client } = yield* ways.http(
        withRules(server(), {
          when: {
            ...subscription,
            params: { notifications: { resourceSubscriptions: { $present: true } } },
          },
          reply: [refused],
        }),
      )
      yield* isOpen(client)
      // Wanted before the first stream is opened, as it is after every recovery.
      const { listening } = client.connection.life
      listening.stop()
      listening.resources.add(a)
      listening.start()
      yield* until(() => client.listening === "open")
      expect(uris(peer).slice(-2)).toEqual([[a], undefined])
      expect(client.subscriptions).toMatchObject({
        filter: { toolsListChanged: true },
        withheld: { resourceSubscriptions: [a] },
      })
      expect(noted(client)).toEqual(["listening-narrowed"])
      peer.play([{ destroy: true }], {
        ...subscription,
        params: { notifications: { resourceSubscriptions: { $present: false } } },
      })
      yield* passUntil(() => client.listening === "open" && uris(peer).at(-1) === undefined)
      const { outcomes, settled } = subscribe(client, a)
      yield* settled
      expect(outcomes).toMatchObject([{ _tag: "NotSubscribed", cause: { _tag: "PeerError" } }])
    }),
  )

  it.effect("V26-SUB-16 a server that refuses even the lists is let be", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* ways.http(
        withRules(server(), listen([{ status: 400, error: { code: -32602, message: "no" } }])),
      )
      yield* until(() => client.listening === "unsupported")
      const { listening } = client.connection.life
      listening.tasks.add("t")
      yield* until(() => asked(peer).length === 3 && client.listening === "unsupported")
      expect(asked(peer)[2]).toEqual(asked(peer)[0])
      yield* TestClock.adjust("1 hour")
      expect(asked(peer)).toHaveLength(3)
    }),
  )

  it.effect("who waits when the connection ends learns it", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* ways.http(withRules(server(), listen([{ silence: true }])))
      const { outcomes } = subscribe(client, a)
      yield* until(() => asked(peer).length === 1)
      yield* client.close
      expect(outcomes).toMatchObject([{ _tag: "ConnectionClosed" }])
      expect(subscribe(client, b).outcomes).toMatchObject([{ _tag: "ConnectionClosed" }])
    }),
  )
})
