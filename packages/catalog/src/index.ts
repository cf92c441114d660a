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
export type {
  ArgumentsChange,
  ArgumentsFault,
  ArgumentsReading,
} from "./argument/arguments-reading.js"
export { readArguments, type ReadArgumentsOptions } from "./argument/read-arguments.js"
