import { shapeOf } from "../../name/name-shape.js"
import type { NameRule } from "../../provider/name-rule.js"
import type { SchemaNode } from "../schema/schema-node.js"
import type { Work } from "../work.js"
import { dropped } from "./drop.js"

/** A root whose arguments have names that the provider takes. */
export interface NamedArguments {
  readonly root: SchemaNode
  /** For each argument that has another name here, the server's own name. */
  readonly renamed: ReadonlyMap<string, string>
}

/** What names arguments elsewhere at the root, or by what they look like. */
const naming = ["dependentRequired", "dependentSchemas", "patternProperties", "propertyNames"]

const freeName = (name: string, rule: NameRule, taken: ReadonlySet<string>): string => {
  const shape = shapeOf(rule)
  const stem = shape.begun(shape.readable(name) || "argument").slice(0, rule.maxLength)
  if (!taken.has(stem)) return stem
  for (let count = 2; ; count++) {
    const end = `_${count}`
    const tried = stem.slice(0, rule.maxLength - end.length) + end
    if (!taken.has(tried)) return tried
  }
}

/**
 * Gives arguments another name where the provider would refuse the whole request because of theirs, as
 * Anthropic's API does for `filter[id]` or `$top`. Only names at the root are looked at, by any provider.
 */
export const nameArguments = (root: SchemaNode, work: Work): NamedArguments => {
  const rule = work.rules.argumentName
  const properties = root.members("properties")
  const none = { root, renamed: new Map<string, string>() }
  if (rule === undefined || properties === undefined) return none
  const shape = shapeOf(rule)
  if ([...properties.keys()].every((name) => shape.fits(name))) return none
  const required = root.data("required")
  const demanded = Array.isArray(required) ? required.map(String) : []
  const taken = new Set([...properties.keys(), ...demanded])
  const given = new Map<string, string>()
  for (const name of properties.keys()) {
    const free = shape.fits(name) ? name : freeName(name, rule, taken)
    taken.add(free)
    given.set(name, free)
  }
  const renamed = new Map<string, string>()
  const members = new Map<string, SchemaNode>()
  for (const [name, node] of properties) {
    const free = given.get(name) ?? name
    members.set(free, node)
    if (free === name) continue
    renamed.set(free, name)
    work.report.add(
      "renamed",
      node.at,
      `The provider refuses the name; the argument is called ${free}.`,
    )
  }
  const why = "It is about names of arguments, some of which are others here."
  const plain = naming.reduce((left, each) => dropped(left, each, why, work.report), root)
  const rewritten = plain.with("properties", members)
  if (required === undefined) return { root: rewritten, renamed }
  const names = demanded.map((name) => given.get(name) ?? name)
  return { root: rewritten.withData("required", names), renamed }
}
