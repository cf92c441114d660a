import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { createActor } from "xstate"
import { childProcessMachine, effectClock } from "../src/index.js"

const stopping = Effect.gen(function* () {
  const clock = effectClock(yield* FiberSet.makeRuntime())
  const actor = createActor(childProcessMachine, { clock, input: {} })
  actor.start()
  actor.send({ type: "spawned" })
  actor.send({ type: "stop" })
  return actor
})

describe("effectClock", () => {
  it.effect("every after of a chart obeys the clock of its context", () =>
    Effect.gen(function* () {
      const actor = yield* stopping
      yield* TestClock.adjust(999)
      expect(actor.getSnapshot().value).toBe("closingInput")
      yield* TestClock.adjust(1)
      expect(actor.getSnapshot().value).toBe("terminating")
      yield* TestClock.adjust(1_000)
      expect(actor.getSnapshot().value).toBe("killing")
    }),
  )

  it.effect("leaving a state takes its timer back", () =>
    Effect.gen(function* () {
      const actor = yield* stopping
      actor.send({ type: "exited", code: 0, signal: undefined })
      yield* TestClock.adjust(10_000)
      expect(actor.getSnapshot().value).toBe("exited")
    }),
  )

  it.effect("a timer that is taken back never runs, and one that has run may be", () =>
    Effect.gen(function* () {
      const clock = effectClock(yield* FiberSet.makeRuntime())
      const ran: Array<string> = []
      const kept = clock.setTimeout(() => ran.push("kept"), 100)
      const cleared = clock.setTimeout(() => ran.push("cleared"), 100)
      clock.clearTimeout(cleared)
      clock.clearTimeout(undefined)
      yield* TestClock.adjust(100)
      clock.clearTimeout(kept)
      expect(ran).toEqual(["kept"])
    }),
  )

  it.effect("no timer outlives the scope", () =>
    Effect.gen(function* () {
      const actor = yield* Effect.scoped(stopping)
      yield* TestClock.adjust(10_000)
      expect(actor.getSnapshot().value).toBe("closingInput")
    }),
  )
})
