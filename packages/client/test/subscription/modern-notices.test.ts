import { describe, expect } from "vitest"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { notification, withRules, type Step } from "@entente/testkit"
import { passUntil, until } from "../field/scripted-http.js"
import {
  acknowledge,
  asked,
  changed,
  detailOf,
  everyWay,
  hearing,
  isOpen,
  listenIds,
  noted,
  onListen,
  server,
  subscription,
  ways,
} from "./modern-peers.js"

describe("whose a notification is", () => {
  it.effect.each(everyWay)(
    "V26-SUB-05 V26-SUB-06 V26-STDIO-05 T-23 C037 (a) over %s only the subscription's own name counts, in its own type",
    (way) =>
      Effect.gen(function* () {
        const { peer, client } = yield* ways[way](server())
        yield* client.tools.list()
        yield* isOpen(client)
        const heard = hearing(client)
        const before = peer.requests("tools/list").length
        peer.send(changed("tools", 99), subscription)
        peer.send(changed("tools", { $text: "/id" }), subscription)
        peer.send(changed("tools", null), subscription)
        peer.send(changed("tools", { $from: "/params" }), subscription)
        peer.send(changed("prompts"), subscription)
        yield* until(() => heard.length === 1)
        expect(heard).toEqual(["notifications/prompts/list_changed"])
        expect(client.notes).toMatchObject([{ code: "notice-dropped", count: 4 }])
        expect(client.tools.last?.stale).toBe(false)
        expect(peer.requests("tools/list")).toHaveLength(before)
      }),
  )

  it.effect("V26-HTTP-17 on the stream of a call a change means nothing, whatever it names", () =>
    Effect.gen(function* () {
      const outside: ReadonlyArray<Step> = [
        { message: notification("notifications/tools/list_changed") },
        { message: changed("tools", 2) },
        { message: acknowledge({}, 2) },
        { result: { resultType: "complete", content: [] } },
      ]
      const { peer, client } = yield* ways.http(
        withRules(server(), { when: { method: "tools/call" }, reply: outside }),
      )
      yield* isOpen(client)
      expect(listenIds(peer)).toEqual([2])
      yield* client.tools.list()
      yield* client.callTool({ name: "a" })
      expect(client.notes).toMatchObject([{ code: "notice-dropped", count: 3 }])
      expect(client.tools.last?.stale).toBe(false)
      expect(client.listening).toBe("open")
    }),
  )

  it.effect("V26-STDIO-05 on a shared channel a change that names nothing is nobody's", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* ways.memory(server())
      yield* isOpen(client)
      const heard = hearing(client)
      peer.send(notification("notifications/tools/list_changed"))
      peer.send(notification("notifications/message", { level: "info", data: 1 }))
      yield* until(() => heard.length === 1)
      expect(heard).toEqual(["notifications/message"])
      expect(detailOf(client, "notice-dropped")).toContain("outside any subscription")
    }),
  )

  it.effect.each([
    [{}, ["notifications/tools/list_changed", "x/end"], "subscription-id-missing"],
    [{ strict: true }, ["x/end"], "notice-dropped"],
  ] as const)(
    "T-32 over HTTP the stream says whose a change is that names nothing; with %j: %j",
    ([options, told, code]) =>
      Effect.gen(function* () {
        const { peer, client } = yield* ways.http(server(), options)
        yield* isOpen(client)
        const heard = hearing(client)
        peer.send(notification("notifications/tools/list_changed"), subscription)
        peer.send(onListen("x/end"), subscription)
        yield* until(() => heard.includes("x/end"))
        expect(heard).toEqual(told)
        expect(noted(client)).toEqual([code])
      }),
  )

  it.effect.each(everyWay)(
    "V26-SUB-13 V26-HTTP-17 V26-LOG-02 over %s progress and log messages on it are dropped",
    (way) =>
      Effect.gen(function* () {
        const { peer, client } = yield* ways[way](
          withRules(server(), { when: { method: "tools/call" }, reply: [{ silence: true }] }),
        )
        yield* isOpen(client)
        const heard = hearing(client)
        const progress: Array<number> = []
        const abort = new AbortController()
        const calling = Effect.runPromise(
          client.callTool(
            { name: "a" },
            { meta: { progressToken: "T" }, onProgress: (told) => progress.push(told.progress) },
          ),
          { signal: abort.signal },
        ).catch(() => {})
        yield* until(() => peer.requests("tools/call").length === 1)
        const told = { progressToken: "T", progress: 1 }
        peer.send(onListen("notifications/progress", told), subscription)
        peer.send(onListen("notifications/message", { level: "info", data: 1 }), subscription)
        if (way === "http") {
          peer.send(notification("notifications/message", { level: "info", data: 1 }), subscription)
        }
        peer.send(changed("tools"), subscription)
        yield* until(() => heard.length === 1)
        expect(heard).toEqual(["notifications/tools/list_changed"])
        expect(progress).toEqual([])
        expect(client.notes).toMatchObject([
          { code: "notice-dropped", count: way === "http" ? 3 : 2 },
        ])
        abort.abort()
        yield* Effect.promise(() => calling)
      }),
  )

  it.effect("V26-SUB-08 V26-SUB-12 a late word of an ended one does not reach the next", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* ways.memory(server())
      yield* isOpen(client)
      const [first] = listenIds(peer)
      peer.play([{ result: { resultType: "complete" } }], subscription)
      yield* passUntil(() => asked(peer).length === 2 && client.listening === "open")
      expect(new Set(listenIds(peer)).size).toBe(2)
      const heard = hearing(client)
      peer.send(changed("tools", first), subscription)
      peer.send(changed("prompts"), subscription)
      yield* until(() => heard.length === 1)
      expect(heard).toEqual(["notifications/prompts/list_changed"])
    }),
  )
})
