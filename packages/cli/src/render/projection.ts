import type { ReportEntry } from "@entente/catalog"
import type { Style } from "./style.js"
import { oneLine } from "./visible-text.js"

/** What had to be changed for a model API, one line for each place. */
export const reportLines = (
  report: ReadonlyArray<ReportEntry>,
  style: Style,
): ReadonlyArray<string> =>
  report.map(({ kind, server, tool, pointer, detail }) => {
    const paint = kind === "rejected" ? style.bad : style.warning
    const where = pointer === "" ? "" : ` ${style.dim(oneLine(pointer))}`
    return `${paint(kind)}: ${oneLine(`${server}/${tool}`)}: ${oneLine(detail)}${where}`
  })
