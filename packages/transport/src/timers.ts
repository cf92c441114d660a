import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import type * as Scope from "effect/Scope"

/** A timer that was set; only its owner knows what it is. */
export type Timer = unknown

/** Time as the data plane sees it: plain callbacks, because a fiber per message would cost too much. */
export interface Timers {
  readonly now: () => number
  readonly set: (run: () => void, ms: number) => Timer
  readonly clear: (timer: Timer) => void
}

/** Starts an effect; its scope ends it. */
type Fork = <A, E>(effect: Effect.Effect<A, E>) => Fiber.Fiber<A, E>

/** The longest that platforms can wait, some 25 days: from there on they call back at once. */
const longestMs = 2 ** 31 - 1

const platform: Timers = {
  now: () => Date.now(),
  set: (run, ms) => setTimeout(run, Math.min(ms, longestMs)),
  // The platform's own handle comes back here and nothing else.
  clear: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
}

const liveClock = Context.getUnsafe(Context.empty(), Clock.Clock)

/**
 * Timers that follow an Effect clock. The default clock is served by the platform's own timers; any
 * other, a test clock above all, by sleeping on it.
 */
export const timersOn = (clock: Clock.Clock, fork: Fork): Timers => {
  if (clock === liveClock) return platform
  return {
    now: () => clock.currentTimeMillisUnsafe(),
    set: (run, ms) => fork(Effect.andThen(Effect.sleep(ms), Effect.sync(run))),
    clear: (timer) => (timer as Fiber.Fiber<void> | undefined)?.interruptUnsafe(), // as above
  }
}

/** Timers on the clock of whoever opens a channel. */
export const currentTimers: Effect.Effect<Timers, never, Scope.Scope> = Effect.gen(function* () {
  return timersOn(yield* Clock.Clock, yield* FiberSet.makeRuntime())
})
