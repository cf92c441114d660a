import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Semaphore from "effect/Semaphore"

/** How many processes may be on their way up at the same time. */
export interface StartingPolicy {
  /** 4 by default. */
  readonly processes: number
  /**
   * Milliseconds after which one that is still not there makes way for the next, and goes on beside it; 1,000
   * by default.
   */
  readonly turnMs: number
}

export const defaultStarting: StartingPolicy = { processes: 4, turnMs: 1_000 }

/**
 * Turns for processes to start in. All at once they would take the processor from each other, and a modern
 * server that is late for that reason looks like a legacy one (C029). But a turn is short: a server that hangs
 * gives it up, so that it holds nobody back.
 */
export class Starting {
  readonly #turns: Semaphore.Semaphore
  readonly #turnMs: number

  constructor({ processes, turnMs }: StartingPolicy) {
    this.#turns = Semaphore.makeUnsafe(processes)
    this.#turnMs = turnMs
  }

  /** Waits for a turn and begins; the turn is over with the effect, or after its time. `begun` is told. */
  inTurn<A, E, R>(effect: Effect.Effect<A, E, R>, begun: () => void): Effect.Effect<A, E, R> {
    return Effect.uninterruptibleMask((restore) =>
      Effect.gen({ self: this }, function* () {
        yield* restore(Semaphore.take(this.#turns, 1))
        begun()
        let over = false
        const end = Effect.suspend(() => {
          if (over) return Effect.void
          over = true
          return Effect.asVoid(Semaphore.release(this.#turns, 1))
        })
        const timer = yield* Effect.forkChild(
          Effect.interruptible(Effect.andThen(Effect.sleep(this.#turnMs), end)),
        )
        return yield* restore(effect).pipe(
          Effect.ensuring(Effect.andThen(end, Fiber.interrupt(timer))),
        )
      }),
    )
  }
}
