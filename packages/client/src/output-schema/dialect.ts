import type { JsonObject } from "@entente/protocol"

/** The dialects of JSON Schema that are understood (V26-SCHEMA-03). */
export const schemaDialects = ["2020-12", "draft-07"] as const
export type SchemaDialect = (typeof schemaDialects)[number]

const names: ReadonlyMap<string, SchemaDialect> = new Map([
  ["json-schema.org/draft/2020-12/schema", "2020-12"],
  ["json-schema.org/draft-07/schema", "draft-07"],
])

/**
 * The dialect that a schema is written in: the one it declares, or 2020-12 (V26-SCHEMA-01, V25-META-07).
 * `$schema` is a name and never fetched (V26-SCHEMA-07); nothing where it names another dialect.
 *
 * @example
 * dialectOf({ $schema: "https://json-schema.org/draft-07/schema" }) // "draft-07"
 */
export const dialectOf = ({ $schema }: JsonObject): SchemaDialect | undefined => {
  if ($schema === undefined) return "2020-12"
  return typeof $schema === "string"
    ? names.get($schema.replace(/^https?:\/\//, "").replace(/#$/, ""))
    : undefined
}
