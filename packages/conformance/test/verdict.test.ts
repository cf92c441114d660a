import { describe, expect, it } from "vitest"
import { outcome, readExpectedFailures, reasonToFail, unknownNames } from "../expectation.mjs"
import { parseRequirementSet } from "../requirement-set.mjs"
import type { Check, ScenarioRun } from "../scenario-run.mjs"
import { finalLine, verdict } from "../verdict.mjs"

const check = (status: Check["status"], id = "a-check"): Check => ({
  id,
  status,
  description: "does the right thing",
})

const run = (changes: Partial<ScenarioRun>): ScenarioRun => ({
  exitCode: 0,
  overdue: false,
  output: "",
  checks: [check("SUCCESS")],
  stdout: `${finalLine}\n`,
  stderr: "",
  timeoutMs: 1000,
  ...changes,
})

describe("a verdict", () => {
  it("is passed when every check succeeded and both ended well", () => {
    expect(verdict(run({})).passed).toBe(true)
  })

  it("is failed by a warning", () => {
    const { passed, problems } = verdict(run({ checks: [check("SUCCESS"), check("WARNING")] }))
    expect(passed).toBe(false)
    expect(problems).toEqual(["WARNING a-check: does the right thing"])
  })

  it("is not moved by checks that were skipped or only inform", () => {
    const checks = [check("SUCCESS"), check("SKIPPED"), check("INFO")]
    expect(verdict(run({ checks }))).toEqual({ passed: true, made: 1, problems: [] })
  })

  it.each([
    ["the suite left no checks", undefined],
    ["the list is empty", []],
    ["all were skipped", [check("SKIPPED")]],
    ["only the wire was checked", [check("SUCCESS", "wire-schema-valid")]],
  ])("is failed when %s", (_, checks) => {
    expect(verdict(run({ checks })).problems).toEqual(["no check was made"])
  })

  it("is failed by an exit code of the suite that nothing else explains", () => {
    const { problems } = verdict(run({ exitCode: 1, output: "first\nUnknown spec version: 1999" }))
    expect(problems).toEqual(["the suite ended with exit code 1: Unknown spec version: 1999"])
  })

  it("accepts an exit code of the client where the scenario allows it", () => {
    const output = "Client exited with code 1"
    expect(verdict(run({ output, stdout: "" })).passed).toBe(true)
  })

  it("is failed when the suite had to be killed", () => {
    const { problems } = verdict(run({ exitCode: null, overdue: true, checks: undefined }))
    expect(problems[0]).toBe("the suite did not end and was killed")
  })
})

describe("the expectation", () => {
  const listed = { "2025-11-25": { "later: reason": ["known"] } }

  it.each([
    [true, undefined, "passed"],
    [false, undefined, "failed"],
    [false, "later", "expected-failure"],
    [true, "later", "unexpected-pass"],
  ])("turns passed=%s with reason %s into %s", (passed, reason, expected) => {
    expect(outcome(passed, reason)).toBe(expected)
  })

  it("knows why a scenario may fail, per revision", () => {
    expect(reasonToFail(listed, "2025-11-25", "known")).toBe("later: reason")
    expect(reasonToFail(listed, "2026-07-28", "known")).toBeUndefined()
  })

  it("finds listed names that the suite does not have", () => {
    const scenarios = [{ name: "other", group: "scored" }]
    expect(unknownNames(listed, "2025-11-25", scenarios)).toEqual(["known"])
  })

  it.each([
    ["2025-11-25", ["initialize", "tools_call", "json-schema-2020-12-preservation"]],
    [
      "2026-07-28",
      [
        "tools_call",
        "request-metadata",
        "http-standard-headers",
        "json-schema-ref-no-deref",
        "json-schema-2020-12-preservation",
      ],
    ],
  ])("excuses none of the scenarios promised for %s", (revision, promised) => {
    for (const name of promised) {
      expect(reasonToFail(readExpectedFailures(), revision, name)).toBeUndefined()
    }
  })
})

describe("a requirement set", () => {
  it("is read from the suite's own list", () => {
    const text = [
      "Required for 2025-11-25 (3 scenarios, frozen; run at the 2025-11-25 wire):",
      "",
      "Server scenarios (test against a server):",
      "  - ping",
      "",
      "Client scenarios (test against a client):",
      "  - initialize",
      "  - auth/basic-cimd",
      "",
      "Run and reported, but never scored:",
      "  extension (2):",
      "    - auth/dpop [client]",
      "    - tasks-lifecycle [server]",
      "  added-after-release (1):",
      "    - json-schema-2020-12-preservation [client]",
    ].join("\n")
    expect(parseRequirementSet(text)).toEqual([
      { name: "initialize", group: "scored" },
      { name: "auth/basic-cimd", group: "scored" },
      { name: "auth/dpop", group: "extension" },
      { name: "json-schema-2020-12-preservation", group: "added-after-release" },
    ])
  })
})
