export * from "./mermaid.js"
/** The charts that really run, by name. */
export { charts, type ChartName } from "@entente/session"
export * from "./model/chart-model.js"
export { readChart } from "./model/read-chart.js"
export { toSvg, type SvgOptions } from "./svg/to-svg.js"
export type { Theme } from "./svg/theme.js"
