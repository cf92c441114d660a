import { both } from "../schema/both.js"
import {
  concerns,
  jsonTypes,
  namedTypes,
  typeOfValue,
  typesOf,
  type JsonType,
} from "../schema/json-type.js"
import { distinct } from "../schema/same.js"
import { Data, SchemaNode, type Keyword } from "../schema/schema-node.js"
import type { Work } from "../work.js"
import { dropped } from "./drop.js"

/** What says nothing about the type, and may stand on any branch. */
const describing: ReadonlySet<string> = new Set(["description"])

const formats: Readonly<Record<string, JsonType>> = {
  "date-time": "string",
  float: "number",
  double: "number",
  int32: "integer",
  int64: "integer",
}

/** Whether a schema of one type can have a keyword. */
const suits = (node: SchemaNode, keyword: string, type: JsonType): boolean => {
  if (keyword === "format") return formats[String(node.data("format"))] === type
  if (keyword === "enum") return type === "string"
  return concerns(keyword, type)
}

/** The texts that an `enum` lists, if a schema of that type can list all of them. */
const textsOf = (node: SchemaNode): ReadonlyArray<string> | undefined => {
  const values = node.data("enum")
  if (!Array.isArray(values)) return undefined
  const texts = values.filter((value) => typeof value === "string")
  // An empty one is refused, and leaving it out would refuse what the server takes.
  return texts.length > 0 && !texts.includes("") ? texts : undefined
}

/** The types that are left once values are listed: one without a value is none. */
const possibleTypes = (node: SchemaNode): ReadonlyArray<JsonType> => {
  const types = typesOf(node)
  const values = node.data("enum")
  if (!Array.isArray(values) || namedTypes(node) === undefined) return types
  const listed = new Set<JsonType>(values.map(typeOfValue))
  const left = types.filter((type) => listed.has(type === "integer" ? "number" : type))
  return left.length > 0 ? left : types
}

/** Names of properties that are there: others are refused. */
const withExistingNames = (node: SchemaNode, work: Work): SchemaNode =>
  ["required", "propertyOrdering"].reduce((left, keyword) => {
    const names = left.data(keyword)
    if (!Array.isArray(names)) return left
    const properties = left.members("properties")
    const existing = [...new Set(names)].filter((name) => properties?.has(name) === true)
    if (existing.length === names.length && existing.length > 0) return left
    if (existing.length === 0) {
      return dropped(left, keyword, "It names no property that is there.", work.report)
    }
    work.report.add("rewritten", left.pointer(keyword), "It names properties that are not there.")
    return left.withData(keyword, existing)
  }, node)

/** Of a schema, what one of a single type can have. */
const ofType = (node: SchemaNode, type: JsonType, nullable: boolean, work: Work): SchemaNode => {
  const keywords = new Map<string, Keyword>()
  keywords.set("type", { value: new Data(type.toUpperCase()), at: node.pointer("type") })
  for (const [keyword, entry] of node.keywords) {
    if (keyword !== "type" && suits(node, keyword, type)) keywords.set(keyword, entry)
  }
  let typed = new SchemaNode(node.at, keywords, node.lost).without("nullable")
  if (typed.has("enum")) {
    const texts = textsOf(typed)
    const why = "The provider lists texts alone, and none that is empty."
    typed =
      texts === undefined ? dropped(typed, "enum", why, work.report) : typed.withData("enum", texts)
  }
  if (nullable) typed = typed.withData("nullable", true)
  return withExistingNames(typed, work)
}

const scalars: ReadonlyArray<JsonType> = ["string", "number", "boolean", "object"]

const plain = (at: string, type: JsonType): SchemaNode =>
  new SchemaNode(at).withData("type", type.toUpperCase())

/** Whatever there is: its lists hold anything but further lists, because it cannot refer to itself. */
const whatever = (node: SchemaNode, work: Work): SchemaNode => {
  const { at } = node
  const why = "The provider wants to know the type; it may be any but a list of lists."
  work.report.addNarrowing("filled", at, why)
  const types = scalars.map((type) => plain(at, type))
  const item = new SchemaNode(at).with("anyOf", types)
  const list = plain(at, "array").with("items", item)
  return united(
    node,
    [...types, list].map((each) => each.withData("nullable", true)),
  )
}

/** Several schemas as one: nothing may stand beside `anyOf`, so what describes it goes to its branches. */
const united = (node: SchemaNode, branches: ReadonlyArray<SchemaNode>): SchemaNode => {
  const flat = distinct(branches.flatMap((branch) => branch.list("anyOf") ?? [branch]))
  const kept = [...node.keywords].filter(([keyword]) => describing.has(keyword))
  const described = flat.map((branch) =>
    branch
      .withKeywords(
        new Map([...branch.keywords, ...kept.filter(([keyword]) => !branch.has(keyword))]),
      )
      .losing(...node.lost),
  )
  const [only] = described
  if (only !== undefined && described.length === 1) return only
  return new SchemaNode(node.at).with("anyOf", described, node.pointer("anyOf"))
}

const isNull = (node: SchemaNode): boolean => {
  const types = typesOf(node)
  return types.length === 1 && types[0] === "null"
}

const asNullable = (node: SchemaNode): SchemaNode => {
  const branches = node.list("anyOf")
  return branches === undefined
    ? node.withData("nullable", true)
    : node.with("anyOf", branches.map(asNullable))
}

/** A schema whose branches are what it demands itself and what each of them demands. */
const branched = (node: SchemaNode, list: ReadonlyArray<SchemaNode>, work: Work): SchemaNode => {
  const own = node.without("anyOf", ...describing)
  const common = new SchemaNode(own.at, own.keywords)
  const types = namedTypes(node)
  const branches = list.filter((branch) => !isNull(branch))
  const takesNull = branches.length < list.length && (types?.includes("null") ?? true)
  const converted = branches.map((branch) => converse(both(branch, common, work, false), work))
  if (common.keywords.size > 0) {
    work.report.add(
      "rewritten",
      node.pointer("anyOf"),
      "Nothing may stand beside it; its branches say it.",
    )
  }
  const together = converted.length === 0 ? plain(node.at, "null") : united(node, converted)
  return takesNull && converted.length > 0 ? asNullable(together) : together
}

const ofTypes = (node: SchemaNode, types: ReadonlyArray<JsonType>, work: Work): SchemaNode => {
  const others = types.filter((type) => type !== "null")
  const takesNull = others.length < types.length || node.data("nullable") === true
  for (const keyword of node.keywords.keys()) {
    if (keyword === "type" || others.some((type) => suits(node, keyword, type))) continue
    const why =
      keyword === "enum"
        ? "The provider lists texts alone."
        : `It says nothing about a value of type ${types.join(" or ")}.`
    work.report.add("keyword-dropped", node.pointer(keyword), why)
  }
  const [only] = others
  if (only === undefined) return ofType(node, "null", false, work)
  if (others.length === 1) return ofType(node, only, takesNull, work)
  work.report.add(
    "rewritten",
    node.pointer("type"),
    "The provider takes one type; there is a branch for each.",
  )
  return united(
    node,
    others.map((type) => ofType(node, type, takesNull, work)),
  )
}

const converse = (node: SchemaNode, work: Work): SchemaNode => {
  work.spend(node.at)
  const list = node.list("anyOf")
  if (list !== undefined) return branched(node, list, work)
  const types = possibleTypes(node)
  const inner = node.map((child) => converse(child, work))
  if (types.length === 0) return whatever(inner, work)
  if (namedTypes(node) === undefined) {
    const why = "The provider wants to know the type; it follows from the rest."
    if (node.has("enum")) work.report.add("filled", node.pointer("type"), why)
    else work.report.addNarrowing("filled", node.pointer("type"), why)
  } else if (types.includes("null") && types.length > 1) {
    work.report.add("rewritten", node.pointer("type"), "Null is `nullable` there.")
  }
  return ofTypes(
    inner,
    jsonTypes.filter((type) => types.includes(type)),
    work,
  )
}

/** A schema in the OpenAPI subset: see `dialect` in the rules. Only what the provider takes may be left in it. */
export const asOpenApi = (root: SchemaNode, work: Work): SchemaNode => converse(root, work)
