// `pnpm requirements [--write | --check] [--report FILE]`: which test shows which requirement. Exits 1
// while a MUST of the client has neither a passing test nor an excuse, authorization aside.
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { evidenceOf } from "./requirements/evidence.mjs"
import { judge, mistakes, tally, tallyLine } from "./requirements/judge.mjs"
import { readAreas, readExcuses, readLater, readRequirements } from "./requirements/lists.mjs"
import { pageText } from "./requirements/page.mjs"
import { tableLines, uncoveredLines } from "./requirements/table.mjs"
import { currentReport, readReport } from "./requirements/unit-report.mjs"

const { values: options } = parseArgs({
  options: {
    check: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    report: { type: "string" },
  },
})

const root = fileURLToPath(new URL("..", import.meta.url))
const page = new URL("../docs/requirements.md", import.meta.url)

const readPage = () => {
  try {
    return readFileSync(page, "utf8")
  } catch {
    return ""
  }
}

const report = options.report === undefined ? currentReport() : readReport(options.report)
const evidence = evidenceOf(report, root)
const excuses = readExcuses()
const later = readLater()
const areas = readAreas()
const judged = judge({ requirements: readRequirements(), evidence, excuses, later })
const text = pageText(judged, areas)

if (options.write) writeFileSync(page, text)
const stale = options.check && readPage() !== text
const wrong = [
  ...mistakes({ judged, evidence, excuses, later }),
  ...(stale ? ["docs/requirements.md is out of date: pnpm requirements --write"] : []),
]

for (const line of [...tableLines(judged), ...uncoveredLines(judged, areas), ""]) console.log(line)
for (const line of wrong) console.log(`WRONG: ${line}`)
const counts = tally(judged)
process.exitCode = counts.uncovered > 0 || wrong.length > 0 ? 1 : 0
console.log(tallyLine(counts))
