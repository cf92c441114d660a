export * from "./mermaid.js"
/** The charts that really run, by name. */
export { charts, type ChartName } from "@entente/session"
export * from "./model/active-states.js"
export * from "./model/chart-model.js"
export { readChart } from "./model/read-chart.js"
export { toOutline, type OutlineOptions, type OutlinePart } from "./outline.js"
export { toStately, type StatelyConfig } from "./stately.js"
