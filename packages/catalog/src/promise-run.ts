import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { RequestAborted, explain, type EntenteError } from "@entente/protocol"

/** What callers without Effect can call off. */
export interface Abortable {
  /** Ends the wait; the promise rejects with `RequestAborted`. */
  readonly signal?: AbortSignal
}

/** Runs an effect as a promise; an abort becomes the error that a cancelled call ends with. */
export const run = async <A>(
  effect: Effect.Effect<A, EntenteError>,
  { signal }: Abortable,
  method: string,
): Promise<A> => {
  const exit = await Effect.runPromiseExit(effect, signal === undefined ? {} : { signal })
  if (signal?.aborted === true && Exit.hasInterrupts(exit)) {
    const fields = explain(
      "aborted",
      "request",
      "catalog",
      `${method} was cancelled by the caller.`,
    )
    throw new RequestAborted({ ...fields, method, cause: signal.reason })
  }
  return Exit.isSuccess(exit) ? exit.value : Effect.runPromise(exit)
}
