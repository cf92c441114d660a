import { describe, expect } from "vitest"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import type { CompleterOptions } from "@entente/client"
import { legacyServer, memoryPeer, modernServer, withRules, type Rule } from "@entente/testkit"
import { bothDoors } from "../conversation/wires.js"
import { reasonOf } from "../field/connected.js"

const capabilities = { completions: {} }
const ref = { type: "ref/prompt", name: "review" } as const

const echoes: Rule = {
  when: { method: "completion/complete" },
  reply: [
    {
      result: {
        resultType: "complete",
        completion: { values: [{ $from: "/params/argument/value" }], hasMore: true },
      },
    },
  ],
}
const hangs: Rule = { when: { method: "completion/complete" }, reply: [{ silence: true }] }

const typing = (rule: Rule, options: CompleterOptions = {}) =>
  Effect.gen(function* () {
    const peer = memoryPeer(withRules(modernServer({ capabilities }), rule))
    const { promises, effects } = yield* bothDoors(peer.transport)
    const asked = () =>
      peer
        .requests("completion/complete")
        .map(({ message }) => (message.params as { argument: { value: string } }).argument.value)
    return {
      peer,
      client: promises,
      completer: promises.completer(ref, options),
      effectful: effects.completer(ref, options),
      asked,
      /** Lets messages that are under way arrive. */
      settle: Effect.promise(() => promises.request("server/discover")),
    }
  })

describe("a completer", () => {
  it.effect(
    "V25-COMP-02 V26-COMP-04 asks once for ten keystrokes in a row, and answers the last",
    () =>
      Effect.gen(function* () {
        const { completer, asked } = yield* typing(echoes)
        const answers: Array<Promise<unknown>> = []
        for (let at = 1; at <= 10; at++) {
          answers.push(completer.suggest({ name: "language", value: "typescript".slice(0, at) }))
          yield* TestClock.adjust("50 millis")
        }
        yield* TestClock.adjust("150 millis")
        const all = yield* Effect.promise(() => Promise.all(answers))
        expect(all.slice(0, 9)).toEqual(Array.from({ length: 9 }))
        expect(all[9]).toEqual({ values: ["typescript"], hasMore: true })
        expect(asked()).toEqual(["typescript"])
      }),
  )

  it.effect(
    "V26-COMP-06 V25-COMP-02 asks no more than five times in a second, however slowly is typed",
    () =>
      Effect.gen(function* () {
        const { completer, asked, settle } = yield* typing(echoes)
        const value = "x".repeat(40)
        for (let at = 1; at <= 40; at++) {
          void completer.suggest({ name: "a", value: value.slice(0, at) })
          yield* TestClock.adjust("151 millis")
          yield* settle
          const elapsed = at * 151
          expect(asked().length).toBeLessThanOrEqual(5 * Math.ceil(elapsed / 1_000))
        }
        // The last one is asked for in the end.
        yield* TestClock.adjust("1 second")
        yield* settle
        expect(asked().at(-1)).toBe(value)
      }),
  )

  it.effect("V25-COMP-02 cancels the request that a later keystroke has made useless", () =>
    Effect.gen(function* () {
      const { completer, asked, settle, peer } = yield* typing(hangs)
      const first = completer.suggest({ name: "a", value: "p" })
      yield* TestClock.adjust("150 millis")
      yield* settle
      expect(asked()).toEqual(["p"])
      const second = completer.suggest({ name: "a", value: "py" })
      expect(yield* Effect.promise(() => first)).toBeUndefined()
      const { message } = yield* Effect.promise(() => peer.next("notifications/cancelled"))
      expect(message).toMatchObject({
        params: { requestId: peer.requests("completion/complete")[0]?.message.id },
      })
      yield* TestClock.adjust("150 millis")
      yield* settle
      const result = { resultType: "complete", completion: { values: ["python"] } }
      peer.play([{ result }], { method: "completion/complete" })
      expect(yield* Effect.promise(() => second)).toEqual({ values: ["python"] })
    }),
  )

  it.effect("V25-COMP-02 V26-COMP-04 keeps answers for a while, and only so many of them", () =>
    Effect.gen(function* () {
      const { completer, asked } = yield* typing(echoes, { maxCached: 2, keepMs: 10_000 })
      const suggest = (value: string, others?: Record<string, string>) =>
        Effect.gen(function* () {
          const answer = completer.suggest({ name: "a", value, ...(others && { others }) })
          yield* TestClock.adjust("1 second")
          return yield* Effect.promise(() => answer)
        })
      yield* suggest("one")
      yield* suggest("two")
      expect(yield* suggest("one")).toEqual({ values: ["one"], hasMore: true })
      expect(asked()).toEqual(["one", "two"])
      // The other form is another question, in whatever order it was filled in.
      yield* suggest("one", { x: "1", y: "2" })
      yield* suggest("one", { y: "2", x: "1" })
      expect(asked()).toEqual(["one", "two", "one"])
      // "two" was used least lately, and is gone.
      yield* suggest("one")
      expect(asked()).toHaveLength(3)
      yield* suggest("two")
      expect(asked()).toHaveLength(4)
      yield* TestClock.adjust("10 seconds")
      yield* suggest("two")
      expect(asked()).toHaveLength(5)
      completer.clear()
      yield* suggest("two")
      expect(asked()).toHaveLength(6)
    }),
  )

  it.effect(
    "V26-COMP-06 V25-COMP-01 tells of no values but those of this form, and not of the one being typed",
    () =>
      Effect.gen(function* () {
        const { completer, peer } = yield* typing(echoes, { debounceMs: 1, maxCached: 0 })
        for (const [value, others] of [
          ["a", undefined],
          ["b", { language: "python" }],
          ["c", { framework: "flask", language: "python" }],
          ["d", {}],
        ] as const) {
          const answer = completer.suggest({
            name: "framework",
            value,
            ...(others === undefined ? {} : { others }),
          })
          yield* TestClock.adjust("1 second")
          yield* Effect.promise(() => answer)
        }
        const sent = peer
          .requests("completion/complete")
          .map(({ message }) => message.params?.["context"])
        expect(sent).toEqual([
          undefined,
          { arguments: { language: "python" } },
          { arguments: { language: "python" } },
          undefined,
        ])
      }),
  )

  it.effect("V26-COMP-04 goes on after an error, and does not keep it", () =>
    Effect.gen(function* () {
      const fails: Rule = {
        when: { method: "completion/complete" },
        times: 1,
        reply: [{ error: { code: -32603, message: "busy" } }],
      }
      const peer = memoryPeer(withRules(legacyServer({ capabilities }), fails, echoes))
      const { promises } = yield* bothDoors(peer.transport)
      const completer = promises.completer(ref, { call: { timeoutMs: 1_000 } })
      const failed = reasonOf(completer.suggest({ name: "a", value: "x" }))
      yield* TestClock.adjust("150 millis")
      expect(yield* Effect.promise(() => failed)).toMatchObject({ rpcCode: -32603 })
      const answered = completer.suggest({ name: "a", value: "x" })
      yield* TestClock.adjust("150 millis")
      expect(yield* Effect.promise(() => answered)).toMatchObject({ values: ["x"] })
    }),
  )

  it.effect("V25-CAP-02 fails where the server has no completions, and asks nothing", () =>
    Effect.gen(function* () {
      const peer = memoryPeer(modernServer({ tools: [] }))
      const { promises } = yield* bothDoors(peer.transport)
      const failed = reasonOf(promises.completer(ref).suggest({ name: "a", value: "x" }))
      yield* TestClock.adjust("150 millis")
      expect(yield* Effect.promise(() => failed)).toMatchObject({ _tag: "CapabilityMissing" })
      expect(peer.methods()).not.toContain("completion/complete")
    }),
  )

  it.effect(
    "V25-COMP-02 is given up by a signal, or an interruption, before or after it has asked",
    () =>
      Effect.gen(function* () {
        const { completer, effectful, asked, settle, peer } = yield* typing(hangs)
        const stop = new AbortController()
        const early = reasonOf(
          completer.suggest({ name: "a", value: "x" }, { signal: stop.signal }),
        )
        stop.abort()
        expect(yield* Effect.promise(() => early)).toMatchObject({ _tag: "RequestAborted" })
        yield* TestClock.adjust("1 second")
        yield* settle
        expect(asked()).toEqual([])

        const fiber = yield* Effect.forkChild(effectful.suggest({ name: "a", value: "y" }), {
          startImmediately: true,
        })
        yield* TestClock.adjust("150 millis")
        yield* settle
        expect(asked()).toEqual(["y"])
        yield* Fiber.interrupt(fiber)
        yield* Effect.promise(() => peer.next("notifications/cancelled"))
      }),
  )
})
