import type * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"

/**
 * Starts an effect and gives its fiber back: what `FiberSet.makeRuntime<R>()` yields. Make it before the
 * actor that uses it: the scope then stops the actor first, and afterwards waits until the interrupted
 * effects have run their finalizers.
 */
export type Fork<R = never> = <A, E>(effect: Effect.Effect<A, E, R>) => Fiber.Fiber<A, E>
