import { both } from "../schema/both.js"
import { namedTypes } from "../schema/json-type.js"
import { annotations } from "../schema/keyword-kind.js"
import { anything, Data, SchemaNode, type Keyword } from "../schema/schema-node.js"
import { distinct } from "../schema/same.js"
import { Rejected } from "../report.js"
import type { Work } from "../work.js"
import { asWords, dropped } from "./drop.js"

/** What a root may be composed of, and what becomes of it. */
const compositions = ["allOf", "anyOf", "oneOf"] as const
type Composition = (typeof compositions)[number]

/** What no provider takes at the root, and no object of properties can say. */
const unsayable = ["not", "if", "then", "else", "enum", "const"]

const refused: ReadonlySet<string> = new Set([...compositions, ...unsayable])

/** Whether an object could conform: arguments are nothing else. */
const isForObjects = (node: SchemaNode): boolean =>
  !node.refusesAll && (namedTypes(node)?.includes("object") ?? true)

/** Whether a schema says anything that a root can say. */
const says = (node: SchemaNode): boolean =>
  [...node.keywords.keys()].some((keyword) => !refused.has(keyword) && !annotations.has(keyword)) ||
  compositions.some((keyword) => node.list(keyword)?.some(says) ?? false)

const requiredBy = (node: SchemaNode): ReadonlyArray<string> => {
  const names = node.data("required")
  return Array.isArray(names) ? names : []
}

const isOpen = (node: SchemaNode): boolean => {
  const others = node.schema("additionalProperties")
  return others === undefined || others.verdict === true || node.has("patternProperties")
}

/** The schemas that the branches have for an argument: of those that name it, and of those that take any other. */
const alternatives = (name: string, branches: ReadonlyArray<SchemaNode>) =>
  distinct(
    branches.flatMap((branch) => {
      const named = branch.members("properties")?.get(name) ?? branch.schema("additionalProperties")
      return named === undefined || named.verdict !== undefined ? [] : [named]
    }),
  )

/** The properties of all branches; where they differ, a value may be as any of them says. */
const unitedProperties = (branches: ReadonlyArray<SchemaNode>): ReadonlyMap<string, SchemaNode> => {
  const names = new Set(branches.flatMap((each) => [...(each.members("properties")?.keys() ?? [])]))
  const united = new Map<string, SchemaNode>()
  for (const name of names) {
    const all = branches.flatMap((each) => each.members("properties")?.get(name) ?? [])
    const [first, ...others] = alternatives(name, branches)
    const free =
      all.find(({ verdict }) => verdict === true) ?? (first === undefined ? all[0] : undefined)
    if (free !== undefined) united.set(name, free)
    else if (first !== undefined && others.length === 0) united.set(name, first)
    else if (first !== undefined) {
      united.set(name, new SchemaNode(first.at).with("anyOf", [first, ...others], first.at))
    }
  }
  return united
}

/** What an object conforms to whichever of some branches it follows. */
const united = (at: string, branches: ReadonlyArray<SchemaNode>): SchemaNode => {
  const [first = anything(at), ...others] = branches
  if (others.length === 0) return first
  const keywords = new Map<string, Keyword>()
  const properties = unitedProperties(branches)
  if (properties.size > 0) keywords.set("properties", { value: properties, at })
  const required = requiredBy(first).filter((name) =>
    others.every((other) => requiredBy(other).includes(name)),
  )
  if (required.length > 0) keywords.set("required", { value: new Data(required), at })
  if (!branches.some(isOpen)) {
    const extra = branches.flatMap((branch) => branch.schema("additionalProperties") ?? [])
    const [one, ...more] = distinct(extra.filter((node) => !node.refusesAll))
    const closed = new SchemaNode(at, new Map(), [], false)
    const any = one && new SchemaNode(at).with("anyOf", [one, ...more], at)
    keywords.set("additionalProperties", { value: (more.length === 0 ? one : any) ?? closed, at })
  }
  return new SchemaNode(at, keywords)
}

/** Whether some branch leaves open what another one names, so that uniting them refuses more. */
const narrows = (branches: ReadonlyArray<SchemaNode>): boolean => {
  const names = new Set(branches.flatMap((each) => [...(each.members("properties")?.keys() ?? [])]))
  return branches.some(
    (each) =>
      isOpen(each) && [...names].some((name) => each.members("properties")?.has(name) !== true),
  )
}

const either =
  "No provider takes it at the root; the properties of all its branches stand there, and what all of them require."

const reasons: Readonly<Record<Composition, string>> = {
  allOf:
    "No provider takes it at the root; what its parts demand of an object stands there itself.",
  anyOf: either,
  oneOf: either,
}

const foldOne = (node: SchemaNode, keyword: Composition, work: Work): SchemaNode => {
  const list = node.list(keyword)
  if (list === undefined) return node
  const usable = list.filter(isForObjects)
  const why = "No provider takes it at the root, and it says nothing that could stand there."
  if (!usable.some(says)) return dropped(node, keyword, why, work.report)
  const branches = usable.map((branch) => folded(branch, work))
  const at = node.pointer(keyword)
  const without = node.without(keyword).losing(...asWords(node, keyword))
  const rest = dropped(
    without,
    "unevaluatedProperties",
    "What it looked into was folded.",
    work.report,
  )
  if (keyword === "allOf") {
    work.report.add("root-folded", at, reasons.allOf)
    return branches.reduce((all, branch) => both(all, branch, work, false), rest)
  }
  const union = united(at, branches)
  if (!says(union)) return dropped(node, keyword, why, work.report)
  if (narrows(branches)) work.report.addNarrowing("root-folded", at, reasons[keyword])
  else work.report.add("root-folded", at, reasons[keyword])
  return both(rest, union.without(...annotations), work, false)
}

/** A schema without what no root may have. */
const folded = (node: SchemaNode, work: Work): SchemaNode => {
  const why = "No provider takes it at the root."
  const plain = unsayable.reduce((left, each) => dropped(left, each, why, work.report), node)
  return compositions.reduce((left, each) => foldOne(left, each, work), plain)
}

/**
 * The root as an object of properties, which is all that providers take for arguments: its compositions are
 * folded into it (C014). Whatever an object had to be, it still may be; what only some branches name is united.
 */
export const foldRoot = (node: SchemaNode, work: Work): SchemaNode => {
  if (!isForObjects(node)) {
    throw new Rejected(node.pointer("type"), "takes no object, and arguments are always one")
  }
  const root = folded(node, work)
  const types = namedTypes(root)
  if (types?.length === 1) return root
  const kind = types === undefined ? "filled" : "rewritten"
  work.report.add(kind, root.pointer("type"), "Arguments are always an object.")
  return root.withData("type", "object")
}
