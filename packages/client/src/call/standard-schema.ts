import type { StandardSchemaV1 } from "@standard-schema/spec"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { ProtocolViolation, explain, jsonPointer, type EntenteError } from "@entente/protocol"

/**
 * What a caller may read a result with: a schema of Effect, or of any library that speaks Standard Schema
 * (zod, valibot, arktype, Effect 3 by `Schema.standardSchemaV1`, …).
 */
export type ResultSchema<A> = Schema.ConstraintDecoder<A> | StandardSchemaV1<unknown, A>

/** Whether something is such a schema: options of a call are not. */
export const isResultSchema = (value: unknown): value is ResultSchema<unknown> =>
  Schema.isSchema(value) ||
  (((typeof value === "object" && value !== null) || typeof value === "function") &&
    "~standard" in value)

/** Where a value was read, for the error. */
interface Reading {
  readonly target: string
  /** What is read, as a sentence begins with it: `The result of x/y`. */
  readonly what: string
}

/**
 * Reads a value with a schema. A value that does not fit is a fault of the server, and the error points to
 * the place; a schema that throws, or whose promise rejects, is a fault of its author and ends the same way.
 */
export const readWith = <A>(
  schema: ResultSchema<A>,
  value: unknown,
  { target, what }: Reading,
): Effect.Effect<A, EntenteError> => {
  const misfit = (reason: string, pointer: string, cause?: unknown) => {
    const fields = explain(
      "invalid-result",
      "request",
      target,
      `${what} does not fit its schema: ${reason} at ${pointer || "its root"}.`,
    )
    return new ProtocolViolation({ ...fields, pointer, ...(cause === undefined ? {} : { cause }) })
  }
  return Effect.flatMap(
    Effect.tryPromise({
      try: async () => standardOf(schema)["~standard"].validate(value),
      catch: (cause) => misfit("the schema itself failed", "", cause),
    }),
    (read) => {
      if (read.issues === undefined) return Effect.succeed(read.value)
      const [issue] = read.issues
      const path = issue?.path ?? []
      const steps = path.map((step) => (typeof step === "object" ? step.key : step))
      return Effect.fail(misfit(issue?.message ?? "it is refused", jsonPointer(steps)))
    },
  )
}

const standardOf = <A>(schema: ResultSchema<A>): StandardSchemaV1<unknown, A> =>
  // What is no schema of Effect 4 is one of the others: the type has two members.
  Schema.isSchema(schema)
    ? Schema.toStandardSchemaV1(schema as Schema.Codec<A>)
    : (schema as StandardSchemaV1<unknown, A>)
