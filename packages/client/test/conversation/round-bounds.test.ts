import { describe, expect } from "vitest"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { Client, memoryVerdicts, type ConnectOptions } from "@entente/client"
import { memoryPeer, type Script } from "@entente/testkit"
import { until } from "../field/scripted-http.js"
import { asking, deferred, form, inputRequired } from "./asking-server.js"

const open = (script: Script, options: ConnectOptions = {}) =>
  Effect.gen(function* () {
    const peer = memoryPeer(script)
    const client = yield* Client.connect(peer.transport, { verdicts: memoryVerdicts(), ...options })
    return { peer, client }
  })

const endless = asking([inputRequired({ requestState: "same" })])

describe("a server that asks without end", () => {
  it.effect(
    "C035 V26-MRTR-16 is given up after the rounds allowed, and the error says how many",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* open(endless, { rounds: { max: 3 } })
        const call = yield* Effect.forkChild(Effect.flip(client.callTool({ name: "book" })))
        const sent = () => peer.requests("tools/call").length
        yield* until(() => sent() === 2) // the first retry goes out at once (V26-MRTR-04)
        yield* TestClock.adjust("249 millis")
        expect(sent()).toBe(2)
        yield* TestClock.adjust("1 millis")
        yield* until(() => sent() === 3)
        yield* TestClock.adjust("499 millis")
        expect(sent()).toBe(3)
        yield* TestClock.adjust("1 millis")
        expect(yield* Fiber.join(call)).toMatchObject({
          _tag: "TooManyRounds",
          code: "too-many-rounds",
          rounds: 3,
        })
        expect(sent()).toBe(4) // the call and exactly 3 retries
      }),
  )

  it.effect("C035 is given up after 10 rounds where nobody says otherwise", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* open(endless)
      const call = yield* Effect.forkChild(Effect.flip(client.callTool({ name: "book" })))
      for (let retries = 1; retries <= 10; retries++) {
        yield* until(() => peer.requests("tools/call").length > retries)
        yield* TestClock.adjust("10 seconds")
      }
      expect(yield* Fiber.join(call)).toMatchObject({ rounds: 10 })
    }),
  )

  it.effect(
    "V26-MRTR-16 is given up after the time allowed, a dialog that stays open included",
    () =>
      Effect.gen(function* () {
        let dialog: AbortSignal | undefined
        const { client } = yield* open(
          asking([inputRequired({ inputRequests: { q: form("?") } })]),
          {
            rounds: { deadlineMs: 5_000 },
            handlers: {
              elicitation: {
                form: (_params, { signal }) => {
                  dialog = signal
                  return new Promise(() => {})
                },
              },
            },
          },
        )
        const call = yield* Effect.forkChild(Effect.flip(client.callTool({ name: "book" })))
        yield* until(() => dialog !== undefined)
        yield* TestClock.adjust("5 seconds")
        expect(yield* Fiber.join(call)).toMatchObject({ code: "too-many-rounds", rounds: 0 })
        expect(dialog?.aborted).toBe(true)
      }),
  )

  it.effect("V26-MRTR-18 people's time counts for no time-out of a request", () =>
    Effect.gen(function* () {
      const answered = deferred<void>()
      let asked = false
      const { client } = yield* open(
        asking([inputRequired({ inputRequests: { q: form("?") } }), { content: [] }]),
        {
          timeoutMs: 1_000,
          maxTotalTimeoutMs: 1_000,
          handlers: {
            elicitation: {
              form: async () => {
                asked = true
                await answered.promise
                return { action: "cancel" as const }
              },
            },
          },
        },
      )
      const call = yield* Effect.forkChild(client.callTool({ name: "book" }))
      yield* until(() => asked)
      yield* TestClock.adjust("10 minutes")
      answered.resolve()
      expect(yield* Fiber.join(call)).toEqual({ content: [] })
    }),
  )
})
