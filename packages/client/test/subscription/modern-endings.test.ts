import { describe, expect } from "vitest"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { notification, withRules, type Step } from "@entente/testkit"
import { passUntil, until } from "../field/scripted-http.js"
import {
  acknowledge,
  asked,
  cancelled,
  everyWay,
  isOpen,
  listen,
  server,
  subscription,
  ways,
  works,
  type Way,
} from "./modern-peers.js"

describe("the end of a subscription", () => {
  const over: Step = {
    result: { resultType: "complete", _meta: { "io.modelcontextprotocol/subscriptionId": 2 } },
  }
  const takenBack: Step = {
    message: notification("notifications/cancelled", { requestId: { $from: "/id" } }),
  }
  /** The end with what follows it: over HTTP the stream ends after the last step, unless it is held open. */
  const ends: ReadonlyArray<readonly [string, ReadonlyArray<Step>, ReadonlyArray<Way>]> = [
    ["a result", [over], everyWay],
    ["a cancellation", [takenBack, { silence: true }], everyWay],
    ["a result, then a cancellation", [over, takenBack], ["memory"]],
    [
      "a result, then a cancellation, on a stream held open",
      [over, takenBack, { silence: true }],
      ["http"],
    ],
    ["a cancellation, then a result", [takenBack, over], everyWay],
    ["a cancellation and the end of the stream", [takenBack], ["http"]],
  ]
  const cases = ends.flatMap(([name, steps, over]) =>
    over.map((way) => [name, way, steps] as const),
  )

  it.effect.each(cases)(
    "V26-SUB-10 V26-SUB-11 T-14 by %s over %s it is opened again, more slowly, and lists are read again",
    ([, way, steps]) =>
      Effect.gen(function* () {
        const { peer, client } = yield* ways[way](server())
        yield* client.tools.list()
        yield* isOpen(client)
        const states: Array<string> = []
        client.connection.life.listening.changed.add((state) => states.push(state))
        peer.play(steps, subscription)
        yield* until(() => client.listening === "backingOff")
        expect(client.tools.last).toMatchObject({ status: "complete", stale: true })
        expect(client.subscriptions.filter).toBeUndefined()
        yield* TestClock.adjust("4999 millis")
        yield* works(client)
        expect(asked(peer)).toHaveLength(1)
        yield* passUntil(() => client.listening === "open")
        yield* until(() => client.tools.last?.stale === false)
        expect(client.tools.last).toMatchObject({ changed: false })
        expect(asked(peer)).toHaveLength(2)
        expect(states).toEqual(["backingOff", "opening", "open"])
        // Nothing is cancelled that the server has ended itself.
        expect(cancelled(peer)).toEqual([])
        yield* works(client)
      }),
  )

  it.effect.each<readonly [string, ReadonlyArray<Step>]>([
    ["the stream ends without a word", []],
    ["the socket is cut", [{ destroy: true }]],
    ["an error", [{ error: { code: -32603, message: "restarting" } }]],
    [
      "an error that would have been a refusal before",
      [{ error: { code: -32602, message: "no" } }],
    ],
  ])(
    "V26-SUB-10 V26-SUB-11 by a loss over HTTP (%s) it comes back sooner, and the connection stays",
    ([, steps]) =>
      Effect.gen(function* () {
        const { peer, client } = yield* ways.http(server())
        yield* client.tools.list()
        yield* isOpen(client)
        peer.play(steps, subscription)
        yield* until(() => client.listening === "backingOff")
        expect(client.tools.last?.stale).toBe(true)
        expect(client.state).toBe("ready")
        yield* TestClock.adjust("999 millis")
        expect(asked(peer)).toHaveLength(1)
        yield* passUntil(() => client.listening === "open", "10 millis")
        const [first, second] = peer.requests("subscriptions/listen").map(({ at }) => at)
        expect(second! - first!).toBeGreaterThanOrEqual(1_000)
        expect(second! - first!).toBeLessThan(4_000)
        yield* until(() => client.tools.last?.stale === false)
      }),
  )

  it.effect("V26-SUB-11 V26-CACHE-10 only what was covered goes stale, and is read again", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* ways.http(
        withRules(
          server(),
          listen([{ message: acknowledge({ toolsListChanged: true }) }, { silence: true }]),
        ),
      )
      yield* client.tools.list()
      yield* client.prompts.list()
      yield* isOpen(client)
      peer.play([{ destroy: true }], subscription)
      yield* until(() => client.listening === "backingOff")
      expect([client.tools.last?.stale, client.prompts.last?.stale]).toEqual([true, false])
      yield* passUntil(() => client.listening === "open")
      yield* until(() => client.tools.last?.stale === false)
      expect(peer.requests("tools/list")).toHaveLength(2)
      expect(peer.requests("prompts/list")).toHaveLength(1)
    }),
  )

  it.effect(
    "V26-SUB-11 C047 streams that bring nothing are opened ever more slowly, then no more",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* ways.http(
          withRules(server(), listen([{ message: acknowledge() }, { comment: "bye" }])),
          { listen: { maxFruitless: 3 } },
        )
        yield* passUntil(() => client.listening === "unavailable", "10 millis")
        const times = peer.requests("subscriptions/listen").map(({ at }) => at)
        expect(times).toHaveLength(3)
        expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(1_000)
        expect(times[2]! - times[1]!).toBeGreaterThanOrEqual(2_000)
        yield* TestClock.adjust("10 minutes")
        expect(asked(peer)).toHaveLength(3)
        yield* works(client)
      }),
  )

  it.effect.each(everyWay)(
    "V26-CANC-05 V26-CANC-06 over %s a cancellation of anything else is dropped",
    (way) =>
      Effect.gen(function* () {
        const takenBack = (requestId: unknown): Step => ({
          message: notification("notifications/cancelled", { requestId }),
        })
        const { peer, client } = yield* ways[way](
          withRules(server(), {
            when: { method: "tools/call" },
            reply: [
              takenBack({ $from: "/id" }),
              takenBack({ $text: "/id" }),
              takenBack(undefined),
              { result: { resultType: "complete", content: [] } },
            ],
          }),
        )
        yield* isOpen(client)
        expect(yield* client.callTool({ name: "a" })).toMatchObject({ content: [] })
        expect(client.notes).toMatchObject([{ code: "notice-dropped", count: 3 }])
        expect(client.listening).toBe("open")
        expect(asked(peer)).toHaveLength(1)
      }),
  )
})
