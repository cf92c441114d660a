import type { Format } from "./format.js"
import {
  anthropicStrict,
  anyStrict,
  bedrockRoot,
  bedrockStrictRoot,
  bothDrafts,
  everything,
  geminiJsonSchema,
  geminiParameters,
  jsonSchema,
  monotonous,
  openaiStrict,
} from "./keyword-sets.js"
import type { NameRule } from "./name-rule.js"
import type { EnumValue, SchemaRules, StrictLimits, ToolRules } from "./schema-rules.js"

/** The two fields of a Gemini function declaration that take the schema of its arguments. */
export const geminiFields = ["parameters", "parametersJsonSchema"] as const
export type GeminiField = (typeof geminiFields)[number]

const anyValue: ReadonlySet<EnumValue> = new Set([
  "string",
  "number",
  "boolean",
  "null",
  "object",
  "array",
])
const plainValue: ReadonlySet<EnumValue> = new Set(["string", "number", "boolean", "null"])

const anthropicFormats = "date-time time date duration email hostname uri ipv4 ipv6 uuid".split(" ")
const openaiFormats = "date-time time date duration email hostname ipv4 ipv6 uuid".split(" ")

/** `^[a-zA-Z0-9_.-]{1,64}$` */
const anthropicName: NameRule = {
  first: "a-zA-Z0-9_.-",
  rest: "a-zA-Z0-9_.-",
  maxLength: 64,
}
/** What the reference of Gemini's `parameters` says; nobody else asks for more. */
const word: NameRule = { first: "a-zA-Z_", rest: "a-zA-Z0-9_", maxLength: 64 }

/** JSON Schema 2020-12, whole but for the root. */
const whole: SchemaRules = {
  keywords: jsonSchema,
  rootKeywords: everything,
  values: {},
  enumValues: anyValue,
  references: "recursive",
  besideReference: true,
  booleans: true,
  typesDemanded: false,
  itemsDemanded: true,
  dialect: "json-schema",
}

const strictSchema: SchemaRules = {
  ...whole,
  enumValues: plainValue,
  besideReference: false,
  booleans: false,
  typesDemanded: true,
}

const openaiStrictSchema: SchemaRules = {
  ...strictSchema,
  keywords: openaiStrict,
  values: { format: new Set(openaiFormats) },
}

const anthropicStrictSchema: SchemaRules = {
  ...strictSchema,
  keywords: anthropicStrict,
  values: { format: new Set(anthropicFormats), minItems: new Set([0, 1]) },
  references: "acyclic",
  argumentName: anthropicName,
}

const bedrockStrictSchema: SchemaRules = {
  ...anthropicStrictSchema,
  rootKeywords: bedrockStrictRoot,
  references: "inlined",
}

const aiSdkStrictSchema: SchemaRules = {
  ...openaiStrictSchema,
  keywords: anyStrict,
  values: { format: new Set(openaiFormats), minItems: new Set([0, 1]) },
  references: "inlined",
  argumentName: word,
}

const openaiLimits: StrictLimits = {
  properties: 5_000,
  levels: 10,
  characters: 120_000,
  enumValues: 1_000,
  longEnum: 250,
  longEnumCharacters: 15_000,
}

/**
 * The 24 optional arguments that a request may have do not matter: here optional ones are nullable, and count
 * as unions.
 */
const anthropicLimits: StrictLimits = { tools: 20, unions: 16 }

/**
 * No provider publishes a limit today. OpenAI refused more than 1,024 characters until 2025, and deployments of
 * others still may: `limits.description` is for them. This bound is ours, because a server decides how long its
 * texts are, and somebody pays for each word of them.
 */
const description = { maxLength: 32_768 }

const openai: ToolRules = {
  description,
  schema: whole,
  strict: { schema: openaiStrictSchema, limits: openaiLimits },
}

/** Gemini, by the field that takes the schema. There is no strict mode for one function. */
export const geminiRules: Readonly<Record<GeminiField, ToolRules>> = {
  parameters: {
    description,
    schema: {
      ...whole,
      keywords: geminiParameters,
      values: { format: new Set(["date-time", "float", "double", "int32", "int64"]) },
      enumValues: new Set(["string"]),
      references: "inlined",
      besideReference: false,
      booleans: false,
      typesDemanded: true,
      dialect: "openapi",
      argumentName: word,
    },
  },
  parametersJsonSchema: {
    description,
    schema: {
      ...whole,
      keywords: geminiJsonSchema,
      enumValues: new Set(["string", "number"]),
      references: "acyclic",
      besideReference: false,
      booleans: false,
      argumentName: word,
    },
  },
}

/** What each form of tools allows, as it was known in November 2026. */
export const toolRules: Readonly<Record<Exclude<Format, "gemini">, ToolRules>> = {
  anthropic: {
    description,
    schema: { ...whole, argumentName: anthropicName },
    strict: { schema: anthropicStrictSchema, limits: anthropicLimits },
  },
  openai,
  "openai-responses": openai,
  // Amazon's own models know no `$defs`; the names are those that Claude takes there.
  bedrock: {
    description,
    schema: {
      ...whole,
      keywords: monotonous,
      rootKeywords: bedrockRoot,
      references: "inlined",
      argumentName: anthropicName,
    },
    strict: { schema: bedrockStrictSchema, limits: anthropicLimits },
  },
  // Hands schemas to any of the others, and only some of its adapters look into references.
  "ai-sdk": {
    description,
    schema: {
      ...whole,
      keywords: bothDrafts,
      references: "inlined",
      booleans: false,
      argumentName: word,
    },
    strict: { schema: aiSdkStrictSchema, limits: { ...openaiLimits, ...anthropicLimits } },
  },
}
