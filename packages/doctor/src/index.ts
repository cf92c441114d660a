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
export { diagnose } from "./diagnose.js"
export { examine, examineServer, type Examination } from "./examination/examine.js"
export {
  examineAll,
  examineServers,
  ServersNotWell,
  type ExamineAllOptions,
  type NamedPatient,
  type Round,
  type ServerCause,
} from "./examination/examine-all.js"
export type { ExamineOptions, Patient } from "./examination/patient.js"
