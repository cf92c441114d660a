import * as Effect from "effect/Effect"
import type { EntenteError, JsonObject, ResultType } from "@entente/protocol"
import { rounds } from "../rounds/rounds.js"
import { hiddenTask } from "../task/hidden-task.js"
import type { CallOutcome, Cancel } from "./call.js"
import type { CallExtras } from "./call-options.js"
import type { Connection } from "./connection.js"
import { inBackground } from "./in-background.js"
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
  // Every message of the conversation belongs to the same trace.
  const threaded = connection.threaded(options)
  const first = connection.call(method, params, threaded, (outcome) => {
    if (!outcome.ok) return done(outcome)
    const turn = { connection, method, params, options: threaded, result: outcome.result }
    const type = resultTypeOf(connection, method, options, outcome.result)
    if (type.ok && type.value === "complete") return done(outcome)
    options.conversed?.()
    further = inBackground(connection.life, method, goOn(turn), done)
  })
  return (reason) => (further ?? first)(reason)
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
