import * as Effect from "effect/Effect"
import {
  ProtocolViolation,
  explain,
  type CallToolResult,
  type EntenteError,
} from "@entente/protocol"
import { readWith, type ResultSchema } from "../call/standard-schema.js"

/**
 * Structured content read by a schema of the caller's own: the way to a type, which an output schema of the
 * server's cannot give to a compiler.
 */
export const readStructured = <A>(
  result: CallToolResult,
  schema: ResultSchema<A>,
  target: string,
): Effect.Effect<A, EntenteError> => {
  if (Object.hasOwn(result, "structuredContent")) {
    const what = "The structured content"
    return readWith(schema, result.structuredContent, { target, what })
  }
  const why = result.isError === true ? ": the tool reports an error" : ""
  const what = `The result of the tool has no structured content${why}.`
  const fields = explain("invalid-result", "request", target, what)
  return Effect.fail(new ProtocolViolation({ ...fields, pointer: "/structuredContent" }))
}
