import type { JsonObject } from "@entente/protocol"
import { Data, SchemaNode, type KeywordValue } from "./schema-node.js"

/** A copy: what goes to a provider may be changed by whoever sends it, and the server's definition may not. */
const copied = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(copied)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copied(member)]))
}

const writtenValue = (value: KeywordValue): unknown => {
  if (value instanceof Data) return copied(value.value)
  if (value instanceof SchemaNode) return writtenSchema(value)
  if (!(value instanceof Map)) return [...value.values()].map(writtenSchema)
  return Object.fromEntries([...value].map(([name, each]) => [name, writtenSchema(each)]))
}

const writtenSchema = (node: SchemaNode): unknown => node.verdict ?? written(node)

/** A schema as JSON, its keywords in the order in which the server sent them. */
export const written = (node: SchemaNode): JsonObject =>
  Object.fromEntries(
    [...node.keywords].map(([keyword, { value }]) => [keyword, writtenValue(value)]),
  )

/** What stands under one keyword, as JSON. */
export const writtenKeyword = (node: SchemaNode, keyword: string): unknown => {
  const entry = node.keywords.get(keyword)
  return entry && writtenValue(entry.value)
}
