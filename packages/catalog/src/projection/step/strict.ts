import { jsonPointer } from "@entente/protocol"
import { allows } from "../../provider/keyword-sets.js"
import { impliedTypes, listedValues, namedTypes, typesOf } from "../schema/json-type.js"
import { annotations } from "../schema/keyword-kind.js"
import { Data, SchemaNode } from "../schema/schema-node.js"
import { Rejected } from "../report.js"
import type { Work } from "../work.js"

/** A schema that a model can be held to, and where optional properties had to become nullable. */
export interface Strict {
  readonly root: SchemaNode
  /** JSON pointers into the schema as the provider gets it, one for each property. */
  readonly widened: ReadonlyArray<string>
}

const isObject = (node: SchemaNode): boolean => typesOf(node).includes("object")

const namesIn = (node: SchemaNode, keyword: string): ReadonlyArray<string> => {
  const names = node.data(keyword)
  return Array.isArray(names) ? names : []
}

/** Why an object cannot be closed: whatever else it takes would be lost. */
const openness = (
  node: SchemaNode,
  isRoot: boolean,
): readonly [keyword: string, reason: string] | undefined => {
  for (const keyword of ["additionalProperties", "unevaluatedProperties", "patternProperties"]) {
    const others = node.schema(keyword)
    const isOpen = others === undefined ? node.has(keyword) : !others.refusesAll
    if (isOpen) return [keyword, "takes properties that it does not name"]
  }
  const properties = node.members("properties")
  const isClosed = node.has("additionalProperties")
  if (!isRoot && !isClosed && (properties?.size ?? 0) === 0) {
    return ["properties", "is an object of anything"]
  }
  const missing = namesIn(node, "required").find((name) => properties?.has(name) !== true)
  if (missing !== undefined) {
    return ["required", `requires ${JSON.stringify(missing)}, which it does not describe`]
  }
  if (node.has("anyOf")) return ["anyOf", "is an object and an `anyOf` at once"]
  return undefined
}

/** Throws where a schema cannot be made strict without losing what it is for (C085). */
export const demandClosable = (node: SchemaNode, work: Work, isRoot = true): void => {
  const open = isObject(node) ? openness(node, isRoot) : undefined
  if (open !== undefined) throw new Rejected(node.pointer(open[0]), open[1])
  for (const [child, [keyword = ""]] of node.children()) {
    if (allows(work.rules.keywords, keyword)) demandClosable(child, work, false)
  }
}

/** Every schema with its type; throws where there is none to be found. */
export const nameTypes = (node: SchemaNode, work: Work): SchemaNode => {
  const typed = node.has("$ref") || node.has("anyOf") || node.verdict !== undefined
  return (typed ? node : withType(node, work)).map((child) => nameTypes(child, work))
}

const withType = (node: SchemaNode, work: Work): SchemaNode => {
  if (namedTypes(node) !== undefined) return node
  const types = typesOf(node)
  const [first] = types
  if (first === undefined) throw new Rejected(node.at, "could be anything")
  const at = node.pointer("type")
  const why = "The provider wants to know the type; it follows from the rest."
  if (listedValues(node) !== undefined) work.report.add("filled", at, why)
  else work.report.addNarrowing("filled", at, why)
  return node.withData("type", types.length === 1 ? first : types)
}

/** Whether null conforms already, so that a null from the model may be one for the server. */
const takesNull = (node: SchemaNode, root: SchemaNode, rounds = 3): boolean => {
  const reference = node.data("$ref")
  if (typeof reference === "string") {
    const target = root.members("$defs")?.get(reference.replace("#/$defs/", ""))
    return rounds > 0 && target !== undefined && takesNull(target, root, rounds - 1)
  }
  const types = namedTypes(node) ?? impliedTypes(node)
  if (types.length > 0 && !types.includes("null")) return false
  if (listedValues(node)?.includes(null) === false) return false
  const branches = node.list("anyOf")
  return branches === undefined || branches.some((branch) => takesNull(branch, root, rounds))
}

const nothing = (at: string): SchemaNode => new SchemaNode(at).withData("type", "null")

/** A schema that takes null as well. */
const nullable = (node: SchemaNode): SchemaNode => {
  const types = namedTypes(node)
  const branches = node.list("anyOf")
  if (types !== undefined && branches === undefined && !node.has("const") && !node.has("$ref")) {
    const wider = node.withData("type", [...types, "null"])
    const values = node.data("enum")
    return Array.isArray(values) ? wider.withData("enum", [...values, null]) : wider
  }
  const asserting = [...node.keywords.keys()].filter((keyword) => !annotations.has(keyword))
  if (branches !== undefined && asserting.length === 1) {
    return node.with("anyOf", [...branches, nothing(node.at)])
  }
  const kept = [...node.keywords].filter(([keyword]) => annotations.has(keyword))
  const inner = new SchemaNode(node.at, node.without(...annotations).keywords)
  return new SchemaNode(node.at, new Map(kept), node.lost).with("anyOf", [inner, nothing(node.at)])
}

/**
 * Closes every object and requires all of its properties; what was optional takes null instead (C085). The
 * schema has to be one that `demandClosable` and `nameTypes` let through.
 */
export const makeStrict = (root: SchemaNode, work: Work): Strict => {
  const widened: Array<string> = []
  const close = (node: SchemaNode, path: string): SchemaNode => {
    const inner = new Map<SchemaNode, SchemaNode>()
    for (const [child, steps] of node.children())
      inner.set(child, close(child, path + jsonPointer(steps)))
    const closed = node.map((child) => inner.get(child) ?? child)
    return isObject(node) ? completed(closed, node, path) : closed
  }
  const completed = (node: SchemaNode, before: SchemaNode, path: string): SchemaNode => {
    const required = namesIn(node, "required")
    const members = new Map<string, SchemaNode>()
    for (const [name, child] of node.members("properties") ?? []) {
      const was = before.members("properties")?.get(name) ?? child
      const isOptional = !required.includes(name)
      if (!isOptional || takesNull(was, root)) members.set(name, child)
      else {
        members.set(name, nullable(child))
        widened.push(path + jsonPointer(["properties", name]))
      }
      if (isOptional) {
        const why = "It is optional: strict mode requires it, and null stands for none."
        work.report.add("rewritten", child.at, why)
      }
    }
    if (!node.has("additionalProperties")) {
      const why = "Strict mode wants every object closed."
      work.report.addNarrowing("filled", node.pointer("additionalProperties"), why)
    }
    return node
      .with("properties", members)
      .with("required", new Data([...members.keys()]))
      .with("additionalProperties", new SchemaNode(node.at, new Map(), [], false))
  }
  return { root: close(root, ""), widened }
}
