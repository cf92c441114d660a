import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import {
  ConnectionClosed,
  explain,
  type EntenteError,
  type JsonObject,
  type ResultType,
} from "@entente/protocol"
import { rounds } from "../rounds/rounds.js"
import { hiddenTask } from "../task/hidden-task.js"
import type { CallOutcome, Cancel } from "./call.js"
import type { CallExtras } from "./call-options.js"
import type { Connection } from "./connection.js"
import { callerCancelled } from "./reply-error.js"
import { invalidResult, resultTypeOf } from "./result-type.js"
import type { Turn } from "./turn.js"

/** What each kind of answer leads to, until there is a further answer; a complete one to nothing. */
const continuations: {
  readonly [Type in ResultType]?: (turn: Turn) => Effect.Effect<JsonObject, EntenteError>
} = {
  input_required: rounds,
  task: hiddenTask,
}

/**
 * A request from its first message to its final result, however many there are between. The one road of
 * typed calls through both doors: where the first answer is the result, it is one call and nothing more.
 */
export const converse = (
  connection: Connection,
  method: string,
  params: JsonObject | undefined,
  options: CallExtras,
  done: (outcome: CallOutcome) => void,
): Cancel => {
  let further: Cancel | undefined
  const first = connection.call(method, params, options, (outcome) => {
    if (!outcome.ok) return done(outcome)
    const turn = { connection, method, params, options, result: outcome.result }
    const type = resultTypeOf(connection, method, options, outcome.result)
    if (type.ok && type.value === "complete") return done(outcome)
    further = inBackground(turn, goOn(turn), done)
  })
  return () => (further ?? first)()
}

/** From an answer to the final result. */
const goOn = (turn: Turn): Effect.Effect<JsonObject, EntenteError> => {
  const { connection, method, options, result } = turn
  const type = resultTypeOf(connection, method, options, result)
  if (!type.ok) return Effect.fail(invalidResult(connection, method, type))
  const go = continuations[type.value]
  const isKept = type.value === "task" && options.keepTask === true
  if (go === undefined || isKept) return Effect.succeed(result)
  return Effect.flatMap(go(turn), (next) => goOn({ ...turn, result: next }))
}

/** Runs what is no single call any more. It ends with the connection at the latest. */
const inBackground = (
  turn: Turn,
  conversation: Effect.Effect<JsonObject, EntenteError>,
  done: (outcome: CallOutcome) => void,
): Cancel => {
  const { method, connection } = turn
  const { life } = connection
  let settled = false
  const settle = (outcome: CallOutcome): void => {
    if (settled) return
    settled = true
    done(outcome)
  }
  const settleWith = (exit: Exit.Exit<JsonObject, EntenteError>): void => {
    if (Exit.isSuccess(exit)) return settle({ ok: true, result: exit.value })
    const error = Cause.findErrorOption(exit.cause)
    settle({ ok: false, error: Option.getOrElse(error, () => broken(turn, exit.cause)) })
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
  { method, connection }: Turn,
  cause: Cause.Cause<EntenteError>,
): ConnectionClosed => {
  const what = `The connection ended in the middle of ${method}.`
  const fields = explain("closed", "request", connection.target, what)
  return new ConnectionClosed({ ...fields, cause: Cause.squash(cause) })
}
