import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import { effectClock, type Fork } from "@entente/session"

/** A timer that was set; only its owner knows what it is. */
export type Timer = unknown

/** Time as the data plane sees it: plain callbacks, because a fiber per request would cost too much. */
export interface Timers {
  readonly now: () => number
  readonly set: (run: () => void, ms: number) => Timer
  readonly clear: (timer: Timer) => void
}

const platform: Timers = {
  now: () => Date.now(),
  set: (run, ms) => setTimeout(run, ms),
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
  const { setTimeout, clearTimeout } = effectClock(fork)
  return {
    now: () => clock.currentTimeMillisUnsafe(),
    set: setTimeout,
    clear: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>), // as above
  }
}
