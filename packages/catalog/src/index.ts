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
export { project } from "./projection/project.js"
export type { ProjectionLimits, ProjectionOptions } from "./projection/options.js"
export type {
  AiSdkTool,
  AnthropicTool,
  BedrockTools,
  FormatTools,
  GeminiFunction,
  Json,
  ObjectSchema,
  OpenAiResponsesTool,
  OpenAiTool,
  ToolsOf,
} from "./projection/format/tools.js"
export { geminiFields, geminiRules, toolRules, type GeminiField } from "./provider/rules.js"
export type { SchemaRules, StrictLimits, StrictRules, ToolRules } from "./provider/schema-rules.js"
export { assignNames, type AssignedNames } from "./name/assign-names.js"
export { nameMap } from "./name/name-map.js"
export { catalogId, nameFor, readName } from "./name/tool-name.js"
export * as Catalog from "./catalog.js"
export type { ServerAccess } from "./catalog.js"
export type { CatalogOptions } from "./catalog-options.js"
export type { CatalogChange, StatusChange, ToolsChange } from "./change/catalog-change.js"
export type { ChangedTool, ToolDiff } from "./change/tool-diff.js"
export type { CatalogProjection, Projector } from "./projection/catalog-projection.js"
export type { NamedCall } from "./projection/named-call.js"
export { openCatalog, PromiseCatalog, type PromiseServerAccess } from "./promise.js"
export type { Route } from "./server/route.js"
export type { Found, SearchOptions } from "./search/search.js"
export { defaultRetry, type RetryPolicy } from "./server/retry-policy.js"
export { defaultStarting, type StartingPolicy } from "./server/starting.js"
export type { ServerConnectOptions, Servers, ServerSpec } from "./server/server-spec.js"
export type {
  ServerDetails,
  ServerStanding,
  ServerState,
  ServerStatus,
  ServerTrouble,
  StageCounts,
} from "./server/server-status.js"
export type { CatalogTool } from "./tool/catalog-tool.js"
export type { CatalogTools, Collision } from "./tool/catalog-tools.js"
export type { Withheld, WithheldKind } from "./tool/server-tools.js"
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
