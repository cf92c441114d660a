import { both } from "../schema/both.js"
import { namedTypes } from "../schema/json-type.js"
import { annotations } from "../schema/keyword-kind.js"
import type { SchemaNode } from "../schema/schema-node.js"
import { Rejected } from "../report.js"
import type { Work } from "../work.js"
import { asWords, dropped } from "./drop.js"
import { uniteBranches } from "./unite.js"

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
  const { union, narrows } = uniteBranches(at, branches, rest)
  if (!says(union)) return dropped(node, keyword, why, work.report)
  if (narrows) work.report.addNarrowing("root-folded", at, reasons[keyword])
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
