import type { CallToolResult, ContentBlock } from "@entente/protocol"
import type { Format } from "../provider/format.js"
import { aiSdkResult, type AiSdkResult } from "./ai-sdk-result.js"
import { anthropicResult, type AnthropicResult } from "./anthropic-result.js"
import { bedrockResult, type BedrockResult } from "./bedrock-result.js"
import { chooseForm, type PreferredForm } from "./choose-form.js"
import { Fitting } from "./fit.js"
import { geminiResult, type GeminiResult } from "./gemini-result.js"
import {
  openAIResponsesResult,
  openAIResult,
  type OpenAIResponsesResult,
  type OpenAIResult,
} from "./openai-result.js"
import type { Answer, Part } from "./part.js"
import { isTextBlock, readBlock } from "./read-block.js"
import type { ResultReportEntry } from "./result-report.js"
import { resultRules, type ResultRule } from "./result-rule.js"

/** How a result is told to a model. */
export interface ProjectResultOptions {
  /**
   * Which of structured content and the text that stands for it goes; never both, which would cost twice. By
   * default structured content where the model API has a form for JSON, and text elsewhere.
   */
  readonly prefer?: PreferredForm
  /**
   * What becomes of images and documents. "send" is the default. "send-beside" puts them into a message of the
   * user, as Gemini wants it before version 3; the other APIs have one place for them. "leave-out" is for models
   * that read text alone.
   */
  readonly media?: "send" | "send-beside" | "leave-out"
  /** How many characters of text a result has at most; 1,000,000 by default. */
  readonly maxTextCharacters?: number
}

/** What the result of a tool is called by each model API. */
export interface ProjectedResults {
  readonly anthropic: AnthropicResult
  readonly openai: OpenAIResult
  readonly "openai-responses": OpenAIResponsesResult
  readonly gemini: GeminiResult
  readonly bedrock: BedrockResult
  readonly "ai-sdk": AiSdkResult
}

/** The result of a tool in the form that one model API takes. */
export interface ResultProjection<F extends Format = Format> {
  readonly value: ProjectedResults[F]
  readonly report: ReadonlyArray<ResultReportEntry>
}

const encoders: {
  readonly [F in Format]: (answer: Answer, options: ProjectResultOptions) => ProjectedResults[F]
} = {
  anthropic: anthropicResult,
  openai: openAIResult,
  "openai-responses": openAIResponsesResult,
  gemini: (answer, { media }) => geminiResult(answer, media === "send-beside"),
  bedrock: bedrockResult,
  "ai-sdk": aiSdkResult,
}

/** Why files do not go at all, as the end of a sentence. */
const whyNoMedia = (
  { filesInErrors }: ResultRule,
  isError: boolean,
  { media }: ProjectResultOptions,
): string | undefined => {
  if (media === "leave-out") return "the model is told texts alone"
  return isError && !filesInErrors ? "the model API takes none in errors" : undefined
}

const nothing: Part = { kind: "text", text: "[The tool has answered with nothing.]", pointer: "" }

/**
 * The result of a tool in the form that one model API takes. What it does not take (a sound, a type of image, a
 * file that is too large, Base64 that cannot be decoded) becomes a sentence that says what was left out, and an
 * entry of the report, so that neither the model nor the host is in the dark. Resources that are included go as
 * the texts, images or documents they are, links as a line with their address. A pure function; it never
 * throws, whatever a server has sent.
 *
 * @example
 * const { value } = projectResult(await client.callTool({ name: "chart" }), "anthropic")
 * const block = { type: "tool_result", tool_use_id, ...value }
 *
 * @example
 * // The files of all tools come after the last message of a tool.
 * const { value } = projectResult(result, "openai")
 * messages.push({ role: "tool", tool_call_id, content: value.content })
 * if (value.followUp !== undefined) messages.push(value.followUp)
 */
export const projectResult = <F extends Format>(
  result: CallToolResult,
  format: F,
  options: ProjectResultOptions = {},
): ResultProjection<F> => {
  const rule = resultRules[format]
  const { maxTextCharacters = 1_000_000 } = options
  const isError = result.isError === true
  // Callers without types may give anything.
  const content: ReadonlyArray<ContentBlock> = Array.isArray(result.content) ? result.content : []
  const form = chooseForm(result, content, rule, options.prefer, maxTextCharacters)
  const fitting = new Fitting(rule, whyNoMedia(rule, isError, options), maxTextCharacters)
  const parts: Array<Part> = []
  const add = (part: Part | undefined): void => {
    const fitted = part && fitting.fit(part)
    if (fitted !== undefined) parts.push(fitted)
  }
  fitting.report.push(...form.report)
  add(form.structured)
  content.forEach((block, index) => {
    if (form.withoutText && isTextBlock(block)) return
    const { part, entry } = readBlock(block, `/content/${index}`)
    if (entry !== undefined) fitting.report.push(entry)
    add(part)
  })
  const { surplus } = fitting
  if (surplus !== undefined) parts.push(surplus)
  const answer = { parts: parts.length === 0 ? [nothing] : parts, isError }
  return { value: encoders[format](answer, options), report: fitting.report }
}
