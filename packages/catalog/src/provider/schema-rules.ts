import type { NameRule } from "./name-rule.js"

/** A set of keywords: some, or all but some. Keywords that JSON Schema does not know count as well. */
export type Keywords =
  | { readonly only: ReadonlySet<string> }
  | { readonly not: ReadonlySet<string> }

/** What values an `enum` may list. */
export type EnumValue = "string" | "number" | "boolean" | "null" | "object" | "array"

/** Which JSON Schemas a model API takes as the arguments of a tool. */
export interface SchemaRules {
  /**
   * Keywords that may stand anywhere. What takes the place of one that may not follows from the others: `const`
   * becomes `enum`, `oneOf` becomes `anyOf`, `allOf` is merged, `prefixItems` becomes `items`.
   */
  readonly keywords: Keywords
  /** Of those, the ones that may stand at the root. A composition never may, with any provider (C014). */
  readonly rootKeywords: Keywords
  /** Keywords of which only some values may stand. */
  readonly values: Readonly<Record<string, ReadonlySet<unknown>>>
  /** What values an `enum` may list. */
  readonly enumValues: ReadonlySet<EnumValue>
  /**
   * Whether references inside the schema may stay: all of them, or only where none leads back to itself.
   * `inlined`: none may. The schemas they lead to then stand under `$defs` at the root.
   */
  readonly references: "inlined" | "acyclic" | "recursive"
  /** Whether other keywords may stand beside `$ref`. */
  readonly besideReference: boolean
  /** Whether `true` and `false` may stand for a schema; `additionalProperties` may be either in any case. */
  readonly booleans: boolean
  /** Whether every schema has to name its type, or be an `anyOf` or a `$ref`. */
  readonly typesDemanded: boolean
  /** Whether every array has to say what its items are. */
  readonly itemsDemanded: boolean
  /**
   * `openapi`: one type per schema in capital letters, `nullable` in place of null, keywords only on the type
   * that they are for, and nothing beside `anyOf`.
   */
  readonly dialect: "json-schema" | "openapi"
  /** What the names of arguments look like; deeper properties are not looked at by any provider. */
  readonly argumentName?: NameRule
}

/** How much one strict tool, or all of a request together, may hold. Undefined: as much as you like. */
export interface StrictLimits {
  /** Properties of all objects in one schema. */
  readonly properties?: number
  /** Objects inside objects, the root counted. */
  readonly levels?: number
  /** Characters of property names, names of definitions, and values of `enum` and `const`. */
  readonly characters?: number
  /** Values of all `enum`s in one schema. */
  readonly enumValues?: number
  /** An `enum` of texts with more values than this … */
  readonly longEnum?: number
  /** … may have this many characters in all. */
  readonly longEnumCharacters?: number
  /** Strict tools in one request. */
  readonly tools?: number
  /** Schemas with `anyOf` or several types, in all strict tools of one request. */
  readonly unions?: number
}

/** What a model API demands of a tool that it holds the model to. */
export interface StrictRules {
  readonly schema: SchemaRules
  readonly limits: StrictLimits
}

/** What a model API takes as the text that describes a tool. */
export interface DescriptionRule {
  /** Characters (UTF-16 units). */
  readonly maxLength: number
}

/** All that one form of tools allows. */
export interface ToolRules {
  readonly description: DescriptionRule
  readonly schema: SchemaRules
  /** Undefined where there is no strict mode. */
  readonly strict?: StrictRules
}
