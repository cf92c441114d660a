// The results as Markdown.
import { cpus } from "node:os"
import { median } from "./rounds.mjs"

const whole = (number) => Math.round(number).toLocaleString("en")
const row = (cells) => `| ${cells.join(" | ")} |`

/** What the figures depend on. */
export const machine = () => {
  const processors = cpus()
  return `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${processors.length} CPUs (${processors[0]?.model.trim() ?? "unknown"})`
}

/** A median and the spread around it. */
const cell = (measured, unit) =>
  measured === undefined
    ? "–"
    : `${whole(median(measured.values))} ${unit} (${whole(Math.min(...measured.values))}–${whole(Math.max(...measured.values))})`

const cpuCell = (measured, { calls }) => {
  if (measured === undefined) return "–"
  const cpu = median(measured.cpu)
  return calls === 1 ? `${whole(cpu)} ms` : `${whole(cpu * 1000)} µs`
}

const table = (results, headings, cells) => [
  row(["transport", "workload", ...headings]),
  row(["---", "---", ...headings.map(() => "---:")]),
  ...results.map((result) => row([result.transport, result.workload.name, ...cells(result)])),
]

/** Medians, with the lowest and the highest round. */
export const figures = (results, names) =>
  table(results, names, ({ workload, measured }) =>
    names.map((name) => cell(measured.get(name), workload.unit)),
  )

/** Processor time of the client's process for one call, or for one list. */
export const cpuTimes = (results, names) =>
  table(results, names, ({ workload, measured }) =>
    names.map((name) => cpuCell(measured.get(name), workload)),
  )

const ratio = (measured, name, base) =>
  measured.has(name) && measured.has(base)
    ? `${(median(measured.get(name).values) / median(measured.get(base).values)).toFixed(2)} ×`
    : "–"

/** Ratios of medians. More is better for calls per second, less for the time of a list. */
export const ratios = (results, pairs) =>
  table(
    results,
    ["better is", ...pairs.map(([name, base]) => `${name} / ${base}`)],
    ({ workload, measured }) => [
      workload.better,
      ...pairs.map(([name, base]) => ratio(measured, name, base)),
    ],
  )
