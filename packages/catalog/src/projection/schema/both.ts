import { canonicalJson } from "@entente/client"
import { allows } from "../../provider/keyword-sets.js"
import type { Work } from "../work.js"
import { namedTypes, type JsonType } from "./json-type.js"
import { annotations, composing } from "./keyword-kind.js"
import { sameKeyword } from "./same.js"
import { Data, SchemaNode, type Keyword, type KeywordValue } from "./schema-node.js"

/** What a keyword becomes where two schemas have it; undefined where one cannot say both. */
type Merge = (
  one: SchemaNode,
  other: SchemaNode,
  keyword: string,
  work: Work,
) => KeywordValue | undefined

const ofNumbers =
  (choose: (one: number, other: number) => number): Merge =>
  (one, other, keyword) =>
    new Data(choose(Number(one.data(keyword)), Number(other.data(keyword))))

const highest = ofNumbers(Math.max)
const lowest = ofNumbers(Math.min)

const namesOf = (node: SchemaNode, keyword: string): ReadonlyArray<unknown> => {
  const names = node.data(keyword)
  return Array.isArray(names) ? names : []
}

const commonTypes = (
  one: ReadonlyArray<JsonType>,
  other: ReadonlyArray<JsonType>,
): ReadonlyArray<JsonType> => {
  const within = (type: JsonType, types: ReadonlyArray<JsonType>): boolean =>
    types.includes(type) || (type === "integer" && types.includes("number"))
  const common = [
    ...one.filter((type) => within(type, other)),
    ...other.filter((type) => within(type, one)),
  ]
  return [...new Set(common)]
}

const eachMember: Merge = (one, other, keyword, work) => {
  const members = new Map(one.members(keyword))
  for (const [name, theirs] of other.members(keyword) ?? []) {
    const ours = members.get(name)
    members.set(name, ours === undefined ? theirs : both(ours, theirs, work))
  }
  return members
}

const oneSchema: Merge = (one, other, keyword, work) => {
  const [ours, theirs] = [one.schema(keyword), other.schema(keyword)]
  return ours && theirs && both(ours, theirs, work)
}

const merges: Readonly<Record<string, Merge>> = {
  type: (one, other) => {
    const common = commonTypes(namedTypes(one) ?? [], namedTypes(other) ?? [])
    const [only] = common
    // Nothing conforms to both: the first is the wider of what can be said.
    if (only === undefined) return new Data(one.data("type"))
    return new Data(common.length === 1 ? only : common)
  },
  enum: (one, other) => {
    const theirs = new Set(namesOf(other, "enum").map(canonicalJson))
    const common = namesOf(one, "enum").filter((value) => theirs.has(canonicalJson(value)))
    return new Data(common.length === 0 ? one.data("enum") : common)
  },
  required: (one, other) =>
    new Data([...new Set([...namesOf(one, "required"), ...namesOf(other, "required")])]),
  minimum: highest,
  exclusiveMinimum: highest,
  minLength: highest,
  minItems: highest,
  minProperties: highest,
  maximum: lowest,
  exclusiveMaximum: lowest,
  maxLength: lowest,
  maxItems: lowest,
  maxProperties: lowest,
  uniqueItems: (one, other) => new Data(one.data("uniqueItems") || other.data("uniqueItems")),
  properties: eachMember,
  patternProperties: eachMember,
  dependentSchemas: eachMember,
  additionalProperties: oneSchema,
  propertyNames: oneSchema,
  items: (one, other, keyword, work) =>
    one.has("prefixItems") || other.has("prefixItems")
      ? undefined
      : oneSchema(one, other, keyword, work),
  allOf: (one, other) => [...(one.list("allOf") ?? []), ...(other.list("allOf") ?? [])],
}

const saysNothing = (node: SchemaNode): boolean =>
  node.keywords.size === 0 && !node.refusesAll && node.lost.length === 0

/** Keywords that mean something only together. */
const groups: ReadonlyArray<ReadonlyArray<string>> = [
  ["if", "then", "else"],
  ["contains", "minContains", "maxContains"],
  ["prefixItems", "items", "unevaluatedItems"],
]

const groupOf = (keyword: string): ReadonlyArray<string> =>
  groups.find((group) => group.includes(keyword)) ?? [keyword]

/** The keyword of both, or undefined where only one of them can have it. */
const merged = (
  one: SchemaNode,
  other: SchemaNode,
  keyword: string,
  work: Work,
): KeywordValue | undefined => {
  const clash = groupOf(keyword).some((each) => each !== keyword && one.has(each))
  if (!one.has(keyword) && !clash) return other.keywords.get(keyword)?.value
  if (annotations.has(keyword)) return one.keywords.get(keyword)?.value
  if (one.has(keyword) && sameKeyword(one, other, keyword)) return one.keywords.get(keyword)?.value
  if (!one.has(keyword)) return undefined
  const merge = Object.hasOwn(merges, keyword) ? merges[keyword] : undefined
  return merge?.(one, other, keyword, work)
}

/** A reference as the only branch of an `anyOf`, which says the same, where nothing may stand beside it. */
const apart = (node: SchemaNode, work: Work): SchemaNode => {
  const reference = node.keywords.get("$ref")
  if (reference === undefined || work.rules.besideReference || node.has("anyOf")) return node
  const { at } = reference
  work.report.add("rewritten", at, "It stands in an `anyOf`, because nothing may stand beside it.")
  const alone = new SchemaNode(node.at, new Map([["$ref", reference]]))
  return node.without("$ref").with("anyOf", [alone], at)
}

/**
 * A schema to which everything conforms that conforms to both: exactly that where it can be said, and more
 * where it cannot. What clashes goes into `allOf` if the provider takes that here, and is dropped otherwise.
 *
 * @param here whether `allOf` may stand at this place; deeper down it follows from the rules alone.
 */
export const both = (
  first: SchemaNode,
  second: SchemaNode,
  work: Work,
  here: boolean = allows(work.rules.keywords, "allOf"),
): SchemaNode => {
  if (first === second || saysNothing(second)) return first
  if (first.refusesAll || second.refusesAll) return first.refusesAll ? first : second
  if (saysNothing(first))
    return new SchemaNode(first.at, second.keywords, first.lost).losing(...second.lost)
  work.spend(first.at)
  const [one, other] = [apart(first, work), apart(second, work)]
  const keywords = new Map<string, Keyword>(one.keywords)
  const clashing = new Map<string, Keyword>()
  for (const [keyword, theirs] of other.keywords) {
    const value = merged(one, other, keyword, work)
    if (value === undefined) clashing.set(keyword, theirs)
    else keywords.set(keyword, { value, at: one.has(keyword) ? one.pointer(keyword) : theirs.at })
  }
  const result = new SchemaNode(one.at, keywords, one.lost).losing(...other.lost)
  if (clashing.size === 0) return result
  if (here) {
    const others = result.list("allOf") ?? []
    return result.with("allOf", [...others, new SchemaNode(other.at, clashing)])
  }
  for (const [keyword, { at }] of clashing) {
    work.report.add(
      "keyword-dropped",
      at,
      `Two schemas demand \`${keyword}\` here, and one can stand.`,
    )
  }
  const loosened = [...clashing.keys()].some((keyword) => composing.has(keyword))
  return loosened ? result.without("unevaluatedProperties", "unevaluatedItems") : result
}
