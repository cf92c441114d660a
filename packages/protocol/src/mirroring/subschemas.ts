import { isJsonObject, type JsonObject } from "../json-rpc.js"

/** Keywords whose value is one schema, or an array of them. */
const ofSchemas = [
  "additionalItems",
  "additionalProperties",
  "allOf",
  "anyOf",
  "contains",
  "contentSchema",
  "else",
  "if",
  "items",
  "not",
  "oneOf",
  "prefixItems",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
] as const

/** Keywords whose value has a schema behind each member, whatever the member is called. */
const ofMembers = [
  "$defs",
  "definitions",
  "dependencies",
  "dependentSchemas",
  "patternProperties",
  "properties",
] as const

const keywords: ReadonlyMap<string, "schemas" | "members"> = new Map([
  ...ofSchemas.map((keyword) => [keyword, "schemas"] as const),
  ...ofMembers.map((keyword) => [keyword, "members"] as const),
])

/** A schema inside another one. */
export interface Subschema {
  readonly schema: JsonObject
  readonly keyword: string
  /** The steps from the outer schema to this one, the keyword first. */
  readonly steps: ReadonlyArray<string | number>
}

/**
 * The schemas directly inside a schema, by every keyword of draft-07 to 2020-12 that holds any, in the
 * order they were sent. Everything else in a schema is data, and may look like a schema without being one:
 * `const`, `enum`, `default`, `examples`, and keywords that JSON Schema does not know (V26-XHDR-06).
 */
export function* subschemas(schema: JsonObject): Generator<Subschema, void> {
  for (const keyword of Object.keys(schema)) {
    const kind = keywords.get(keyword)
    const value = schema[keyword]
    if (kind === undefined || typeof value !== "object" || value === null) continue
    if (kind === "schemas" && isJsonObject(value)) {
      yield { schema: value, keyword, steps: [keyword] }
      continue
    }
    if (kind === "members" && Array.isArray(value)) continue
    for (const [step, inner] of Object.entries(value)) {
      if (isJsonObject(inner)) yield { schema: inner, keyword, steps: [keyword, step] }
    }
  }
}
