import { allows } from "../../provider/keyword-sets.js"
import { typesOf } from "../schema/json-type.js"
import { distinct } from "../schema/same.js"
import { anything, SchemaNode } from "../schema/schema-node.js"
import type { Work } from "../work.js"
import { asWords } from "./drop.js"

const countOf = (node: SchemaNode, keyword: string): number | undefined => {
  const count = node.data(keyword)
  return typeof count === "number" ? count : undefined
}

/** A tuple as an array: each item may be what any of its places takes. */
const withoutTuple = (node: SchemaNode, work: Work): SchemaNode => {
  const places = node.list("prefixItems")
  if (places === undefined) return node
  const at = node.pointer("prefixItems")
  const why = "The provider knows no tuples; any place may hold what one of them does."
  work.report.add("rewritten", at, why)
  const rest = node.schema("items")
  const maxItems = countOf(node, "maxItems")
  const longest = rest?.refusesAll === true ? places.length : maxItems
  const isClosed = longest !== undefined && longest <= places.length
  const plain = node
    .without("prefixItems", "unevaluatedItems")
    .losing(...asWords(node, "prefixItems"))
  const bounded =
    isClosed && maxItems === undefined
      ? plain.withData("maxItems", longest, node.pointer("items"))
      : plain
  const [first, ...others] = distinct([...places, ...(isClosed ? [] : [rest ?? anything(at)])])
  if (first === undefined) return bounded
  if (others.length === 0) return bounded.with("items", first, at)
  return bounded.with("items", new SchemaNode(at).with("anyOf", [first, ...others], at), at)
}

const withItems = (node: SchemaNode, work: Work): SchemaNode => {
  if (node.has("items") || node.verdict !== undefined || !typesOf(node).includes("array"))
    return node
  const at = node.pointer("items")
  work.report.add("filled", at, "The provider wants to know what an array holds: anything.")
  return node.with("items", anything(at))
}

/** Tuples and arrays of anything, in a form that the provider takes, at all levels. */
export const rewriteArrays = (node: SchemaNode, work: Work): SchemaNode => {
  const { keywords, itemsDemanded } = work.rules
  const plain = allows(keywords, "prefixItems") ? node : withoutTuple(node, work)
  const complete = itemsDemanded ? withItems(plain, work) : plain
  return complete.map((child) => rewriteArrays(child, work))
}
