import { describe, expect } from "vitest"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { withRules } from "@entente/testkit"
import { until } from "../field/scripted-http.js"
import {
  acknowledge,
  asked,
  cancelled,
  changed,
  detailOf,
  everyWay,
  hearing,
  isOpen,
  listen,
  noted,
  onListen,
  server,
  subscription,
  ways,
  works,
} from "./modern-peers.js"

describe("what counts is the acknowledgement", () => {
  it.effect.each(everyWay)(
    "V26-SUB-04 V26-SUB-02 over %s what is not granted is told, and dropped where it comes all the same",
    (way) =>
      Effect.gen(function* () {
        const { peer, client } = yield* ways[way](
          withRules(
            server(),
            listen([{ message: acknowledge({ toolsListChanged: true }) }, { silence: true }]),
          ),
        )
        yield* isOpen(client)
        expect(client.subscriptions).toMatchObject({
          filter: { toolsListChanged: true },
          withheld: { promptsListChanged: true, resourcesListChanged: true },
        })
        expect(detailOf(client, "listening-narrowed")).toBe(
          "not granted: promptsListChanged, resourcesListChanged",
        )
        yield* client.prompts.list()
        const heard = hearing(client)
        peer.send(changed("prompts"), subscription)
        peer.send(changed("tools"), subscription)
        yield* until(() => heard.length === 1)
        expect(heard).toEqual(["notifications/tools/list_changed"])
        expect(detailOf(client, "notice-dropped")).toBe(
          "notifications/prompts/list_changed: it was not granted",
        )
        expect(client.prompts.last?.stale).toBe(false)
      }),
  )

  it.effect("V26-SUB-02 what was never asked for is not granted by granting it", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* ways.memory(
        withRules(
          server({ capabilities: { tools: { listChanged: true } } }),
          listen([
            {
              message: acknowledge({
                toolsListChanged: true,
                promptsListChanged: true,
                resourceSubscriptions: ["a://1"],
              }),
            },
          ]),
        ),
      )
      yield* isOpen(client)
      expect(client.subscriptions.filter).toEqual({ toolsListChanged: true })
      const heard = hearing(client)
      peer.send(changed("prompts"), subscription)
      peer.send(onListen("notifications/resources/updated", { uri: "a://1" }), subscription)
      peer.send(changed("tools"), subscription)
      yield* until(() => heard.length === 1)
      expect(heard).toEqual(["notifications/tools/list_changed"])
      expect(client.notes).toMatchObject([{ code: "notice-dropped", count: 2 }])
    }),
  )

  it.effect.each(everyWay)(
    "V26-SUB-04 C037 (c) over %s nothing granted: the stream is closed, and the caller can read it",
    (way) =>
      Effect.gen(function* () {
        const { peer, client } = yield* ways[way](
          withRules(server(), listen([{ message: acknowledge({}) }, { silence: true }])),
        )
        yield* until(() => client.listening === "unsupported")
        expect(client.subscriptions).toMatchObject({
          filter: {},
          withheld: { toolsListChanged: true },
        })
        expect(detailOf(client, "listening-unsupported")).toContain("grants nothing")
        if (way === "http") yield* until(() => peer.disconnects() === 1)
        else yield* until(() => cancelled(peer).length === 1)
        yield* TestClock.adjust("10 minutes")
        expect(asked(peer)).toHaveLength(1)
        yield* works(client)
      }),
  )

  it.effect.each(everyWay)(
    "V26-SUB-03 over %s what comes before it is dropped, and it may come once",
    (way) =>
      Effect.gen(function* () {
        const { peer, client } = yield* ways[way](
          withRules(
            server(),
            listen([
              { message: changed("tools") },
              { message: acknowledge() },
              { message: acknowledge({}) },
              { silence: true },
            ]),
          ),
        )
        const heard = hearing(client)
        yield* isOpen(client)
        peer.send(changed("prompts"), subscription)
        yield* until(() => heard.includes("notifications/prompts/list_changed"))
        expect(heard).not.toContain("notifications/tools/list_changed")
        expect(client.notes).toMatchObject([{ code: "notice-dropped", count: 2 }])
        expect(client.subscriptions.withheld).toEqual({})
      }),
  )

  it.effect("one that is malformed is none", () =>
    Effect.gen(function* () {
      const { client } = yield* ways.memory(
        withRules(server(), listen([{ message: acknowledge("everything") }])),
      )
      yield* until(() => noted(client).includes("notice-dropped"))
      expect(client.listening).toBe("opening")
      yield* TestClock.adjust("10 seconds")
      expect(client.listening).toBe("unavailable")
    }),
  )
})
