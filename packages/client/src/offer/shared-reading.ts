import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type { Fork } from "@entente/session"

/** A reading under way, and how many wait for it. */
interface Reading<A, E> {
  readonly fiber: Fiber.Fiber<A, E>
  waiting: number
}

/**
 * One reading at a time, for everybody who wants one meanwhile. Whoever gives up takes it from nobody else;
 * when nobody waits any more, it is called off.
 */
export class SharedReading<A, E> {
  readonly #fork: Fork
  #current: Reading<A, E> | undefined

  constructor(fork: Fork) {
    this.#fork = fork
  }

  /** What comes of the reading under way, or of this one, where none is. */
  of(read: Effect.Effect<A, E>): Effect.Effect<Exit.Exit<A, E>> {
    return Effect.acquireUseRelease(
      Effect.sync(() => this.#join(read)),
      ({ fiber }) => Fiber.await(fiber),
      (reading) => Effect.sync(() => this.#leave(reading)),
    )
  }

  /** Whether one is under way. */
  get underWay(): boolean {
    return this.#current !== undefined
  }

  #join(read: Effect.Effect<A, E>): Reading<A, E> {
    const reading = this.#current ?? this.#begin(read)
    reading.waiting++
    return reading
  }

  #begin(read: Effect.Effect<A, E>): Reading<A, E> {
    const reading = { fiber: this.#fork(read), waiting: 0 }
    this.#current = reading
    reading.fiber.addObserver(() => this.#forget(reading))
    return reading
  }

  #leave(reading: Reading<A, E>): void {
    if (--reading.waiting > 0) return
    this.#forget(reading)
    reading.fiber.interruptUnsafe()
  }

  #forget(reading: Reading<A, E>): void {
    if (this.#current === reading) this.#current = undefined
  }
}
