// `pnpm conformance 2025-11-25|2026-07-28|all [--scenario NAME]`: the official suite against the
// client, strictly and one scenario at a time. Ends with `N passed, M failed`.
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { outcome, readExpectedFailures, reasonToFail, unknownNames } from "./expectation.mjs"
import { requirementSet, revisions } from "./requirement-set.mjs"
import { runScenario } from "./scenario-run.mjs"
import { findSuite } from "./suite.mjs"
import { verdict } from "./verdict.mjs"

const usage = `Usage: pnpm conformance ${revisions.join("|")}|all [--scenario NAME]`

const readArguments = () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { scenario: { type: "string" } },
  })
  const [wanted = "all"] = positionals
  if (positionals.length > 1 || (wanted !== "all" && !revisions.includes(wanted))) {
    throw new Error(usage)
  }
  return { wanted: wanted === "all" ? revisions : [wanted], only: values.scenario }
}

/** Extension scenarios are optional by definition and run only when named. */
const selected = (scenarios, only) =>
  scenarios.filter(({ name, group }) =>
    only === undefined ? group !== "extension" : name === only,
  )

const marks = {
  passed: "pass ",
  failed: "FAIL ",
  "expected-failure": "xfail",
  "unexpected-pass": "XPASS",
}

/** One line, and what went wrong; for an expected failure only when it was asked for by name. */
const report = ({ scenario, result, judged, reason, seconds, only }) => {
  const { made, problems } = judged
  const count = `${made} ${made === 1 ? "check" : "checks"}`
  const why = result === "expected-failure" ? `  ${reason}` : ""
  console.log(
    `  ${marks[result]} ${scenario.name.padEnd(38)} ${count.padEnd(9)} ${seconds} s${why}`,
  )
  if (result === "unexpected-pass") {
    console.log("        It passes now: remove it from expected-failures.json.")
  }
  if (result === "expected-failure" && only === undefined) return
  for (const problem of problems) console.log(`        ${problem}`)
}

const showStderr = (stderr) => {
  for (const line of stderr.trim().split("\n").slice(-20)) console.log(`        | ${line}`)
}

const client = [process.execPath, fileURLToPath(new URL("client.mjs", import.meta.url))]

const runRevision = async (suite, revision, only, expectedFailures, counts) => {
  const scenarios = requirementSet(suite, revision)
  for (const name of unknownNames(expectedFailures, revision, scenarios)) {
    counts.failed += 1
    console.log(`  FAIL  expected-failures.json names ${name}, which ${revision} does not have`)
  }
  for (const scenario of selected(scenarios, only)) {
    const started = performance.now()
    const run = await runScenario({ suite, command: client, scenario, revision })
    const judged = verdict(run)
    const reason = reasonToFail(expectedFailures, revision, scenario.name)
    const result = outcome(judged.passed, reason)
    const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(5)
    report({ scenario, result, judged, reason, seconds, only })
    if (result === "failed" && run.stderr.trim() !== "") showStderr(run.stderr)
    counts[result === "unexpected-pass" ? "failed" : result] += 1
  }
}

const main = async () => {
  const { wanted, only } = readArguments()
  const suite = findSuite()
  if (suite.missing !== undefined) {
    console.log(`SKIPPED: ${suite.missing}.`)
    console.log("0 passed, 0 failed, 1 skipped")
    return 0
  }
  const counts = { passed: 0, failed: 0, "expected-failure": 0 }
  for (const revision of wanted) {
    console.log(`\n${revision}`)
    await runRevision(suite, revision, only, readExpectedFailures(), counts)
  }
  const total = counts.passed + counts.failed + counts["expected-failure"]
  if (total === 0) {
    console.log(only === undefined ? "No scenario ran." : `There is no scenario named ${only}.`)
    counts.failed = 1
  }
  console.log(`\n${counts["expected-failure"]} expected failures (see expected-failures.json)`)
  console.log(`${counts.passed} passed, ${counts.failed} failed`)
  return counts.failed === 0 ? 0 : 1
}

try {
  process.exitCode = await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
