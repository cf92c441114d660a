export { formats, isFormat, type Format } from "./provider/format.js"
export { idRule, nameRules, type NameRule } from "./provider/name-rule.js"
export type {
  NamedTool,
  NameMap,
  Projection,
  ReportEntry,
  ReportKind,
  ServerTool,
} from "./projection/projection.js"
export { assignNames, type AssignedNames } from "./name/assign-names.js"
export { nameMap } from "./name/name-map.js"
export { catalogId, nameFor, readName } from "./name/tool-name.js"
export type {
  ArgumentsChange,
  ArgumentsFault,
  ArgumentsReading,
} from "./argument/arguments-reading.js"
export { readArguments, type ReadArgumentsOptions } from "./argument/read-arguments.js"
export {
  projectResult,
  type ProjectedResults,
  type ProjectResultOptions,
  type ResultProjection,
} from "./result/project-result.js"
export type { AiSdkResult, AiSdkResultPart } from "./result/ai-sdk-result.js"
export type { AnthropicResult, AnthropicResultBlock } from "./result/anthropic-result.js"
export type { BedrockResult, BedrockResultBlock } from "./result/bedrock-result.js"
export type { PreferredForm } from "./result/choose-form.js"
export type { GeminiFile, GeminiResult } from "./result/gemini-result.js"
export type {
  OpenAIResponsesPart,
  OpenAIResponsesResult,
  OpenAIResult,
  OpenAIUserPart,
} from "./result/openai-result.js"
export type { ResultReportEntry, ResultReportKind } from "./result/result-report.js"
export { resultRules, type MediaRule, type ResultRule } from "./result/result-rule.js"
