import { toMermaid, toOutline, toStately, type OutlinePart } from "@entente/charts"
import type { ChartFormat } from "../charts-arguments.js"
import type { Style } from "./style.js"

type Machine = Parameters<typeof toMermaid>[0]

/** How a chart is shown, and to whom. */
export interface Showing {
  /** The ids of the states to be lit. */
  readonly active: ReadonlySet<string>
  /** Columns of the terminal. */
  readonly width: number
  readonly style: Style
}

const colours = ({
  bold,
  dim,
  good,
  warning,
}: Style): Partial<Record<OutlinePart, (text: string) => string>> => ({
  state: bold,
  active: (text) => bold(good(text)),
  kind: dim,
  description: dim,
  guard: warning,
  action: dim,
  fact: dim,
})

const renderers: Readonly<
  Record<ChartFormat, (machine: Machine, showing: Showing) => string | Promise<string>>
> = {
  text: (machine, { active, width, style }) => {
    const painted = colours(style)
    return toOutline(machine, {
      active,
      width,
      paint: (part, text) => painted[part]?.(text) ?? text,
    })
  },
  mermaid: (machine, { active }) => toMermaid(machine, { active }),
  json: (machine) => `${JSON.stringify(toStately(machine), null, 2)}\n`,
  // Loaded when it is asked for: what lays pictures out is larger than the rest of the command.
  svg: async (machine, { active }) => (await import("../pictures.js")).toSvg(machine, { active }),
}

/** A chart as text in one of the formats. */
export const renderChart = async (
  machine: Machine,
  format: ChartFormat,
  showing: Showing,
): Promise<string> => renderers[format](machine, showing)

/** What the names of files end in. */
export const chartEndings: Readonly<Record<ChartFormat, string>> = {
  text: "txt",
  mermaid: "mmd",
  svg: "svg",
  json: "json",
}
