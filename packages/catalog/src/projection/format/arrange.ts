import type { JsonObject } from "@entente/protocol"
import type { Format } from "../../provider/format.js"
import type { GeminiField } from "../../provider/rules.js"
import type { FormatTools, GeminiFunction, ObjectSchema, ToolsOf } from "./tools.js"

/** A tool with its name. */
export interface NamedSchema {
  readonly name: string
  readonly description: string | undefined
  readonly schema: JsonObject
  readonly strict: boolean
}

// The steps have made it one, of JSON that nobody else has.
const objectSchema = (schema: JsonObject) => schema as ObjectSchema

const described = ({ description }: NamedSchema) =>
  description === undefined ? {} : { description }

const held = ({ strict }: NamedSchema): { strict?: true } => (strict ? { strict } : {})

const geminiFunction = (tool: NamedSchema, field: GeminiField): GeminiFunction => {
  const about = { name: tool.name, ...described(tool) }
  const { properties } = tool.schema
  // An object without properties is refused there.
  const isEmpty = properties === undefined || Object.keys(properties as object).length === 0
  return isEmpty ? about : { ...about, [field]: tool.schema }
}

const arrangements: {
  readonly [F in Format]: (tools: ReadonlyArray<NamedSchema>, field: GeminiField) => FormatTools[F]
} = {
  anthropic: (tools) =>
    tools.map((tool) => ({
      name: tool.name,
      ...described(tool),
      input_schema: objectSchema(tool.schema),
      ...held(tool),
    })),
  openai: (tools) =>
    tools.map((tool) => ({
      type: "function",
      function: {
        name: tool.name,
        ...described(tool),
        parameters: objectSchema(tool.schema),
        strict: tool.strict,
      },
    })),
  "openai-responses": (tools) =>
    tools.map((tool) => ({
      type: "function",
      name: tool.name,
      ...described(tool),
      parameters: objectSchema(tool.schema),
      strict: tool.strict,
    })),
  gemini: (tools, field) => [
    { functionDeclarations: tools.map((tool) => geminiFunction(tool, field)) },
  ],
  bedrock: (tools) => ({
    tools: tools.map((tool) => ({
      toolSpec: {
        name: tool.name,
        ...described(tool),
        inputSchema: { json: objectSchema(tool.schema) },
        ...held(tool),
      },
    })),
  }),
  "ai-sdk": (tools) =>
    Object.fromEntries(
      tools.map((tool) => [
        tool.name,
        { ...described(tool), inputSchema: objectSchema(tool.schema), ...held(tool) },
      ]),
    ),
}

/** Tools in the form of one API; undefined where there are none, because an empty list is refused (C083). */
export const arrange = <F extends Format>(
  format: F,
  tools: ReadonlyArray<NamedSchema>,
  field: GeminiField,
): ToolsOf<F> | undefined => (tools.length === 0 ? undefined : arrangements[format](tools, field))
