export type { Direction } from "./elk-graph.js"
export type { Theme } from "./theme.js"
export { toSvg, type SvgOptions } from "./to-svg.js"
