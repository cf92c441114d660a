import type { AnyStateMachine } from "xstate"
import { readChart } from "../model/read-chart.js"
import { bestLayout } from "./best-layout.js"
import { drawSvg, type DrawOptions } from "./draw.js"
import type { Direction } from "./elk-graph.js"

/** How a chart is drawn. */
export interface SvgOptions extends DrawOptions {
  /** Where the chart grows to. Default: to where the picture is smaller on a page of 1,280 pixels. */
  readonly direction?: Direction
}

/**
 * Draws any XState machine as SVG: nested and parallel states, guards, delays, initial and final marks. The
 * same machine always gives the same picture, so it can be committed and compared.
 *
 * @example
 * await toSvg(charts.connection, { active: new Set(["ready", "ready.legacy"]) })
 */
export const toSvg = async (
  machine: AnyStateMachine,
  { direction, ...options }: SvgOptions = {},
): Promise<string> => drawSvg(await bestLayout(readChart(machine), direction), options)
