import { distinct } from "../schema/same.js"
import { anything, Data, SchemaNode, type Keyword } from "../schema/schema-node.js"

/** What an object conforms to whichever of some branches it follows. */
export interface Union {
  readonly union: SchemaNode
  /** Whether some branch leaves open what another one names, so that the union refuses some of it. */
  readonly narrows: boolean
}

const propertiesOf = (node: SchemaNode): ReadonlyMap<string, SchemaNode> =>
  node.members("properties") ?? new Map<string, SchemaNode>()

const requiredBy = (node: SchemaNode): ReadonlyArray<string> => {
  const names = node.data("required")
  return Array.isArray(names) ? names : []
}

const isOpen = (node: SchemaNode): boolean => {
  const others = node.schema("additionalProperties")
  return others === undefined || others.verdict === true || node.has("patternProperties")
}

const leavesOpen = (node: SchemaNode, name: string): boolean =>
  isOpen(node) && !propertiesOf(node).has(name)

/** A schema for what conforms to any of some. */
const anyOf = (nodes: ReadonlyArray<SchemaNode>): SchemaNode | undefined => {
  const [first, ...others] = distinct(nodes)
  if (first === undefined || others.length === 0) return first
  return new SchemaNode(first.at).with("anyOf", [first, ...others], first.at)
}

/** What the branches say of one property: those that name it, and those that have a schema for any other. */
const property = (name: string, branches: ReadonlyArray<SchemaNode>): SchemaNode | undefined => {
  const named = branches.flatMap(
    (branch) => propertiesOf(branch).get(name) ?? branch.schema("additionalProperties") ?? [],
  )
  const free = named.find(({ verdict }) => verdict === true)
  return free ?? anyOf(named.filter((node) => !node.refusesAll)) ?? named[0]
}

/** What the branches say of properties that none of them names; undefined where any may be there. */
const otherProperties = (
  at: string,
  branches: ReadonlyArray<SchemaNode>,
): SchemaNode | undefined => {
  if (branches.some(isOpen)) return undefined
  const others = branches.flatMap((branch) => branch.schema("additionalProperties") ?? [])
  const possible = others.filter((node) => !node.refusesAll)
  return anyOf(possible) ?? new SchemaNode(at, new Map(), [], false)
}

/**
 * The branches of a union as one object: the properties of all, each as any of them has it, and required what
 * all of them require. What a model is shown has to name the properties, so those that some branch leaves
 * open are as the others have them, unless the object itself names them already.
 *
 * @param own the object that the branches add to.
 */
export const uniteBranches = (
  at: string,
  branches: ReadonlyArray<SchemaNode>,
  own: SchemaNode,
): Union => {
  const [first = anything(at), ...others] = branches
  if (others.length === 0) return { union: first, narrows: false }
  const keywords = new Map<string, Keyword>()
  const properties = new Map<string, SchemaNode>()
  let narrows = false
  for (const name of new Set(branches.flatMap((branch) => [...propertiesOf(branch).keys()]))) {
    const isFree = branches.some((branch) => leavesOpen(branch, name))
    if (isFree && propertiesOf(own).has(name)) continue
    narrows ||= isFree
    properties.set(name, property(name, branches) ?? anything(at))
  }
  if (properties.size > 0) keywords.set("properties", { value: properties, at })
  const required = requiredBy(first).filter((name) =>
    others.every((other) => requiredBy(other).includes(name)),
  )
  if (required.length > 0) keywords.set("required", { value: new Data(required), at })
  const rest = otherProperties(at, branches)
  if (rest !== undefined) keywords.set("additionalProperties", { value: rest, at })
  return { union: new SchemaNode(at, keywords), narrows }
}
