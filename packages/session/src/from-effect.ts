import * as Cause from "effect/Cause"
import type * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { fromPromise, type NonReducibleUnknown, type PromiseActorLogic } from "xstate"
import type { Fork } from "./fork.js"

/**
 * An effect as actor logic: its success is the actor's output, its typed error (or defect) is what
 * `onError` gets, and the stop of the actor interrupts it. An effect that is interrupted from outside
 * has not failed: its actor says nothing more, since whoever interrupts it stops the chart as well.
 *
 * @example
 * const fork = yield* FiberSet.makeRuntime<Http>()
 * machine.provide({ actors: { open: fromEffect(() => openChannel, fork) } })
 */
export const fromEffect = <A, E, R, I extends NonReducibleUnknown>(
  run: (input: I) => Effect.Effect<A, E, R>,
  fork: Fork<R>,
): PromiseActorLogic<A, I> =>
  fromPromise<A, I>(
    ({ input, signal }) =>
      new Promise<A>((resolve, reject) => {
        const fiber = fork(run(input))
        signal.addEventListener("abort", () => fiber.interruptUnsafe(), { once: true })
        fiber.addObserver((exit) => {
          if (Exit.isSuccess(exit)) resolve(exit.value)
          else if (!Cause.hasInterruptsOnly(exit.cause)) reject(Cause.squash(exit.cause))
        })
      }),
  )
