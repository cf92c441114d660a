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
export type { ChartStates } from "./replay/chart-states.js"
export { replayCharts, replaySteps, type ReplayChartsOptions } from "./replay/replay-charts.js"
export type { DivergenceReason, ReplayStep, StepSubject } from "./replay/step.js"
export { stepsOf } from "./replay/step-maker.js"
