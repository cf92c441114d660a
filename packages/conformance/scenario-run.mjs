// One scenario, one process of the suite, one process of the client under test.
import { spawn } from "node:child_process"
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

const onWindows = process.platform === "win32"

/**
 * The suite hands its `--command` to a shell. `exec` leaves no shell between the two, so the suite's
 * kill after a time-out reaches the client.
 */
const shellCommand = (words) =>
  onWindows
    ? words.map((word) => `"${word}"`).join(" ")
    : `exec ${words.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(" ")}`

/** Ends the suite and whatever it started; nothing may survive into the next scenario. */
const endGroup = (child) => {
  try {
    process.kill(onWindows ? child.pid : -child.pid, "SIGKILL")
  } catch {
    // Nothing of it was left.
  }
}

const runSuite = (suite, args, deadlineMs) =>
  new Promise((resolve, reject) => {
    const child = spawn(suite.node, [suite.entry, ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      detached: !onWindows,
    })
    let output = ""
    let overdue = false
    const collect = (chunk) => {
      output += chunk
    }
    child.stdout.setEncoding("utf8").on("data", collect)
    child.stderr.setEncoding("utf8").on("data", collect)
    const deadline = setTimeout(() => {
      overdue = true
      endGroup(child)
    }, deadlineMs)
    child.once("error", reject)
    child.once("close", (exitCode) => {
      clearTimeout(deadline)
      endGroup(child)
      resolve({ exitCode, overdue, output })
    })
  })

/** The files the suite leaves in `<results>/<scenario>-<time>/`; a missing one is undefined. */
const readResults = async (results) => {
  const checks = (await readdir(results, { recursive: true })).find((path) =>
    path.endsWith("checks.json"),
  )
  if (checks === undefined) return { checks: undefined, stdout: "", stderr: "" }
  const folder = join(results, checks, "..")
  const [text, stdout, stderr] = await Promise.all(
    ["checks.json", "stdout.txt", "stderr.txt"].map((name) => readFile(join(folder, name), "utf8")),
  )
  return { checks: JSON.parse(text), stdout, stderr }
}

/**
 * Runs a client (`command`: program and arguments; the suite adds the server's URL) through one
 * scenario. Returns what happened without judging it; see `verdict.mjs`.
 */
export const runScenario = async ({ suite, command, scenario, revision, timeoutMs = 60_000 }) => {
  const results = await mkdtemp(join(tmpdir(), "conformance-"))
  try {
    const args = ["client", "--command", shellCommand(command), "--scenario", scenario.name]
    args.push("--spec-version", revision, "--timeout", String(timeoutMs), "--output-dir", results)
    // Extensions belong to no revision: the suite skips them unless told not to.
    if (scenario.group === "extension") args.push("--force")
    const run = await runSuite(suite, args, timeoutMs + 10_000)
    return { ...run, ...(await readResults(results)), timeoutMs }
  } finally {
    await rm(results, { recursive: true, force: true })
  }
}
