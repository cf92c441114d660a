import * as Effect from "effect/Effect"
import {
  NotTolerated,
  ProtocolViolation,
  explain,
  readResultType,
  resultSchema,
  validateTolerantly,
  type EntenteError,
  type JsonObject,
  type Mismatch,
  type ResultOf,
} from "@entente/protocol"
import type { CallOptions } from "./call.js"
import type { Connection } from "./connection.js"

/** Methods with a typed call of their own. */
export type TypedMethod = "tools/call" | "prompts/get" | "resources/read"

export type TypedResults = { readonly [Method in TypedMethod]: ResultOf<Method> }

/** A typed value, or why the result is not one. */
export type Typed<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: EntenteError }

const invalid = (connection: Connection, method: string, { pointer, reason }: Mismatch) => {
  const what = `The result of ${method} is not valid: ${reason} at ${pointer || "its root"}.`
  const fields = explain("invalid-result", "request", connection.target, what)
  return { ok: false, error: new ProtocolViolation({ ...fields, pointer }) } as const
}

/**
 * Looks at `resultType` before anything else (V26-RTYPE-05): only a complete result is one here. A
 * legacy result has no such member, and whatever stands there means nothing.
 */
export const readComplete = (
  connection: Connection,
  method: string,
  result: JsonObject,
): Typed<undefined> => {
  if (connection.life.agreement.era === "legacy") return { ok: true, value: undefined }
  const type = readResultType(method, result)
  if (!type.ok) return invalid(connection, method, type)
  if (type.value === "complete") return { ok: true, value: undefined }
  const reason = `the server asks for more (${type.value}), which this client does not offer yet`
  return invalid(connection, method, { ok: false, pointer: "/resultType", reason })
}

/** Checks a result against its method's schema and hands out what the server sent. */
export const decodeResult = <Method extends TypedMethod>(
  connection: Connection,
  method: Method,
  result: JsonObject,
): Typed<TypedResults[Method]> => {
  const complete = readComplete(connection, method, result)
  if (!complete.ok) return complete
  const shape = resultSchema(method, connection.life.agreement.revision)
  // Every revision has the three methods; the cast names the type that the table gives the shape.
  if (shape === undefined) return { ok: true, value: result as TypedResults[Method] }
  const read = validateTolerantly(shape, result, connection.notes.policy)
  if (read.ok) {
    for (const note of read.notes) connection.notes.add(note)
    return { ok: true, value: read.value as TypedResults[Method] }
  }
  if (read.tolerance === undefined) return invalid(connection, method, read)
  const what = `${method}: ${read.reason} at ${read.pointer}.`
  const fields = explain("not-tolerated", "request", connection.target, what)
  return { ok: false, error: new NotTolerated({ ...fields, tolerance: read.tolerance }) }
}

/** A request whose result is checked where the caller asks for it, once. */
export const typedResult = <Method extends TypedMethod>(
  connection: Connection,
  method: Method,
  params: JsonObject,
  options?: CallOptions,
): Effect.Effect<TypedResults[Method], EntenteError> =>
  Effect.flatMap(connection.request(method, params, options), (result) => {
    const decoded = decodeResult(connection, method, result)
    return decoded.ok ? Effect.succeed(decoded.value) : Effect.fail(decoded.error)
  })
