import {
  ProtocolViolation,
  explain,
  isJsonObject,
  readResultType,
  type JsonObject,
  type Mismatch,
  type ResultType,
} from "@entente/protocol"
import type { CallOutcome, Cancel } from "./call.js"
import type { CallExtras } from "./call-options.js"
import type { Connection } from "./connection.js"

/** A request, and the answer that is not its end. */
export interface Turn {
  readonly connection: Connection
  readonly method: string
  readonly params: JsonObject | undefined
  readonly options: CallExtras
  readonly result: JsonObject
}

/** Goes on after such an answer, until there is a result or an error. */
type Continuation = (turn: Turn, done: (outcome: CallOutcome) => void) => Cancel

/** What each kind of answer leads to. */
const continuations: { readonly [Type in ResultType]?: Continuation } = {}

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
    const { result } = outcome
    const type = resultTypeOf(connection, method, options, result)
    if (!type.ok) return done({ ok: false, error: invalidResult(connection, method, type) })
    const go = continuations[type.value]
    if (go === undefined) return done(outcome)
    further = go({ connection, method, params, options, result }, done)
  })
  return () => (further ?? first)()
}

/**
 * Looks at `resultType` before anything else (V26-RTYPE-05). A legacy result has no such member, and
 * whatever stands there means nothing.
 */
export const resultTypeOf = (
  connection: Connection,
  method: string,
  { capabilities = connection.life.clientCapabilities }: CallExtras,
  result: JsonObject,
) => {
  if (connection.life.agreement.era === "legacy") return { ok: true, value: "complete" } as const
  const extensions = capabilities["extensions"]
  return readResultType(method, result, isJsonObject(extensions) ? extensions : {})
}

/** The error for a result that is not what its method demands. */
export const invalidResult = (
  { target }: Connection,
  method: string,
  { pointer, reason }: Mismatch,
): ProtocolViolation => {
  const what = `The result of ${method} is not valid: ${reason} at ${pointer || "its root"}.`
  return new ProtocolViolation({ ...explain("invalid-result", "request", target, what), pointer })
}
