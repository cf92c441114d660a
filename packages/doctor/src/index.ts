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
export type { ExamineOptions, Patient } from "./examination/patient.js"
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
