import type { Format } from "../../provider/format.js"

/** A JSON value that may be changed: it is a copy. */
export type Json = string | number | boolean | null | Array<Json> | { [name: string]: Json }

/** A JSON Schema of an object. */
export interface ObjectSchema {
  type: "object"
  properties: { [name: string]: Json }
  [keyword: string]: Json
}

/** A tool for the Messages API. */
export interface AnthropicTool {
  name: string
  description?: string
  input_schema: ObjectSchema
  strict?: true
}

/** A tool for Chat Completions. */
export interface OpenAiTool {
  type: "function"
  function: { name: string; description?: string; parameters: ObjectSchema; strict: boolean }
}

/** A tool for the Responses API, where no word on `strict` would mean true. */
export interface OpenAiResponsesTool {
  type: "function"
  name: string
  description?: string
  parameters: ObjectSchema
  strict: boolean
}

/** A function declaration. Neither field is there for a tool without arguments. */
export interface GeminiFunction {
  name: string
  description?: string
  parameters?: { type: "OBJECT"; [keyword: string]: Json }
  parametersJsonSchema?: ObjectSchema
}

/** What the `toolConfig` of Converse takes. */
export interface BedrockTools {
  tools: Array<{
    toolSpec: {
      name: string
      description?: string
      inputSchema: { json: ObjectSchema }
      strict?: true
    }
  }>
}

/**
 * What a tool of the AI SDK is made of: wrap `inputSchema` with its `jsonSchema`, and add `execute`.
 */
export interface AiSdkTool {
  description?: string
  inputSchema: ObjectSchema
  strict?: true
}

/** The tools of each form, as they go into a request. */
export interface FormatTools {
  anthropic: Array<AnthropicTool>
  openai: Array<OpenAiTool>
  "openai-responses": Array<OpenAiResponsesTool>
  /** One tool that holds all functions. */
  gemini: Array<{ functionDeclarations: Array<GeminiFunction> }>
  bedrock: BedrockTools
  "ai-sdk": { [name: string]: AiSdkTool }
}

export type ToolsOf<F extends Format> = FormatTools[F]
