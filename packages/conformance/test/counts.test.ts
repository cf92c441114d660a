import { describe, expect, it } from "vitest"
import {
  countsOfClosingLine,
  countsOfExit,
  countsOfVitest,
  line,
  sum,
} from "../../../scripts/verify/counts.mjs"

const report = (passed: number, failed: number, pending = 0, todo = 0): string =>
  JSON.stringify({
    numPassedTests: passed,
    numFailedTests: failed,
    numPendingTests: pending,
    numTodoTests: todo,
  })

describe("counts of a stage", () => {
  it("are one for a stage without tests of its own", () => {
    expect(line(countsOfExit(0))).toBe("1 passed, 0 failed")
    expect(line(countsOfExit(2))).toBe("0 passed, 1 failed")
    expect(line(countsOfExit(null))).toBe("0 passed, 1 failed")
  })

  it.each([
    ["all passed", report(5, 0), 0, "5 passed, 0 failed"],
    ["some failed", report(5, 2), 1, "5 passed, 2 failed"],
    ["some were skipped", report(5, 0, 1, 1), 0, "5 passed, 0 failed, 2 skipped"],
    ["a file could not be read", report(5, 0), 1, "5 passed, 1 failed"],
    ["there were none", report(0, 0), 0, "0 passed, 1 failed"],
    ["vitest left no report", undefined, 0, "0 passed, 1 failed"],
  ])("come from vitest: %s", (_, text, exitCode, expected) => {
    expect(line(countsOfVitest(text, exitCode))).toBe(expected)
  })

  it.each([
    ["7 passed, 0 failed", 0, "7 passed, 0 failed"],
    ["7 passed, 2 failed\n ELIFECYCLE  Command failed", 1, "7 passed, 2 failed"],
    ["7 passed, 0 failed", 1, "7 passed, 1 failed"],
    ["0 passed, 0 failed", 0, "0 passed, 1 failed"],
    ["0 passed, 0 failed, 1 skipped", 0, "0 passed, 0 failed, 1 skipped"],
    ["3 passed, none failed", 0, "1 passed, 1 failed"],
  ])("come from the last closing line: %j with exit code %i", (output, exitCode, expected) => {
    expect(line(countsOfClosingLine(`1 passed, 1 failed\n${output}`, exitCode))).toBe(expected)
  })

  it("add up", () => {
    expect(line(sum([countsOfExit(0), countsOfVitest(report(2, 1, 3), 1)]))).toBe(
      "3 passed, 1 failed, 3 skipped",
    )
  })
})
