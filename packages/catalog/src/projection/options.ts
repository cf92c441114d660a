import type { Format } from "../provider/format.js"
import { geminiRules, toolRules, type GeminiField } from "../provider/rules.js"
import type { StrictLimits, ToolRules } from "../provider/schema-rules.js"

/** Figures that may differ from those of the table: providers move them, and deployments have their own. */
export interface ProjectionLimits extends StrictLimits {
  /** Characters of a tool's description, for example 1,024 for older deployments. Default: 32,768. */
  readonly description?: number
  /**
   * Schemas that one tool may become once references and compositions are resolved, long texts counted as well.
   * A tool beyond it is rejected. Default: 50,000.
   */
  readonly schemas?: number
}

/** How tools are turned into what a model API takes. */
export interface ProjectionOptions {
  /**
   * Whether the model is held to the schemas where the provider can do that and the schema can be made so;
   * the other tools go without, and the report says why. Default: false.
   */
  readonly strict?: boolean
  /** Whether constraints that the provider does not take are told in descriptions. Default: false. */
  readonly constraintsInDescription?: boolean
  /**
   * How often a schema that refers to itself may stand inside itself before it is cut, where the provider takes
   * no references. Default: 2.
   */
  readonly recursionDepth?: number
  readonly gemini?: {
    /**
     * The field of a function declaration that takes the schema. Every version of the API has `parameters`;
     * `parametersJsonSchema` takes more. Default: `parameters`.
     */
    readonly field?: GeminiField
  }
  readonly limits?: ProjectionLimits
}

/** All of it, with the defaults filled in. */
export interface Settings {
  readonly rules: ToolRules
  readonly strict: boolean
  readonly constraints: boolean
  readonly recursionDepth: number
  readonly geminiField: GeminiField
  readonly schemas: number
}

const rulesOf = (format: Format, field: GeminiField): ToolRules =>
  format === "gemini" ? geminiRules[field] : toolRules[format]

const withLimits = (rules: ToolRules, limits: ProjectionLimits): ToolRules => {
  const { description, schemas: _, ...strict } = limits
  const maxLength = description ?? rules.description.maxLength
  if (rules.strict === undefined) return { ...rules, description: { maxLength } }
  const held = { ...rules.strict, limits: { ...rules.strict.limits, ...strict } }
  return { ...rules, description: { maxLength }, strict: held }
}

export const settingsOf = (format: Format, options: ProjectionOptions): Settings => {
  const geminiField = options.gemini?.field ?? "parameters"
  return {
    rules: withLimits(rulesOf(format, geminiField), options.limits ?? {}),
    strict: options.strict ?? false,
    constraints: options.constraintsInDescription ?? false,
    recursionDepth: options.recursionDepth ?? 2,
    geminiField,
    schemas: options.limits?.schemas ?? 50_000,
  }
}
