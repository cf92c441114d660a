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
  FurtherFilter,
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
export { exposure, type Exposure, type HiddenTool, type NearMiss } from "./exposure.js"
export { clientCauses } from "./client-side/client-causes.js"
export { clientCauseCodes, type ClientCause, type ClientCauseCode } from "./client-side/cause.js"
export { asRecording } from "./log/as-recording.js"
export type { LogFormat, LogOptions, LogProblem, LogReading } from "./log/log-reading.js"
export { readLog } from "./log/read-log.js"
export { decodeLog } from "./log/text/decode-log.js"
export type { ChartStates } from "./replay/chart-states.js"
export { replayCharts, replaySteps, type ReplayChartsOptions } from "./replay/replay-charts.js"
export type { DivergenceReason, ReplayStep, StepSubject } from "./replay/step.js"
export { stepsOf } from "./replay/step-maker.js"
export { toolsIn } from "./tools-in.js"
export type { Report } from "./report/report.js"
export {
  exchangeAround,
  type ExchangeGap,
  type ExchangeItem,
  type ExchangeLine,
  type ExchangeOptions,
} from "./report/exchange.js"
export { exchangeText, type ExchangeStyle } from "./report/exchange-text.js"
export type { Measure } from "./report/cut-excerpt.js"
export { junitReport } from "./report/junit.js"
export { markdownReport } from "./report/markdown.js"
export {
  certainty,
  countsText,
  eraText,
  familyNames,
  familyOf,
  stageMarks,
  verdictMarks,
  verdictWords,
} from "./report/wording.js"
export { knownCauses, type KnownCause } from "./known-causes.js"
export { shellWord } from "./shell-word.js"
