import * as Schema from "effect/Schema"
import { isJsonObject, type JsonObject } from "../json-rpc.js"

/** Any schema here: it describes, without changing anything, what a `T` looks like on the wire. */
export type Shape<T = unknown> = Schema.ConstraintDecoder<T>

/** A member that may be absent. `null` is not absence; see the tolerance `null-is-absent`. */
export { optionalKey as optional } from "effect/Schema"

/** An object about whose members nothing is said. */
export const AnyObject = Schema.declare<JsonObject>(isJsonObject, { expected: "object" })

/**
 * An object with at least these members. Every object of MCP is open (V25-RPC-11, V26-ENV-16): what
 * else it holds is neither looked at nor removed, and its type is `unknown`.
 */
export const open = <const Fields extends Schema.Struct.Fields>(fields: Fields) =>
  // A struct ignores other members; the type says so, because `validate` hands out the original.
  Schema.Struct(fields) as unknown as Schema.Codec<Schema.Struct.Type<Fields> & JsonObject>

/**
 * The params of one method: open on the wire, but typed as closed, because callers write them and a
 * misspelt name must not compile.
 */
export const params = <const Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.Struct(fields) as unknown as Schema.Codec<Schema.Struct.Type<Fields>> // services are never

/**
 * A string that should be one of the known ones, where another is harmless and must not cost the
 * whole object.
 */
export const openEnum = <const Known extends string>(...known: ReadonlyArray<Known>) =>
  // The type keeps the known values for completion in editors.
  Schema.String.annotate({ examples: known }) as unknown as Schema.Codec<Known | (string & {})>
