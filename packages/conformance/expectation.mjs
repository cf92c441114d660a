// The committed list of scenarios that are known to fail, and what a result means beside it.
import { readFileSync } from "node:fs"

/** `expected-failures.json`: revision → reason → names of scenarios. */
export const readExpectedFailures = () =>
  JSON.parse(readFileSync(new URL("expected-failures.json", import.meta.url), "utf8"))

/** Why a scenario is expected to fail, or undefined. */
export const reasonToFail = (expectedFailures, revision, name) =>
  Object.entries(expectedFailures[revision] ?? {}).find(([, names]) => names.includes(name))?.[0]

/** Listed names that the suite does not have: the list would promise something nobody runs. */
export const unknownNames = (expectedFailures, revision, scenarios) =>
  Object.values(expectedFailures[revision] ?? {})
    .flat()
    .filter((name) => !scenarios.some((scenario) => scenario.name === name))

/** `passed`, `failed`, `expected-failure`, or `unexpected-pass` (the list is out of date). */
export const outcome = (passed, reason) => {
  if (reason === undefined) return passed ? "passed" : "failed"
  return passed ? "unexpected-pass" : "expected-failure"
}
