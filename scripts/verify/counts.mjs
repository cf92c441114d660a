// How many of a stage's tests passed, failed or were skipped.

const none = { passed: 0, failed: 0, skipped: 0 }

/** A stage that is one thing: it worked or it did not. */
export const countsOfExit = (exitCode) =>
  exitCode === 0 ? { ...none, passed: 1 } : { ...none, failed: 1 }

/** An end that the counts do not explain, or no test at all, is one more failure. */
const withExit = (counts, exitCode) => {
  const unexplained = exitCode !== 0 && counts.failed === 0
  const empty = counts.passed + counts.failed === 0
  return unexplained || empty ? { ...counts, failed: counts.failed + 1 } : counts
}

/** From vitest's JSON report (its text; undefined when there is none) and exit code. */
export const countsOfVitest = (report, exitCode) => {
  if (report === undefined) return { ...none, failed: 1 }
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(report)
  return withExit(
    { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests },
    exitCode,
  )
}

const closingLine = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm

/**
 * From a program that ends with `N passed, M failed[, K skipped]`; a skipped whole is no failure. The
 * line need not be the very last: pnpm adds its own after a failure.
 */
export const countsOfClosingLine = (output, exitCode) => {
  const [, passed, failed, skipped = 0] = [...output.matchAll(closingLine)].at(-1) ?? []
  if (passed === undefined) return { ...none, failed: 1 }
  const counts = { passed: Number(passed), failed: Number(failed), skipped: Number(skipped) }
  return counts.skipped > 0 && exitCode === 0 ? counts : withExit(counts, exitCode)
}

/** The sum of several. */
export const sum = (all) =>
  all.reduce(
    (total, { passed, failed, skipped }) => ({
      passed: total.passed + passed,
      failed: total.failed + failed,
      skipped: total.skipped + skipped,
    }),
    none,
  )

/** `N passed, M failed`, with `, K skipped` only when there are any. */
export const line = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`
