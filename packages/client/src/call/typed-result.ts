import * as Effect from "effect/Effect"
import {
  NotTolerated,
  explain,
  readContent,
  resultSchema,
  type EntenteError,
  type JsonObject,
  type ResultOf,
  type Revision,
} from "@entente/protocol"
import { fittedToRevision } from "../completion/complete-params.js"
import { noOptions, type CallExtras } from "./call-options.js"
import type { Connection } from "./connection.js"
import type { Cancel } from "./call.js"
import { converse } from "./conversation.js"
import { callerCancelled } from "./reply-error.js"
import { paramsFault } from "./params-fault.js"
import { invalidResult } from "./result-type.js"
import type { TypedMethod } from "./typed-method.js"

export type TypedResults = { readonly [Method in TypedMethod]: ResultOf<Method> }

/** What a method's params have to lose for older revisions. */
const fits: {
  readonly [Method in TypedMethod]?: (params: JsonObject, revision: Revision) => JsonObject
} = { "completion/complete": fittedToRevision }

/** A typed value, or why the result is not one. */
export type Typed<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: EntenteError }

/** Checks a result against its method's schema and hands out what the server sent. */
export const decodeResult = <Method extends TypedMethod>(
  connection: Connection,
  method: Method,
  result: JsonObject,
): Typed<TypedResults[Method]> => {
  const shape = resultSchema(method, connection.life.agreement.revision)
  // Every revision has these methods; the cast names the type that the table gives the shape.
  if (shape === undefined) return { ok: true, value: result as TypedResults[Method] }
  const read = readContent(method, shape, result, connection.notes.policy)
  if (read.ok) {
    for (const note of read.notes) connection.notes.add(note)
    return { ok: true, value: read.value as TypedResults[Method] }
  }
  if (read.tolerance === undefined) {
    return { ok: false, error: invalidResult(connection, method, read) }
  }
  const what = `${method}: ${read.reason} at ${read.pointer}.`
  const fields = explain("not-tolerated", "request", connection.target, what)
  return { ok: false, error: new NotTolerated({ ...fields, tolerance: read.tolerance }) }
}

/**
 * A typed call, for both doors: its params are looked at before anything is sent, and its final result where
 * the caller asks for it, once. What a tool answers is held against its output schema as well, where it has
 * one.
 */
export const typedCall = <Method extends TypedMethod>(
  connection: Connection,
  method: Method,
  params: object,
  options: CallExtras,
  done: (outcome: Typed<TypedResults[Method]>) => void,
): Cancel => {
  const fault = paramsFault(method, params, connection.target)
  if (fault !== undefined) {
    done({ ok: false, error: fault })
    return () => {}
  }
  const given: JsonObject = { ...params }
  const sent = fits[method]?.(given, connection.life.agreement.revision) ?? given
  let checking = false
  const cancel = converse(connection, method, sent, options, (outcome) => {
    const decoded = outcome.ok ? decodeResult(connection, method, outcome.result) : outcome
    const tool = given["name"]
    if (method !== "tools/call" || !decoded.ok || typeof tool !== "string") return done(decoded)
    checking = true
    // The type of the method's results, which the compiler does not see narrowed with the method.
    const result = decoded.value as TypedResults["tools/call"]
    connection.outputSchemas.check(tool, result, options.outputSchemas, (error) => {
      if (!checking) return
      checking = false
      done(error === undefined ? decoded : { ok: false, error })
    })
  })
  return (reason) => {
    if (!checking) return cancel(reason)
    checking = false
    done({ ok: false, error: callerCancelled(method, connection.target) })
  }
}

/** The same as an Effect; interrupting it reaches the wire at once. */
export const typedResult = <Method extends TypedMethod>(
  connection: Connection,
  method: Method,
  params: object,
  options: CallExtras = noOptions,
): Effect.Effect<TypedResults[Method], EntenteError> =>
  Effect.callback((resume) =>
    Effect.sync(
      typedCall(connection, method, params, options, (outcome) =>
        resume(outcome.ok ? Effect.succeed(outcome.value) : Effect.fail(outcome.error)),
      ),
    ),
  )
