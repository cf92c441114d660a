// The report of the unit tests: that of the last `npm test`, if nothing has changed since, or a new one.
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { stages } from "../verify/stages.mjs"

const root = fileURLToPath(new URL("../..", import.meta.url))
const runner = fileURLToPath(new URL("../run.mjs", import.meta.url))
const unitTests = stages.find(({ script }) => script === "test:unit")

/** The report in this file, parsed. */
export const readReport = (file) => JSON.parse(readFileSync(file, "utf8"))

const skipped = /^(?:node_modules|dist|\..*)$/

/** What is newer than `time` (ms since 1970), or undefined. */
const newerThan = (time, folder) => {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (skipped.test(entry.name)) continue
    if (entry.isDirectory()) {
      const found = newerThan(time, path)
      if (found !== undefined) return found
    } else if (!entry.name.endsWith(".md") && statSync(path).mtimeMs > time) return path
  }
  return undefined
}

const lastReport = () => {
  try {
    return readReport(join(root, unitTests.report))
  } catch {
    return undefined
  }
}

/** Why the last report cannot be used, or undefined. */
const whyNot = (report) => {
  if (report === undefined) return "there is no report"
  const gone = report.testResults.find(({ name }) => !existsSync(name))
  if (gone !== undefined) return `${gone.name.slice(root.length)} is gone since the last run`
  for (const folder of ["packages", "examples"]) {
    const changed = newerThan(report.startTime, join(root, folder))
    if (changed !== undefined) return `${changed.slice(root.length)} has changed since the last run`
  }
  return undefined
}

/** The last report if it still holds; the unit tests are run otherwise. */
export const currentReport = () => {
  const last = lastReport()
  const reason = whyNot(last)
  if (reason === undefined) return last
  console.log(`The unit tests are run, because ${reason}.\n`)
  spawnSync(process.execPath, [runner, unitTests.script, ...unitTests.args], {
    cwd: root,
    stdio: "inherit",
  })
  const report = lastReport()
  if (report === undefined || report.startTime === last?.startTime) {
    throw new Error("the unit tests left no report")
  }
  return report
}
