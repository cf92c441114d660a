export * from "./mermaid.js"
/** The charts that really run, by name. */
export { charts, type ChartName } from "@entente/session"
