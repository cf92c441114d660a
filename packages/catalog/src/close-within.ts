import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"

/** Closes a scope, and waits for that no longer than so many milliseconds: the rest goes on by itself. */
export const closeWithin = (scope: Scope.Closeable, ms: number): Effect.Effect<void> =>
  Effect.gen(function* () {
    // Apart, because a time limit would wait for what it interrupts.
    const closing = yield* Effect.forkDetach(Scope.close(scope, Exit.void))
    yield* Effect.raceFirst(Fiber.await(closing), Effect.sleep(ms))
  }).pipe(Effect.asVoid)
