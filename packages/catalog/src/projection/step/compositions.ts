import { allows } from "../../provider/keyword-sets.js"
import { both } from "../schema/both.js"
import { SchemaNode } from "../schema/schema-node.js"
import type { Work } from "../work.js"

const withoutAllOf = (node: SchemaNode, work: Work): SchemaNode => {
  let merged = node
  for (let parts = merged.list("allOf"); parts !== undefined; parts = merged.list("allOf")) {
    const why = "The provider does not know it; its parts are merged into the schema itself."
    work.report.add("rewritten", merged.pointer("allOf"), why)
    merged = parts.reduce((all, part) => both(all, part, work), merged.without("allOf"))
  }
  return merged
}

const withoutOneOf = (node: SchemaNode, work: Work): SchemaNode => {
  const branches = node.list("oneOf")
  if (branches === undefined) return node
  const at = node.pointer("oneOf")
  work.report.add("rewritten", at, "The provider does not know it; `anyOf` takes what it takes.")
  return both(node.without("oneOf"), new SchemaNode(node.at).with("anyOf", branches, at), work)
}

/** Says `allOf` and `oneOf` in other words where the provider does not know them, at all levels. */
export const rewriteCompositions = (node: SchemaNode, work: Work): SchemaNode => {
  const { keywords } = work.rules
  let rewritten = allows(keywords, "allOf") ? node : withoutAllOf(node, work)
  if (!allows(keywords, "oneOf")) rewritten = withoutOneOf(rewritten, work)
  // The branches may be composed in turn.
  if (!allows(keywords, "allOf") && rewritten.has("allOf"))
    return rewriteCompositions(rewritten, work)
  return rewritten.map((child) => rewriteCompositions(child, work))
}
