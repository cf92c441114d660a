import { isJsonObject } from "@entente/protocol"
import { isJsonType } from "./json-type.js"

/** What stands under a keyword of JSON Schema. */
export type KeywordKind =
  | "schema"
  | "schemas"
  | "members"
  | "reference"
  | "type"
  | "values"
  | "names"
  | "nameMap"
  | "number"
  | "positive"
  | "count"
  | "flag"
  | "text"

/** The keywords of 2020-12 that have to be told from data, or whose value can be wrong. */
const kinds: Readonly<Record<string, KeywordKind>> = {
  $ref: "reference",
  $dynamicRef: "reference",
  $schema: "text",
  $comment: "text",
  title: "text",
  description: "text",
  type: "type",
  enum: "values",
  format: "text",
  pattern: "text",
  minLength: "count",
  maxLength: "count",
  multipleOf: "positive",
  minimum: "number",
  maximum: "number",
  exclusiveMinimum: "number",
  exclusiveMaximum: "number",
  items: "schema",
  prefixItems: "schemas",
  unevaluatedItems: "schema",
  contains: "schema",
  minContains: "count",
  maxContains: "count",
  minItems: "count",
  maxItems: "count",
  uniqueItems: "flag",
  properties: "members",
  patternProperties: "members",
  additionalProperties: "schema",
  unevaluatedProperties: "schema",
  propertyNames: "schema",
  propertyOrdering: "names",
  required: "names",
  minProperties: "count",
  maxProperties: "count",
  dependentRequired: "nameMap",
  dependentSchemas: "members",
  anyOf: "schemas",
  oneOf: "schemas",
  allOf: "schemas",
  not: "schema",
  if: "schema",
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword; nobody awaits this table
  then: "schema",
  else: "schema",
  contentSchema: "schema",
  contentEncoding: "text",
  contentMediaType: "text",
  nullable: "flag",
  deprecated: "flag",
  readOnly: "flag",
  writeOnly: "flag",
}

/** Undefined for what is data whatever it is, as `default`, and for what JSON Schema does not know. */
export const kindOf = (keyword: string): KeywordKind | undefined =>
  Object.hasOwn(kinds, keyword) ? kinds[keyword] : undefined

const isNames = (value: unknown): boolean =>
  Array.isArray(value) && value.every((name) => typeof name === "string")

/** Whether it is a regular expression at all: `\\-` is none with the flag that JSON Schema asks for, and common. */
const isPattern = (text: string): boolean =>
  ["u", ""].some((flags) => {
    try {
      return new RegExp(text, flags).flags === flags
    } catch {
      return false
    }
  })

const isCount = (value: unknown): boolean =>
  typeof value === "number" && Number.isInteger(value) && value >= 0

const is: { readonly [Kind in KeywordKind]: (value: unknown) => boolean } = {
  schema: (value) => isJsonObject(value) || typeof value === "boolean",
  schemas: (value) => Array.isArray(value) && value.length > 0,
  members: isJsonObject,
  reference: (value) => typeof value === "string",
  type: (value) =>
    isJsonType(value) || (Array.isArray(value) && value.length > 0 && value.every(isJsonType)),
  values: (value) => Array.isArray(value) && value.length > 0,
  names: isNames,
  nameMap: (value) => isJsonObject(value) && Object.values(value).every(isNames),
  number: (value) => typeof value === "number" && Number.isFinite(value),
  positive: (value) => typeof value === "number" && Number.isFinite(value) && value > 0,
  count: isCount,
  flag: (value) => typeof value === "boolean",
  text: (value) => typeof value === "string",
}

/** Whether a value may stand under a keyword: what a provider that checks schemas would refuse may not. */
export const fits = (keyword: string, value: unknown): boolean => {
  const kind = kindOf(keyword)
  if (kind === undefined) return true
  return is[kind](value) && (keyword !== "pattern" || isPattern(String(value)))
}

/** Keywords that say something about a schema and nothing about values. */
export const annotations: ReadonlySet<string> = new Set([
  "$schema",
  "$comment",
  "$defs",
  "title",
  "description",
  "default",
  "example",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
  "propertyOrdering",
  "contentEncoding",
  "contentMediaType",
  "contentSchema",
])

/** Keywords that hold a value against other schemas, which `unevaluatedProperties` and its like look into. */
export const composing: ReadonlySet<string> = new Set([
  "$ref",
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "if",
  "then",
  "else",
  "dependentSchemas",
])
