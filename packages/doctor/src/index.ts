export {
  stageNames,
  type Counts,
  type Diagnosis,
  type Evidence,
  type Family,
  type Fix,
  type Hypothesis,
  type Remark,
  type Stage,
  type StageName,
  type Verdict,
} from "./diagnosis.js"
export type {
  ClientTrouble,
  ClientView,
  DiagnosisContext,
  ProjectionView,
  ToolCap,
  ToolFilter,
} from "./context.js"
export { asRecording } from "./log/as-recording.js"
export type { LogFormat, LogOptions, LogProblem, LogReading } from "./log/log-reading.js"
export { readLog } from "./log/read-log.js"
export { decodeLog } from "./log/text/decode-log.js"
