import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

interface Sleeper {
  readonly until: number
  readonly wake: () => void
}

/** Turns of the event loop without news after which nobody is busy any more. */
const quietTurns = 24

/** A turn of the event loop. Browsers know no `setImmediate`, and their timers take longer. */
const nextTurn: (run: () => void) => void =
  typeof setImmediate === "function"
    ? (run) => void setImmediate(run)
    : (run) => void setTimeout(run, 0)

/**
 * A clock on which a recording takes its own time and none of ours: whenever everybody waits, it jumps to the
 * earliest moment that somebody waits for. So time limits, pauses and messages come in the order in which they
 * came, and a replay of an hour is over at once.
 */
export class ReplayClock implements Clock.Clock {
  readonly #sleepers: Array<Sleeper> = []
  #now: number
  #turns = 0
  #ticking = false

  constructor(startMs: number) {
    this.#now = startMs
  }

  currentTimeMillisUnsafe(): number {
    return this.#now
  }

  currentTimeNanosUnsafe(): bigint {
    return BigInt(Math.round(this.#now * 1_000_000))
  }

  monotonicTimeNanosUnsafe(): bigint {
    return this.currentTimeNanosUnsafe()
  }

  readonly currentTimeMillis = Effect.sync(() => this.currentTimeMillisUnsafe())
  readonly currentTimeNanos = Effect.sync(() => this.currentTimeNanosUnsafe())
  readonly monotonicTimeNanos = Effect.sync(() => this.monotonicTimeNanosUnsafe())

  sleep(duration: Duration.Duration): Effect.Effect<void> {
    return this.pause(Duration.toMillis(duration))
  }

  /** Sleeps; with 0 until everybody else has nothing more to do at this moment. */
  pause(ms: number): Effect.Effect<void> {
    if (ms === Infinity) return Effect.never
    return Effect.callback((resume) => {
      const sleeper = {
        until: this.#now + Math.max(0, ms),
        wake: () => resume(Effect.void),
      }
      this.#sleepers.push(sleeper)
      this.stir()
      return Effect.sync(() => this.#forget(sleeper))
    })
  }

  /** The earliest moment that somebody waits for; undefined where nobody waits. */
  get nextMoment(): number | undefined {
    const moments = this.#sleepers.map(({ until }) => until)
    return moments.length === 0 ? undefined : Math.min(...moments)
  }

  /** Something has happened: whoever reacts to it comes before whoever sleeps. */
  stir(): void {
    this.#turns = 0
    if (this.#ticking || this.#sleepers.length === 0) return
    this.#ticking = true
    nextTurn(this.#tick)
  }

  readonly #tick = (): void => {
    if (this.#sleepers.length === 0) {
      this.#ticking = false
      return
    }
    if (++this.#turns > quietTurns) this.#wakeNext()
    nextTurn(this.#tick)
  }

  /** Of several that wait for the same moment the one that began first. */
  #wakeNext(): void {
    this.#turns = 0
    const [first, ...rest] = this.#sleepers
    if (first === undefined) return
    const next = rest.reduce((best, one) => (one.until < best.until ? one : best), first)
    this.#forget(next)
    this.#now = Math.max(this.#now, next.until)
    next.wake()
  }

  #forget(sleeper: Sleeper): void {
    const place = this.#sleepers.indexOf(sleeper)
    if (place >= 0) this.#sleepers.splice(place, 1)
  }
}
