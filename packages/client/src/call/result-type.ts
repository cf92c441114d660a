import {
  ProtocolViolation,
  explain,
  isJsonObject,
  readResultType,
  type JsonObject,
  type Mismatch,
  type ResultType,
  type Validation,
} from "@entente/protocol"
import type { CallOptions } from "./call-options.js"
import type { Connection } from "./connection.js"

/**
 * Looks at `resultType` before anything else (V26-RTYPE-05). A legacy result has no such member, and
 * whatever stands there means nothing.
 */
export const resultTypeOf = (
  { life }: Connection,
  method: string,
  { capabilities }: CallOptions,
  result: JsonObject,
): Validation<ResultType> => {
  if (life.agreement.era === "legacy") return { ok: true, value: "complete" }
  const { extensions } = capabilities ?? life.clientCapabilities
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
