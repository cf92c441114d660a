import { mkdir, writeFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { activeStates, charts as allCharts, readChart, statesIn } from "@entente/charts"
import type { ChartFormat, ChartsInvocation } from "../charts-arguments.js"
import { exitCodes, type ExitCode } from "../exit-code.js"
import type { Io } from "../io.js"
import { chartEndings, renderChart, type Showing } from "../render/chart.js"
import { jsonLine } from "../render/json-line.js"
import { nearest } from "../nearest.js"
import { styleOf } from "../render/style.js"
import { table, widthFor } from "../render/table.js"
import { UsageError } from "../usage-error.js"

const byName = new Map(Object.entries(allCharts))

type Machine = (typeof allCharts)[keyof typeof allCharts]

const maybe = (meant: string | undefined): string =>
  meant === undefined ? "" : ` Did you mean ${meant}?`

const machineOf = (name: string): Machine => {
  const machine = byName.get(name)
  if (machine !== undefined) return machine
  throw new UsageError(
    `There is no chart ${name}.${maybe(nearest(name, [...byName.keys()]))}`,
    "entente charts lists them.",
  )
}

/** The states to be lit, each with those around it and inside it. */
const activeOf = (
  name: string,
  machine: Machine,
  states: ReadonlyArray<string>,
): ReadonlySet<string> => {
  const chart = readChart(machine)
  for (const state of states) {
    if (activeStates(chart, [state]) !== undefined) continue
    const ids = statesIn(chart.root)
      .map(({ id }) => id)
      .filter((id) => id !== "")
    const inside = ids.find((id) => id.endsWith(`.${state}`))
    throw new UsageError(
      `The chart ${name} has no state ${state}.${maybe(inside ?? nearest(state, ids))}`,
      `entente charts ${name} --format text shows them all.`,
    )
  }
  return activeStates(chart, states) ?? new Set()
}

const list = ({ json, color }: ChartsInvocation, io: Io): void => {
  const rows = [...byName].map(([name, { root }]) => ({
    name,
    description: root.description ?? "",
  }))
  const lines = json
    ? [jsonLine(rows)]
    : table(
        ["NAME", "DESCRIPTION"],
        rows.map((row) => [row.name, row.description]),
        widthFor(io.stdout),
        styleOf(io.stdout, io, color),
      )
  io.stdout.write(`${lines.join("\n")}\n`)
}

/** Writes one file for each chart, and says which. */
const writeFiles = async (
  names: ReadonlyArray<string>,
  folder: string,
  format: ChartFormat,
  { states, json }: ChartsInvocation,
  io: Io,
): Promise<void> => {
  const written: Array<{ readonly name: string; readonly path: string }> = []
  for (const name of names) {
    const machine = machineOf(name)
    const active = activeOf(name, machine, states)
    // A file is nobody's terminal: no colours, and lines that any editor shows whole.
    const text = await renderChart(machine, format, { active, width: 80, style: plain })
    const path = join(folder, `${name}.${chartEndings[format]}`)
    try {
      await mkdir(resolve(io.cwd ?? ".", folder), { recursive: true })
      await writeFile(resolve(io.cwd ?? ".", path), text)
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : "unknown"
      throw new UsageError(`The chart cannot be written: ${why}.`, "Write --out DIR.")
    }
    written.push({ name, path })
  }
  io.stdout.write(json ? `${jsonLine(written)}\n` : written.map(({ path }) => `${path}\n`).join(""))
}

const plain = styleOf({ write: () => true }, { env: {} }, false)

/** Shows one chart, writes charts to files, or says which there are. */
export const charts = async (invocation: ChartsInvocation, io: Io): Promise<ExitCode> => {
  const { chart: name, out, states, json, color } = invocation
  // A person wants to read it, a pipe wants the text of a picture.
  const usual = io.stdout.isTTY === true && !json && out === undefined ? "text" : "mermaid"
  const { format = usual } = invocation
  if (out !== undefined) {
    await writeFiles(name === undefined ? [...byName.keys()] : [name], out, format, invocation, io)
    return exitCodes.ok
  }
  if (name === undefined) {
    list(invocation, io)
    return exitCodes.ok
  }
  const machine = machineOf(name)
  const showing: Showing = {
    active: activeOf(name, machine, states),
    width: json ? 80 : widthFor(io.stdout),
    style: json ? plain : styleOf(io.stdout, io, color),
  }
  const text = await renderChart(machine, format, showing)
  const shown = format === "json" ? (JSON.parse(text) as unknown) : text
  io.stdout.write(json ? `${jsonLine({ name, [format]: shown })}\n` : text)
  return exitCodes.ok
}
