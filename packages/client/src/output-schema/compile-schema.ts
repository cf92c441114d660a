import type { JsonObject } from "@entente/protocol"
import type { Compiled } from "./compile.js"

/** Each as long as its schema. */
const compiled = new WeakMap<JsonObject, Compiled>()

/**
 * Makes a JSON Schema that a server sent into a check, in the dialects, within the limits and with the same
 * care as output schemas: nothing is fetched, no pattern takes more than linear time, and no check more than
 * `outputSchemaLimits.steps` steps. The same schema is compiled once. What compiles is loaded with the first
 * one. Never rejects: a schema that cannot be used says why, and where.
 *
 * @example
 * const schema = await compileSchema(tool.inputSchema)
 * const verdict = schema.ok ? schema.check({ city: "Lisbon" }) : undefined
 * if (verdict?._tag === "Invalid") console.log(verdict.pointer, verdict.reason)
 */
export const compileSchema = async (schema: JsonObject): Promise<Compiled> => {
  const known = compiled.get(schema)
  if (known !== undefined) return known
  try {
    const { compile } = await import("./compile.js")
    const made = compiled.get(schema) ?? compile(schema)
    compiled.set(schema, made)
    return made
  } catch {
    // As when a page has lost its server; the next time tries again.
    return { ok: false, pointer: "", reason: "cannot be compiled: ajv could not be loaded" }
  }
}
