// What the command prints.
import { tally } from "./judge.mjs"

/** Requirements by area, in the order in which areas first come. */
export const byArea = (judged) => {
  const areas = new Map()
  for (const requirement of judged) {
    const members = areas.get(requirement.area)
    if (members === undefined) areas.set(requirement.area, [requirement])
    else members.push(requirement)
  }
  return areas
}

const cells = (area, members) => {
  const { covered, uncovered, excused } = tally(members)
  const later = members.filter(({ demanded, verdict }) => demanded && verdict === "later").length
  const should = members.filter(({ recommended }) => recommended)
  const tested = should.filter(({ verdict }) => verdict === "covered").length
  const shown = (count) => (count === 0 ? "·" : String(count))
  const shoulds = should.length === 0 ? "·" : `${tested} of ${should.length}`
  return [area, shown(covered), shown(uncovered), shown(excused), shown(later), shoulds]
}

/** A head, and a row for each area: its MUSTs by verdict, and how many of its SHOULDs have a test. */
export const tableRows = (judged) => [
  ["area", "covered", "uncovered", "excused", "later", "SHOULDs with a test"],
  ...[...byArea(judged)].map(([area, members]) => cells(area, members)),
]

/** The table in columns. */
export const tableLines = (judged) => {
  const rows = tableRows(judged)
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)))
  return rows.map(([area, ...counts]) =>
    [
      area.padEnd(widths[0]),
      ...counts.map((count, index) => count.padStart(widths[index + 1])),
    ].join("  "),
  )
}

/** What is missing, by area: id, what it is about, why it is not covered. */
export const uncoveredLines = (judged, areas) =>
  [...byArea(judged.filter(({ verdict }) => verdict === "uncovered"))].flatMap(
    ([area, members]) => [
      "",
      `${area}: ${areas[area]}`,
      ...members.map(({ id, summary, why }) => `  ${id}  ${summary}: ${why}`),
    ],
  )
