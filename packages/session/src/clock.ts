import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import type { Fork } from "./fork.js"

/** A delay that is under way. */
export type Timer = Fiber.Fiber<void>

/** What XState asks of a clock, without its `any`. */
export interface ChartClock {
  readonly setTimeout: (run: () => void, milliseconds: number) => Timer | undefined
  readonly clearTimeout: (timer: Timer | undefined) => void
}

/**
 * A chart's clock on Effect's `Clock`, so that every `after` obeys the clock of the fork's context
 * (`TestClock` in tests) and no timer outlives its scope.
 *
 * @example
 * createActor(negotiationMachine, { clock: effectClock(fork), input })
 */
export const effectClock = (fork: Fork): ChartClock => ({
  // What never comes needs nobody who waits for it.
  setTimeout: (run, milliseconds) =>
    milliseconds === Infinity
      ? undefined
      : fork(Effect.andThen(Effect.sleep(milliseconds), Effect.sync(run))),
  clearTimeout: (timer) => timer?.interruptUnsafe(),
})
