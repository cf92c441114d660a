// Which client scenarios a revision asks for, as the suite itself lists them.
import { execFileSync } from "node:child_process"

/** Revisions the suite has a requirement set for. */
export const revisions = ["2025-11-25", "2026-07-28"]

/**
 * Reads the answer of `conformance list --client --requirements <revision>`: scored scenarios are
 * one list, the rest stands in groups with a reason (`extension`, `added-after-release`, …).
 */
export const parseRequirementSet = (text) => {
  const scenarios = []
  let heading = ""
  for (const line of text.split("\n")) {
    const scored = /^ {2}- (\S+)$/.exec(line)
    const unscored = /^ {4}- (\S+) \[client\]$/.exec(line)
    if (scored !== null && heading === "client")
      scenarios.push({ name: scored[1], group: "scored" })
    else if (unscored !== null) scenarios.push({ name: unscored[1], group: heading })
    else if (line.startsWith("Client scenarios")) heading = "client"
    else if (line.startsWith("Server scenarios")) heading = "server"
    else heading = /^ {2}([a-z-]+) \(\d+\):$/.exec(line)?.[1] ?? heading
  }
  return scenarios
}

/** The client scenarios of a revision, in the suite's order: `{ name, group }`. */
export const requirementSet = (suite, revision) => {
  const text = execFileSync(
    suite.node,
    [suite.entry, "list", "--client", "--requirements", revision],
    { encoding: "utf8" },
  )
  const scenarios = parseRequirementSet(text)
  if (!scenarios.some(({ group }) => group === "scored")) {
    throw new Error(`The suite lists no client scenario for ${revision}:\n${text}`)
  }
  return scenarios
}
