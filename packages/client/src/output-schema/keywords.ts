import type { SchemaDialect } from "./dialect.js"

/** Keywords whose value holds other schemas. */
export type Applicator =
  | "schema"
  /** One or more of them. */
  | "schemas"
  /** One for each name. */
  | "schemaMap"
  /** One for each regular expression. */
  | "patternMap"
  /** Schemas that do nothing until a reference names them. */
  | "definitions"
  /** Draft-07: one schema for all items, or one for each of the first. */
  | "items"
  /** Draft-07: for each name either a schema or more names. */
  | "dependencies"

/** What stands under a keyword: other schemas, or what a value is held against. */
export type KeywordKind =
  | Applicator
  | "reference"
  | "type"
  | "pattern"
  | "any"
  | "values"
  | "names"
  | "nameMap"
  | "number"
  | "positive"
  | "count"
  | "flag"

/** The keywords of both dialects that can make a value wrong. All others are passed over. */
const common = {
  $ref: "reference",
  $defs: "definitions",
  definitions: "definitions",
  type: "type",
  enum: "values",
  const: "any",
  multipleOf: "positive",
  maximum: "number",
  exclusiveMaximum: "number",
  minimum: "number",
  exclusiveMinimum: "number",
  maxLength: "count",
  minLength: "count",
  pattern: "pattern",
  maxItems: "count",
  minItems: "count",
  uniqueItems: "flag",
  maxProperties: "count",
  minProperties: "count",
  required: "names",
  allOf: "schemas",
  anyOf: "schemas",
  oneOf: "schemas",
  not: "schema",
  if: "schema",
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword; nobody awaits this table
  then: "schema",
  else: "schema",
  contains: "schema",
  properties: "schemaMap",
  patternProperties: "patternMap",
  additionalProperties: "schema",
  propertyNames: "schema",
  // 2020-12 has replaced it, but its own meta-schema still describes it.
  dependencies: "dependencies",
} as const satisfies Record<string, KeywordKind>

const own = {
  "2020-12": {
    $dynamicRef: "reference",
    items: "schema",
    prefixItems: "schemas",
    minContains: "count",
    maxContains: "count",
    unevaluatedItems: "schema",
    unevaluatedProperties: "schema",
    dependentRequired: "nameMap",
    dependentSchemas: "schemaMap",
  },
  "draft-07": { items: "items", additionalItems: "schema" },
} as const satisfies Record<SchemaDialect, Record<string, KeywordKind>>

const mapOf = (dialect: SchemaDialect): ReadonlyMap<string, KeywordKind> =>
  new Map<string, KeywordKind>([...Object.entries(common), ...Object.entries(own[dialect])])

/**
 * The keywords of each dialect. `format` is none of them: in 2020-12 it is an annotation unless a
 * vocabulary says otherwise, and validators differ in what they take for an address or a date.
 */
export const keywords: { readonly [Dialect in SchemaDialect]: ReadonlyMap<string, KeywordKind> } = {
  "2020-12": mapOf("2020-12"),
  "draft-07": mapOf("draft-07"),
}
