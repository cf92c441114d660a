import type { Keywords } from "./schema-rules.js"

const only = (...words: ReadonlyArray<string>): Keywords => ({
  only: new Set(words.flatMap((word) => word.split(" "))),
})

const not = (...words: ReadonlyArray<string>): Keywords => ({
  not: new Set(words.flatMap((word) => word.split(" "))),
})

/** Whether a keyword is one of a set. */
export const allows = (keywords: Keywords, keyword: string): boolean =>
  "only" in keywords ? keywords.only.has(keyword) : !keywords.not.has(keyword)

/** Everything, known to JSON Schema or not. */
export const everything: Keywords = { not: new Set() }

/** Names of schemas inside a schema. References lead to `$defs` when they are done with, so none is needed. */
const identifiers = "$id $anchor $dynamicAnchor $dynamicRef $recursiveRef $recursiveAnchor"

/** What a provider takes that validates against JSON Schema 2020-12 and little else. */
export const jsonSchema = not(identifiers)

/** What turns more into less: nothing inside these could be cut without refusing what the server takes. */
const negating = "oneOf not if then else"

/** The same for a provider to which schemas go whose references are cut. */
export const monotonous = not(identifiers, negating)

/** Of what draft-07 and 2020-12 both have, the rest: for callers who pass schemas on to whom we do not know. */
export const bothDrafts = only(
  "type enum const title description default examples format",
  "properties required additionalProperties patternProperties propertyNames",
  "minProperties maxProperties items minItems maxItems uniqueItems contains",
  "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern",
  "anyOf allOf",
)

/** The OpenAPI subset of Gemini's `parameters`. */
export const geminiParameters = only(
  "type format description nullable enum items properties required propertyOrdering anyOf",
  "minimum maximum minItems maxItems minLength maxLength minProperties maxProperties pattern",
)

/** What Gemini's `parametersJsonSchema` is documented to look at. */
export const geminiJsonSchema = only(
  "$ref $defs type format title description enum items prefixItems minItems maxItems",
  "minimum maximum anyOf properties additionalProperties required propertyOrdering",
)

const strictCore = "$ref $defs type title description enum const anyOf"
const strictShapes = "properties required additionalProperties items"

/** Strict mode of OpenAI. `default`, and lengths of texts, are refused. */
export const openaiStrict = only(
  strictCore,
  strictShapes,
  "format pattern minItems maxItems",
  "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf",
)

/** Strict mode of Anthropic's models. Patterns are taken in part only, so they are left out. */
export const anthropicStrict = only(strictCore, strictShapes, "format minItems default")

/** What both of them take, without references. */
export const anyStrict = only(
  "type title description enum const anyOf format minItems",
  strictShapes,
)

/** At the root, models on Bedrock other than Claude take these alone. */
export const bedrockRoot = only("type properties required")
export const bedrockStrictRoot = only("type properties required additionalProperties")
