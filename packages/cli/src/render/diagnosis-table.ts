import { verdictMarks, type Report } from "@entente/doctor"
import { diagnosisText, verdictLabel } from "./diagnosis.js"
import type { Style } from "./style.js"
import { table } from "./table.js"

const count = (reports: ReadonlyArray<Report>): string => {
  const ill = reports.filter(({ diagnosis }) => diagnosis.verdict !== "healthy").length
  const all = `${reports.length} server${reports.length === 1 ? "" : "s"}`
  return ill === 0 ? `${all}, all healthy` : `${all}, ${ill} of them not healthy`
}

/** Several servers: a table, then each one that is not healthy. */
export const diagnosesText = (
  reports: ReadonlyArray<Report>,
  width: number,
  style: Style,
): ReadonlyArray<string> => {
  const rows = reports.map(({ name, diagnosis }) => [
    `${verdictMarks[diagnosis.verdict]} ${diagnosis.verdict}`,
    name,
    // Raw, accepted, exposed.
    `${diagnosis.counts.raw} → ${diagnosis.counts.accepted} → ${diagnosis.counts.exposed}`,
    diagnosis.verdict === "healthy" ? "" : (diagnosis.hypotheses[0]?.title ?? ""),
  ])
  const [head = "", ...lines] = table(
    ["VERDICT", "SERVER", "TOOLS", "FIRST CAUSE"],
    rows,
    width - 2,
    style,
  )
  // Painted afterwards, because colours have no width.
  const painted = lines.map((line, index) => {
    const { verdict } = reports[index]?.diagnosis ?? {}
    const plain = rows[index]?.[0] ?? ""
    return verdict === undefined || !line.startsWith(plain)
      ? line
      : `${verdictLabel(verdict, style)}${line.slice(plain.length)}`
  })
  const ill = reports.filter(({ diagnosis }) => diagnosis.verdict !== "healthy")
  return [
    style.bold(count(reports)),
    ...[head, ...painted].map((line) => `  ${line}`),
    ...ill.flatMap((report) => ["", "", ...diagnosisText(report, width, style)]),
  ]
}
