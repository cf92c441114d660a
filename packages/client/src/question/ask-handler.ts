import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { QuestionRefused } from "@entente/protocol"
import { onAbort } from "../call/abort-listeners.js"
import type { Answering } from "./handlers.js"
import { refusal, type Asked } from "./refusal.js"
import { isUserRefused } from "./user-refused.js"

export const isPromiseLike = <A>(value: unknown): value is PromiseLike<A> =>
  typeof value === "object" && value !== null && "then" in value && typeof value.then === "function"

/** Runs what a handler gives, whichever of the three it is. */
export const settle = <A>(given: Answering<A>): Effect.Effect<A, unknown> => {
  // The three are told apart by what they are; the type parameter is what the handler promised.
  if (Effect.isEffect(given)) return given as Effect.Effect<A, unknown>
  return isPromiseLike<A>(given)
    ? Effect.tryPromise({ try: () => given, catch: (reason) => reason })
    : Effect.succeed(given as A)
}

/** Ends as an interruption when a signal aborts. */
const endOn = (signal: AbortSignal): Effect.Effect<never> =>
  Effect.callback((resume) => {
    const end = () => resume(Effect.interrupt)
    // The handler itself may have had it aborted.
    if (signal.aborted) return end()
    return Effect.sync(onAbort(signal, end))
  })

/**
 * Asks a handler. Whatever it does, throw included, becomes an answer or a refusal; its signal aborts
 * when the question is interrupted, or when the signal from outside does.
 */
export const askHandler = <A>(
  asked: Asked,
  outside: AbortSignal | undefined,
  handler: (signal: AbortSignal) => Answering<A>,
): Effect.Effect<A, QuestionRefused> =>
  Effect.suspend(() => {
    if (outside?.aborted === true) return Effect.interrupt
    const controller = new AbortController()
    const answer = Effect.suspend(() => settle(handler(controller.signal)))
    const judged = Effect.catchCause(answer, (cause) => {
      const failure = Cause.findError(cause)
      const reason = Result.isSuccess(failure) ? failure.success : Cause.squash(cause)
      return Effect.fail(
        isUserRefused(reason)
          ? refusal("refused", asked, "the handler refused", { cause: reason })
          : refusal("handler-failed", asked, "its handler failed", { cause: reason }),
      )
    })
    const running = outside === undefined ? judged : Effect.raceFirst(judged, endOn(outside))
    return Effect.onInterrupt(running, () => Effect.sync(() => controller.abort(outside?.reason)))
  })
