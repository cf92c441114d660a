import { charts as allCharts, toMermaid } from "@entente/charts"
import type { ChartsInvocation } from "../arguments.js"
import { exitCodes, type ExitCode } from "../exit-code.js"
import type { Io } from "../io.js"
import { jsonLine } from "../render/json-line.js"
import { nearest } from "../nearest.js"
import { styleOf } from "../render/style.js"
import { table, widthFor } from "../render/table.js"
import { UsageError } from "../usage-error.js"

const byName = new Map(Object.entries(allCharts))

/** Prints one chart as Mermaid text, or says which there are. */
export const charts = async (
  { chart: name, json, color }: ChartsInvocation,
  io: Io,
): Promise<ExitCode> => {
  if (name === undefined) {
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
    return exitCodes.ok
  }
  const machine = byName.get(name)
  if (machine === undefined) {
    const meant = nearest(name, [...byName.keys()])
    throw new UsageError(
      `There is no chart ${name}.` + (meant === undefined ? "" : ` Did you mean ${meant}?`),
      "entente charts lists them.",
    )
  }
  const mermaid = toMermaid(machine)
  io.stdout.write(json ? `${jsonLine({ name, mermaid })}\n` : mermaid)
  return exitCodes.ok
}
