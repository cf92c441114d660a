import type { Output } from "../io.js"
import type { Style } from "./style.js"
import { oneLine } from "./visible-text.js"
import { cut, pad, widthOf } from "./width.js"

const gap = "  "

/** The width that lines are cut to; without a terminal nothing is cut. */
export const widthFor = (output: Output): number =>
  output.isTTY === true ? (output.columns ?? 80) : Number.POSITIVE_INFINITY

/** The columns each cell may take: the first ones as much as they need up to half of the line, the last one the rest. */
const widths = (
  rows: ReadonlyArray<ReadonlyArray<string>>,
  width: number,
): ReadonlyArray<number> => {
  const count = Math.max(...rows.map((row) => row.length))
  const natural = Array.from({ length: count }, (_, column) =>
    Math.max(...rows.map((row) => widthOf(row[column] ?? ""))),
  )
  const most = Math.max(8, Math.floor(width / 2 / Math.max(1, count - 1)))
  const first = natural.slice(0, -1).map((one) => Math.min(one, most))
  const taken = first.reduce((sum, one) => sum + one + gap.length, 0)
  return [...first, Math.max(8, width - taken)]
}

/** A table for people: cells on one line each, made visible, and cut to the width. */
export const table = (
  head: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  width: number,
  style: Style,
): ReadonlyArray<string> => {
  const cells = rows.map((row) => row.map(oneLine))
  const columns = widths([head, ...cells], width)
  const line = (row: ReadonlyArray<string>): string =>
    row
      .map((cell, column) => {
        const room = columns[column] ?? 0
        return column === row.length - 1 ? cut(cell, room) : pad(cut(cell, room), room)
      })
      .join(gap)
      .trimEnd()
  return [style.dim(line(head)), ...cells.map(line)]
}
