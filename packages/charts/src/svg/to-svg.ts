import type { AnyStateMachine } from "xstate"
import { readChart } from "../model/read-chart.js"
import { drawSvg, type DrawOptions } from "./draw.js"
import { layOut } from "./layout.js"

/** How a chart is drawn. */
export interface SvgOptions extends DrawOptions {
  /** Where a chart grows to. Default: `DOWN`. */
  readonly direction?: "DOWN" | "RIGHT"
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
  { direction = "DOWN", ...options }: SvgOptions = {},
): Promise<string> => drawSvg(await layOut(readChart(machine), { direction }), options)
