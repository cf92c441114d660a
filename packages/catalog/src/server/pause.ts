import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"

/** A wait that somebody can cut short. */
export class Pause {
  #bell: Deferred.Deferred<void> | undefined

  /** Waits so many milliseconds, or until `end`. `Infinity` for as long as nobody ends it. */
  wait(ms: number): Effect.Effect<void> {
    return Effect.suspend(() => {
      const bell = Deferred.makeUnsafe<void>()
      this.#bell = bell
      const over = Deferred.await(bell)
      const waited = ms === Infinity ? over : Effect.raceFirst(over, Effect.sleep(ms))
      return Effect.ensuring(
        waited,
        Effect.sync(() => {
          if (this.#bell === bell) this.#bell = undefined
        }),
      )
    })
  }

  /** Ends the wait; where nobody waits it does nothing. */
  end(): void {
    if (this.#bell !== undefined) Deferred.doneUnsafe(this.#bell, Effect.void)
  }
}
