import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { ConnectionClosed, explain, type EntenteError, type JsonObject } from "@entente/protocol"
import type { Life } from "../life/life.js"
import type { CallOutcome, Cancel } from "./call.js"
import { callerCancelled } from "./reply-error.js"

/** Runs what is no single call any more. It ends with the connection at the latest. */
export const inBackground = (
  life: Life,
  method: string,
  conversation: Effect.Effect<JsonObject, EntenteError>,
  done: (outcome: CallOutcome) => void,
): Cancel => {
  let settled = false
  const settle = (outcome: CallOutcome): void => {
    if (settled) return
    settled = true
    done(outcome)
  }
  const settleWith = (exit: Exit.Exit<JsonObject, EntenteError>): void => {
    if (Exit.isSuccess(exit)) return settle({ ok: true, result: exit.value })
    const error = Cause.findErrorOption(exit.cause)
    settle({ ok: false, error: Option.getOrElse(error, () => broken(life, method, exit.cause)) })
  }
  const fiber = life.background(
    Effect.raceFirst(conversation, life.untilEnded).pipe(
      Effect.onExit((exit) => Effect.sync(() => settleWith(exit))),
      Effect.exit,
      Effect.asVoid,
    ),
  )
  return () => {
    // At once for the caller; what is under way is called off on the wire by the interruption.
    settle({ ok: false, error: callerCancelled(method, life.target) })
    fiber.interruptUnsafe()
  }
}

/** Neither the server nor the caller ended it: the scope is closing, or this program has a fault. */
const broken = (
  { target }: Life,
  method: string,
  cause: Cause.Cause<EntenteError>,
): ConnectionClosed => {
  const what = `The connection ended in the middle of ${method}.`
  const fields = explain("closed", "request", target, what)
  return new ConnectionClosed({ ...fields, cause: Cause.squash(cause) })
}
