import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { requirementSet } from "../requirement-set.mjs"
import { runScenario } from "../scenario-run.mjs"
import { findSuite } from "../suite.mjs"
import { verdict, type Verdict } from "../verdict.mjs"

const suite = findSuite()
const here = "missing" in suite ? undefined : suite
const fixture = fileURLToPath(new URL("fixtures/raw-client.mjs", import.meta.url))

const judge = async (behaviour: string, scenario: string, timeoutMs = 60_000): Promise<Verdict> => {
  if (here === undefined) throw new Error("The suite is not here")
  return verdict(
    await runScenario({
      suite: here,
      command: [process.execPath, fixture, behaviour],
      scenario: { name: scenario, group: "scored" },
      revision: "2025-11-25",
      timeoutMs,
    }),
  )
}

// Each test starts the real suite, which takes a second or two.
describe.skipIf(here === undefined)(
  "the runner of the official suite",
  { timeout: 120_000 },
  () => {
    it("passes a client that does what the scenario asks for", async () => {
      expect(await judge("works", "tools_call")).toEqual({ passed: true, made: 2, problems: [] })
    })

    it("fails a client that misses a check, and names the check", async () => {
      const { passed, problems } = await judge("forgets-the-call", "tools_call")
      expect(passed).toBe(false)
      expect(problems).toEqual(["FAILURE tool-add-numbers: Tool was not called by client"])
    })

    it("fails a client that sends nothing, although the suite then finds nothing wrong", async () => {
      expect(await judge("sends-nothing", "initialize")).toEqual({
        passed: false,
        made: 0,
        problems: ["no check was made"],
      })
    })

    it("fails a client that never ends, even if its checks passed", async () => {
      const { passed, problems } = await judge("never-ends", "tools_call", 4000)
      expect(passed).toBe(false)
      // On a slow machine the checks may be missing as well.
      expect(problems).toContain("the client did not end within 4000 ms")
    })

    it("fails a client that ends with an exit code, although its checks passed", async () => {
      const { passed, problems } = await judge("exits-with-3", "tools_call")
      expect(passed).toBe(false)
      expect(problems).toEqual(["the client ended with exit code 3"])
    })

    it("fails a client that is killed, which the suite itself reports as exit code 0", async () => {
      const { passed, problems } = await judge("is-killed", "tools_call")
      expect(passed).toBe(false)
      expect(problems).toEqual(["the client died before it had finished"])
    })

    it.each([
      ["2025-11-25", 18],
      ["2026-07-28", 32],
    ])("finds the scored client scenarios of %s", (revision, count) => {
      if (here === undefined) throw new Error("The suite is not here")
      const scenarios = requirementSet(here, revision)
      expect(scenarios.filter(({ group }) => group === "scored")).toHaveLength(count)
      expect(scenarios).toContainEqual({
        name: "json-schema-2020-12-preservation",
        group: "added-after-release",
      })
    })
  },
)
