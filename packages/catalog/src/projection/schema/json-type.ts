import { isJsonObject } from "@entente/protocol"
import type { SchemaNode } from "./schema-node.js"

/** The types that JSON Schema knows, in the order in which a schema that could be any of them lists them. */
export const jsonTypes = [
  "string",
  "number",
  "integer",
  "boolean",
  "object",
  "array",
  "null",
] as const
export type JsonType = (typeof jsonTypes)[number]

export const isJsonType = (value: unknown): value is JsonType =>
  (jsonTypes as ReadonlyArray<unknown>).includes(value)

/** What a JSON value is; a whole number is a `number` here. */
export const typeOfValue = (value: unknown): Exclude<JsonType, "integer"> => {
  if (value === null || value === undefined) return "null"
  if (Array.isArray(value)) return "array"
  if (isJsonObject(value)) return "object"
  if (typeof value === "string") return "string"
  return typeof value === "boolean" ? "boolean" : "number"
}

/** The types that a schema names; undefined where it names none. */
export const namedTypes = (node: SchemaNode): ReadonlyArray<JsonType> | undefined => {
  const type = node.data("type")
  if (isJsonType(type)) return [type]
  return Array.isArray(type) ? type.filter(isJsonType) : undefined
}

/** The values that a schema lists; undefined where it lists none. */
export const listedValues = (node: SchemaNode): ReadonlyArray<unknown> | undefined => {
  if (node.has("const")) return [node.data("const")]
  const values = node.data("enum")
  return Array.isArray(values) ? values : undefined
}

/** Keywords that say something about values of one type, and nothing about any other. */
const typed: Readonly<Record<string, ReadonlyArray<JsonType>>> = {
  properties: ["object"],
  patternProperties: ["object"],
  additionalProperties: ["object"],
  unevaluatedProperties: ["object"],
  propertyNames: ["object"],
  propertyOrdering: ["object"],
  required: ["object"],
  minProperties: ["object"],
  maxProperties: ["object"],
  dependentRequired: ["object"],
  dependentSchemas: ["object"],
  items: ["array"],
  prefixItems: ["array"],
  unevaluatedItems: ["array"],
  contains: ["array"],
  minContains: ["array"],
  maxContains: ["array"],
  minItems: ["array"],
  maxItems: ["array"],
  uniqueItems: ["array"],
  minLength: ["string"],
  maxLength: ["string"],
  pattern: ["string"],
  minimum: ["number", "integer"],
  maximum: ["number", "integer"],
  exclusiveMinimum: ["number", "integer"],
  exclusiveMaximum: ["number", "integer"],
  multipleOf: ["number", "integer"],
}

/** Whether a keyword can say anything about a value of that type. */
export const concerns = (keyword: string, type: JsonType): boolean => {
  const types = Object.hasOwn(typed, keyword) ? typed[keyword] : undefined
  return types === undefined || types.includes(type)
}

/** The types that a schema without any is about, going by its other keywords. */
export const impliedTypes = (node: SchemaNode): ReadonlyArray<JsonType> => {
  const found = new Set<JsonType>()
  for (const keyword of node.keywords.keys()) {
    const [first] = Object.hasOwn(typed, keyword) ? (typed[keyword] ?? []) : []
    if (first !== undefined) found.add(first)
  }
  if (node.has("format") && found.size === 0) found.add("string")
  return jsonTypes.filter((type) => found.has(type))
}

/** The types of a schema: those it names, else those of the values it lists, else those it is about. */
export const typesOf = (node: SchemaNode): ReadonlyArray<JsonType> => {
  const named = namedTypes(node)
  if (named !== undefined) return named
  const values = listedValues(node)
  if (values === undefined) return impliedTypes(node)
  const types = new Set(values.map(typeOfValue))
  return jsonTypes.filter((type) => type !== "integer" && types.has(type))
}
