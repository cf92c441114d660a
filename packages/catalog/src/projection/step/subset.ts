import { allows } from "../../provider/keyword-sets.js"
import { anything, SchemaNode } from "../schema/schema-node.js"
import type { Report } from "../report.js"
import type { Work } from "../work.js"
import { dropped } from "./drop.js"

/** Without the schemas that nothing conforms to, where leaving one out says the same. */
const withoutNever = (node: SchemaNode, report: Report): SchemaNode => {
  let left = node
  const properties = left.members("properties")
  if (properties !== undefined && [...properties.values()].some((each) => each.refusesAll)) {
    for (const each of properties.values()) {
      if (each.refusesAll) report.add("keyword-dropped", each.at, "It is never given.")
    }
    left = left.with("properties", new Map([...properties].filter(([, each]) => !each.refusesAll)))
  }
  const branches = left.list("anyOf")
  if (branches?.some((each) => each.refusesAll) === true) {
    const possible = branches.filter((each) => !each.refusesAll)
    left = possible.length === 0 ? left.without("anyOf") : left.with("anyOf", possible)
  }
  if (left.schema("items")?.refusesAll === true && !left.has("prefixItems")) {
    const at = left.pointer("items")
    left = left.with("items", anything(at)).withData("maxItems", 0, at)
    report.add("rewritten", at, "The provider takes no `false` for a schema; there are no items.")
  }
  return left
}

/** A schema in place of `true` or `false`. */
const asObject = (node: SchemaNode, keyword: string, report: Report): SchemaNode => {
  if (node.verdict === undefined || keyword === "additionalProperties") return node
  report.add("rewritten", node.at, `The provider takes no \`${node.verdict}\` for a schema.`)
  return anything(node.at)
}

const without = (
  node: SchemaNode,
  keywords: ReadonlyArray<string>,
  why: string,
  report: Report,
): SchemaNode => keywords.reduce((left, keyword) => dropped(left, keyword, why, report), node)

const known = (
  node: SchemaNode,
  { rules, report }: Work,
  spared: ReadonlySet<string>,
): SchemaNode => {
  const unknown = [...node.keywords.keys()].filter(
    (keyword) => !spared.has(keyword) && !allows(rules.keywords, keyword),
  )
  return without(node, unknown, "The provider does not take it.", report)
}

/** Keywords that later steps say in other words, or have to see. */
const later: ReadonlySet<string> = new Set([
  "allOf",
  "oneOf",
  "const",
  "prefixItems",
  "patternProperties",
  "unevaluatedProperties",
])

/**
 * Leaves out what the provider does not take, at all levels, but for what later steps still need. It comes
 * first, so that nobody hears what became of something inside a keyword that is gone.
 */
export const dropUnknown = (node: SchemaNode, work: Work): SchemaNode =>
  known(node, work, later).map((child) => dropUnknown(child, work))

const none: ReadonlySet<string> = new Set()

const subset = (node: SchemaNode, work: Work): SchemaNode => {
  const { report, rules } = work
  if (rules.booleans) return known(node, work, none).map((child) => subset(child, work))
  return known(withoutNever(node, report), work, none).map((child, keyword) =>
    subset(asObject(child, keyword, report), work),
  )
}

/** Leaves out everything that the provider does not take, at all levels. */
export const keepSubset = (root: SchemaNode, work: Work): SchemaNode => {
  const { rules, report } = work
  const misplaced = [...root.keywords.keys()].filter(
    (keyword) => allows(rules.keywords, keyword) && !allows(rules.rootKeywords, keyword),
  )
  return subset(
    without(root, misplaced, "The provider does not take it at the root.", report),
    work,
  )
}
