import { annotations, composing } from "../schema/keyword-kind.js"
import type { SchemaNode } from "../schema/schema-node.js"
import { writtenKeyword } from "../schema/write.js"
import type { Report } from "../report.js"

/** Characters of one lost constraint that a description may carry. */
const longestWords = 400

/** A constraint as words for a description: `exclusiveMinimum: 0`. */
export const asWords = (node: SchemaNode, keyword: string): ReadonlyArray<string> => {
  if (annotations.has(keyword) && keyword !== "default") return []
  const value = JSON.stringify(writtenKeyword(node, keyword)) ?? ""
  return value.length > longestWords ? [] : [`${keyword}: ${value}`]
}

const unevaluated = ["unevaluatedProperties", "unevaluatedItems"]

/** Keywords that would refuse more without another one, so that they have to go with it. */
const dependents: Readonly<Record<string, ReadonlyArray<string>>> = {
  properties: ["additionalProperties", "unevaluatedProperties"],
  patternProperties: ["additionalProperties", "unevaluatedProperties"],
  additionalProperties: ["unevaluatedProperties"],
  prefixItems: ["items", "unevaluatedItems"],
  items: ["unevaluatedItems"],
  contains: ["minContains", "maxContains", "unevaluatedItems"],
  minContains: ["contains", "maxContains", "unevaluatedItems"],
}

/** The keywords that can no longer stand as they do, once another one has gone. */
export const dependentsOf = (keyword: string): ReadonlyArray<string> => {
  if (composing.has(keyword)) return unevaluated
  return Object.hasOwn(dependents, keyword) ? (dependents[keyword] ?? []) : []
}

/** A schema without a keyword that the provider does not take, and without what depends on it. */
export const dropped = (
  node: SchemaNode,
  keyword: string,
  why: string,
  report: Report,
): SchemaNode => {
  if (!node.has(keyword)) return node
  report.add("keyword-dropped", node.pointer(keyword), why)
  const rest = node.without(keyword).losing(...asWords(node, keyword))
  const because = `It cannot stand without \`${keyword}\`, which had to go.`
  return dependentsOf(keyword).reduce((left, each) => dropped(left, each, because, report), rest)
}
