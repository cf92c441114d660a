// What `npm test` runs, in order. `script` is a script of the root package.json.
import { readFileSync } from "node:fs"
import { countsOfClosingLine, countsOfExit, countsOfVitest } from "./counts.mjs"

const plain = (script, options = {}) => ({
  name: script,
  script,
  args: [],
  count: ({ exitCode }) => countsOfExit(exitCode),
  ...options,
})

const readReport = (file) => {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return undefined
  }
}

const vitest = (name, script) => {
  const report = `.verify/${name.replaceAll(" ", "-")}.json`
  return {
    name,
    script,
    report,
    args: ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`],
    count: ({ exitCode }) => countsOfVitest(readReport(report), exitCode),
  }
}

/**
 * What a client MUST do has a test, and docs/requirements.md says which. Reads the report of the unit
 * tests, so that nothing runs twice.
 */
const requirements = {
  name: "requirements",
  script: "requirements",
  args: ["--check", "--report", ".verify/unit-tests.json"],
  count: ({ exitCode }) => countsOfExit(exitCode),
  note: ({ output }) => /^\d+ covered, \d+ uncovered, \d+ excused$/m.exec(output)?.[0],
}

export const stages = [
  plain("build"),
  plain("lint"),
  plain("format:check"),
  plain("types"),
  plain("boundaries"),
  vitest("unit tests", "test:unit"),
  requirements,
  vitest("real servers", "test:real"),
  {
    name: "conformance",
    script: "conformance",
    args: ["all"],
    // It runs what was built.
    after: "build",
    count: ({ output, exitCode }) => countsOfClosingLine(output, exitCode),
    note: ({ output }) => /^\d+ expected failures/m.exec(output)?.[0],
  },
]
