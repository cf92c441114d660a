import { canonicalJson } from "@entente/client"
import { allows } from "../../provider/keyword-sets.js"
import { namedTypes, typeOfValue, typesOf } from "../schema/json-type.js"
import { annotations } from "../schema/keyword-kind.js"
import { SchemaNode } from "../schema/schema-node.js"
import type { Work } from "../work.js"
import { dropped } from "./drop.js"

/** A constant as an `enum` of one; beside another `enum` it says all there is to say. */
const withoutConst = (node: SchemaNode, work: Work): SchemaNode => {
  if (!node.has("const") || allows(work.rules.keywords, "const")) return node
  const at = node.pointer("const")
  work.report.add("rewritten", at, "The provider does not know it; it is an `enum` of one value.")
  return node.without("const", "enum").withData("enum", [node.data("const")], at)
}

/** The types that a schema had through its values, which are about to go. */
const typed = (node: SchemaNode): SchemaNode => {
  const types = typesOf(node)
  const [only] = types
  if (namedTypes(node) !== undefined || only === undefined) return node
  return node.withData("type", types.length === 1 ? only : types, node.pointer("enum"))
}

const isNull = (value: unknown): boolean => value === null

/** `null` beside other values: a branch of its own, so that the others can stay listed. */
const withNullApart = (
  node: SchemaNode,
  values: ReadonlyArray<unknown>,
  work: Work,
): SchemaNode => {
  const at = node.pointer("enum")
  const others = values.filter((value) => !isNull(value))
  const takesNull = namedTypes(node)?.includes("null") ?? true
  work.report.add("rewritten", at, "The provider lists no null in an `enum`; it stands beside it.")
  const types = namedTypes(node)?.filter((type) => type !== "null")
  const listed = node.withData("enum", others)
  const branch =
    types === undefined ? listed : listed.withData("type", types.length === 1 ? types[0] : types)
  if (!takesNull) return branch
  const asserting = new SchemaNode(branch.at, branch.without(...annotations).keywords)
  const kept = [...node.keywords].filter(([keyword]) => annotations.has(keyword))
  const none = new SchemaNode(at).withData("type", "null", at)
  return new SchemaNode(node.at, new Map(kept), node.lost).with("anyOf", [asserting, none], at)
}

/** An `enum` of values that the provider lists, or none. */
const withListable = (node: SchemaNode, work: Work): SchemaNode => {
  const values = node.data("enum")
  if (!Array.isArray(values)) return node
  const { enumValues, dialect } = work.rules
  const isListable = (value: unknown): boolean => enumValues.has(typeOfValue(value))
  if (dialect === "openapi" || values.every(isListable)) return node
  const others = values.filter((value) => !isNull(value))
  if (others.length > 0 && others.every(isListable) && !node.has("anyOf")) {
    return withNullApart(node, values, work)
  }
  const why = "The provider does not list values of such a type."
  return dropped(typed(node), "enum", why, work.report)
}

/** A keyword of which the provider takes only some values. */
const withTakenValues = (node: SchemaNode, work: Work): SchemaNode =>
  Object.entries(work.rules.values).reduce((left, [keyword, taken]) => {
    if (!left.has(keyword) || taken.has(left.data(keyword))) return left
    const value = canonicalJson(left.data(keyword))
    return dropped(left, keyword, `The provider does not take ${value} here.`, work.report)
  }, node)

/** Values that are listed, in a form that the provider takes, at all levels. */
export const rewriteValues = (node: SchemaNode, work: Work): SchemaNode =>
  withTakenValues(withListable(withoutConst(node, work), work), work).map((child) =>
    rewriteValues(child, work),
  )
