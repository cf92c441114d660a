// What counts as passed. Stricter than the suite's own exit code: see each line below.

/** Printed by the client under test as its last line, so that a silent death is noticed. */
export const finalLine = "client finished"

/** Checks of the wire's schema come with every scenario; they do not prove that it was exercised. */
const isOwn = (check) => !check.id.startsWith("wire-schema-")
const wasMade = (check) => ["SUCCESS", "FAILURE", "WARNING"].includes(check.status)

const describe = (check) =>
  `${check.status} ${check.id}: ${check.errorMessage ?? check.details?.message ?? check.description}`

/**
 * `{ passed, made, problems }` for what `runScenario` returned. A failed check, a warning, a
 * time-out, an exit code other than 0, no check at all: each is a problem.
 */
export const verdict = (run) => {
  const problems = []
  const checks = run.checks ?? []
  const made = checks.filter(wasMade)
  problems.push(...made.filter(({ status }) => status !== "SUCCESS").map(describe))

  if (run.overdue) problems.push("the suite did not end and was killed")
  else if (run.output.includes("Client timed out")) {
    problems.push(`the client did not end within ${run.timeoutMs} ms`)
  }

  const clientExit = /Client exited with code (-?\d+)/.exec(run.output)?.[1]
  if (run.exitCode !== 0 && problems.length === 0) {
    problems.push(
      clientExit === undefined
        ? `the suite ended with exit code ${run.exitCode}: ${run.output.trim().split("\n").at(-1)}`
        : `the client ended with exit code ${clientExit}`,
    )
  }
  // The suite takes a client killed by a signal for one that ended with 0.
  if (clientExit === undefined && problems.length === 0 && !run.stdout.endsWith(`${finalLine}\n`)) {
    problems.push("the client died before it had finished")
  }
  // "Zero of zero failed" is how a client that did nothing looks.
  if (!made.some(isOwn)) problems.push("no check was made")
  return { passed: problems.length === 0, made: made.length, problems }
}
