import { Ajv2020 } from "ajv/dist/2020.js"
import type { ValidateFunction } from "ajv/dist/2020.js"

/**
 * What each provider takes as the schema of a tool's arguments, as JSON Schemas of such schemas. They are written
 * from the providers' documentation and share nothing with the tables that the conversion reads.
 */
type Schema = Record<string, unknown>

const draft = "https://json-schema.org/draft/2020-12/schema"

const compositions = [
  "anyOf",
  "oneOf",
  "allOf",
  "not",
  "if",
  "then",
  "else",
  "enum",
  "const",
  "$ref",
]

/** An object of properties, and nothing that composes it. */
const root = (more: Schema = {}): Schema => ({
  type: "object",
  required: ["type", "properties"],
  properties: { type: { const: "object" }, properties: { type: "object" }, ...more },
  not: { anyOf: compositions.map((keyword) => ({ required: [keyword] })) },
})

const argumentNames = (pattern: string): Schema => ({
  properties: { properties: { propertyNames: { pattern } } },
})

const anthropicNames = argumentNames("^[a-zA-Z0-9_.-]{1,64}$")
const wordNames = argumentNames("^[a-zA-Z_][a-zA-Z0-9_]{0,63}$")

/** JSON Schema 2020-12, whose arrays all say what they hold. */
const arraysWithItems: Schema = {
  $dynamicAnchor: "meta",
  $ref: draft,
  if: {
    type: "object",
    properties: {
      type: { anyOf: [{ const: "array" }, { type: "array", contains: { const: "array" } }] },
    },
    required: ["type"],
  },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword; nobody awaits this
  then: { required: ["items"] },
}

/** Every reference leads to a definition at the root. */
const localReferences = { pattern: "^#/\\$defs/[a-zA-Z0-9_.-]+$" }

const types = ["string", "number", "integer", "boolean", "object", "array", "null"]
const type: Schema = {
  anyOf: [
    { enum: types },
    { type: "array", items: { enum: types }, uniqueItems: true, minItems: 1 },
  ],
}
const plainValue: Schema = { type: ["string", "number", "boolean", "null"] }
const names: Schema = { type: "array", items: { type: "string" }, uniqueItems: true }
const node: Schema = { $ref: "#/$defs/node" }
const nodes: Schema = { type: "array", items: node, minItems: 1 }
const members: Schema = { type: "object", additionalProperties: node }
const count: Schema = { type: "integer", minimum: 0 }
const number: Schema = { type: "number" }
const text: Schema = { type: "string" }

const withNodes = (allOf: ReadonlyArray<Schema>, definition: Schema): Schema => ({
  allOf: [...allOf, node],
  $defs: { node: definition },
})

/** Closed, every property required, each schema with a type, an `anyOf` or a reference. */
const strictNode = (own: Schema): Schema => ({
  type: "object",
  properties: {
    type,
    title: text,
    description: text,
    enum: { type: "array", items: plainValue, minItems: 1 },
    const: plainValue,
    anyOf: nodes,
    properties: members,
    required: names,
    additionalProperties: { const: false },
    items: node,
    ...own,
  },
  additionalProperties: false,
  anyOf: ["type", "anyOf", "$ref"].map((keyword) => ({ required: [keyword] })),
  if: {
    required: ["type"],
    properties: {
      type: { anyOf: [{ const: "object" }, { type: "array", contains: { const: "object" } }] },
    },
  },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword; nobody awaits this
  then: { required: ["properties", "required", "additionalProperties"] },
})

const references = { $ref: { type: "string", ...localReferences }, $defs: members }
const formatOf = (...words: ReadonlyArray<string>): Schema => ({ format: { enum: words } })
const openaiFormats = formatOf(
  ..."date-time time date duration email hostname ipv4 ipv6 uuid".split(" "),
)
const anthropicFormats = formatOf(
  ..."date-time time date duration email hostname uri ipv4 ipv6 uuid".split(" "),
)

const openaiStrict = strictNode({
  ...references,
  ...openaiFormats,
  pattern: text,
  multipleOf: number,
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  minItems: count,
  maxItems: count,
})

const anthropicStrict = strictNode({
  ...references,
  ...anthropicFormats,
  minItems: { enum: [0, 1] },
  default: true,
})

const noReferences = (definition: Schema): Schema => {
  const { $ref: _, $defs: __, ...properties } = definition["properties"] as Schema // just written
  return { ...definition, properties }
}

const openApiTypes = ["STRING", "NUMBER", "INTEGER", "BOOLEAN", "OBJECT", "ARRAY", "NULL"]

/** For each type the keywords it can have, besides those of all. */
const openApiKeywords: Readonly<Record<string, ReadonlyArray<string>>> = {
  STRING: ["enum", "format", "pattern", "minLength", "maxLength"],
  NUMBER: ["format", "minimum", "maximum"],
  INTEGER: ["format", "minimum", "maximum"],
  BOOLEAN: [],
  OBJECT: ["properties", "required", "propertyOrdering", "minProperties", "maxProperties"],
  ARRAY: ["items", "minItems", "maxItems"],
  NULL: [],
}

const openApiValues: Schema = {
  type: { enum: openApiTypes },
  description: text,
  nullable: { type: "boolean" },
  enum: { type: "array", items: { type: "string", minLength: 1 }, minItems: 1 },
  format: { enum: ["date-time", "float", "double", "int32", "int64"] },
  pattern: text,
  minLength: count,
  maxLength: count,
  minimum: number,
  maximum: number,
  properties: members,
  required: { ...names, minItems: 1 },
  propertyOrdering: names,
  minProperties: count,
  maxProperties: count,
  items: node,
  minItems: count,
  maxItems: count,
}

const openApiOf = (name: string): Schema => {
  const keywords = ["type", "description", "nullable", ...(openApiKeywords[name] ?? [])]
  const properties = Object.fromEntries(
    keywords.map((keyword) => [keyword, openApiValues[keyword]]),
  )
  return {
    type: "object",
    properties: { ...properties, type: { const: name } },
    required: name === "ARRAY" ? ["type", "items"] : ["type"],
    additionalProperties: false,
  }
}

const openApiNode: Schema = {
  oneOf: [
    ...openApiTypes.map(openApiOf),
    {
      type: "object",
      properties: { anyOf: nodes },
      required: ["anyOf"],
      additionalProperties: false,
    },
  ],
}

const geminiJsonNode: Schema = {
  type: "object",
  properties: {
    ...references,
    type,
    format: text,
    title: text,
    description: text,
    enum: { type: "array", items: { type: ["string", "number"] }, minItems: 1 },
    items: node,
    prefixItems: nodes,
    minItems: count,
    maxItems: count,
    minimum: number,
    maximum: number,
    anyOf: nodes,
    properties: members,
    additionalProperties: { anyOf: [{ type: "boolean" }, node] },
    required: names,
    propertyOrdering: names,
  },
  additionalProperties: false,
  // Nothing stands beside a reference.
  if: { required: ["$ref"] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword; nobody awaits this
  then: { maxProperties: 1 },
}

const bothDrafts: Schema = {
  allOf: [{ $ref: draft }],
  propertyNames: {
    enum: [
      ..."type enum const title description default examples format".split(" "),
      ..."properties required additionalProperties patternProperties propertyNames".split(" "),
      ..."minProperties maxProperties items minItems maxItems uniqueItems contains".split(" "),
      ..."minimum maximum exclusiveMinimum exclusiveMaximum multipleOf".split(" "),
      ..."minLength maxLength pattern anyOf allOf".split(" "),
    ],
  },
  properties: {
    properties: members,
    patternProperties: members,
    additionalProperties: { anyOf: [{ type: "boolean" }, node] },
    propertyNames: node,
    items: node,
    contains: node,
    anyOf: nodes,
    allOf: nodes,
  },
  type: "object",
}

const onlyAtRoot = (...keywords: ReadonlyArray<string>): Schema => ({
  propertyNames: { enum: keywords },
})

/** The rules, by the target that a projection is for. */
export const providerRules = {
  anthropic: { allOf: [root(), anthropicNames, arraysWithItems] },
  "anthropic strict": withNodes([root(), anthropicNames], anthropicStrict),
  openai: { allOf: [root(), arraysWithItems] },
  "openai strict": withNodes([root()], openaiStrict),
  "gemini parameters": withNodes(
    [
      {
        type: "object",
        required: ["type", "properties"],
        properties: { type: { const: "OBJECT" }, properties: { minProperties: 1 } },
      },
      wordNames,
    ],
    openApiNode,
  ),
  "gemini parametersJsonSchema": withNodes([root(), wordNames], geminiJsonNode),
  bedrock: {
    allOf: [root(), anthropicNames, arraysWithItems, onlyAtRoot("type", "properties", "required")],
  },
  "bedrock strict": withNodes(
    [root(), anthropicNames, onlyAtRoot("type", "properties", "required", "additionalProperties")],
    noReferences(anthropicStrict),
  ),
  "ai-sdk": withNodes([root(), wordNames], bothDrafts),
  "ai-sdk strict": withNodes(
    [root(), wordNames],
    noReferences(strictNode({ ...openaiFormats, minItems: { enum: [0, 1] } })),
  ),
} as const

export type Target = keyof typeof providerRules

const compiled = new Map<Target, ValidateFunction>()

/** What a schema breaks of a target's rules; empty where nothing. */
export const violations = (target: Target, schema: unknown): ReadonlyArray<string> => {
  let check = compiled.get(target)
  if (check === undefined) {
    check = new Ajv2020({ strict: false, validateFormats: false }).compile(providerRules[target])
    compiled.set(target, check)
  }
  if (check(schema)) return []
  return (check.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`)
}
