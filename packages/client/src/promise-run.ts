import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Stream from "effect/Stream"
import { RequestAborted, explain, type EntenteError } from "@entente/protocol"
import { onAbort } from "./call/abort-listeners.js"

/** What callers without Effect can call off. */
export interface Abortable {
  /** Cancels what it is given to; the promise rejects with `RequestAborted`. */
  readonly signal?: AbortSignal
}

/** What a call ends with that its caller has called off. */
export const aborted = (
  method: string,
  target: string,
  signal: AbortSignal | undefined,
): RequestAborted =>
  new RequestAborted({
    ...explain("aborted", "request", target, `${method} was cancelled by the caller.`),
    method,
    cause: signal?.reason,
  })

/** Runs an effect as a promise; an abort becomes the same error a cancelled call ends with. */
export const run = async <A>(
  effect: Effect.Effect<A, EntenteError>,
  signal: AbortSignal | undefined,
  target: string,
  what: string,
): Promise<A> => {
  const exit = await Effect.runPromiseExit(effect, signal === undefined ? {} : { signal })
  if (signal?.aborted === true && Exit.hasInterrupts(exit)) throw aborted(what, target, signal)
  return Exit.isSuccess(exit) ? exit.value : Effect.runPromise(exit)
}

/** A stream as an iterable; leaving its loop, or an abort, ends the stream. */
export const iterate = <A>(
  stream: Stream.Stream<A, EntenteError>,
  signal: AbortSignal | undefined,
  target: string,
  what: string,
): AsyncIterable<A> =>
  Stream.toAsyncIterable(
    signal === undefined
      ? stream
      : Stream.interruptWhen(
          stream,
          failOnAbort(signal, () => aborted(what, target, signal)),
        ),
  )

/** Fails when the signal aborts. */
const failOnAbort = (
  signal: AbortSignal,
  error: () => RequestAborted,
): Effect.Effect<never, RequestAborted> =>
  Effect.callback((resume) => {
    const abort = () => resume(Effect.fail(error()))
    if (signal.aborted) return abort()
    return Effect.sync(onAbort(signal, abort))
  })
