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
