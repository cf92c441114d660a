// docs/faults.md: what came of every cell.
import { writeFileSync } from "node:fs"
import process from "node:process"
import { cpus } from "node:os"
import { cellText, marks } from "./cell-text.mjs"
import { clientLimit, probeLimit, stepLimit } from "./limits.mjs"

const page = new URL("../../../docs/faults.md", import.meta.url)
const catalogue = "../packages/testkit/MISBEHAVIOURS.md"

const row = (cells) => `| ${cells.join(" | ")} |`
const rule = (count) => row(Array.from({ length: count }, () => "---"))
const seconds = (ms) => `${ms / 1_000} s`
const anchor = (heading) => heading.toLowerCase().replaceAll(/[^a-z0-9]/g, "")

/** How often each verdict was given. */
const tally = (jobs, name) => {
  const verdicts = jobs.filter(({ client }) => client.name === name).map(({ cell }) => cell.verdict)
  const of = (wanted) => verdicts.filter((verdict) => verdict === wanted).length
  return {
    met: of("met"),
    silent: of("silent"),
    missed: of("missed"),
    unmet: of("unmet"),
    all: verdicts.length,
  }
}

const totals = (jobs, clients, count) => [
  row(["client", "version", "✓ met", "◐ silent", "✗ missed", "– no occasion", "no such transport"]),
  rule(7),
  ...clients.map(({ name, title, source }) => {
    const { met, silent, missed, unmet, all } = tally(jobs, name)
    return row([`**${title}**`, source, met, silent, missed, unmet, count - all])
  }),
]

const byGroup = (groups, jobs, clients) => [
  row(["group", ...clients.map(({ title }) => `${title} (✓ ◐ ✗ of cells)`)]),
  rule(clients.length + 1),
  ...groups.map(([group]) =>
    row([
      `[${group}](#${anchor(group)})`,
      ...clients.map(({ name }) => {
        const { met, silent, missed, unmet, all } = tally(
          jobs.filter((job) => job.group === group),
          name,
        )
        return all === 0 ? "no such transport" : `${met} ${silent} ${missed} of ${all - unmet}`
      }),
    ]),
  ),
]

const escaped = (text) => text.replaceAll(/[\\`*_<>|]/g, String.raw`\$&`)

const groupTable = ([group, misbehaviours], jobs, clients) => [
  `## ${group}`,
  "",
  row(["the server", ...clients.map(({ title }) => title)]),
  rule(clients.length + 1),
  ...misbehaviours.map(({ name, sentence }) =>
    row([
      `[\`${name}\`](${catalogue}#${anchor(group)})<br>${escaped(sentence)}`,
      ...clients.map((client) =>
        cellText(
          jobs.find((job) => job.misbehaviour.name === name && job.client.name === client.name)
            ?.cell,
        ),
      ),
    ]),
  ),
  "",
]

/** Writes the page from the cells of one run. */
export const writePage = ({ groups, jobs, clients, took }) => {
  const count = groups.reduce((sum, [, misbehaviours]) => sum + misbehaviours.length, 0)
  const lines = [
    "# Faults",
    "",
    `What three clients make of the ${count} [misbehaviours](${catalogue}) of \`@entente/testkit\`, each in its first scene. This page is`,
    "written by one run of `pnpm faults`; nothing in it is written by hand.",
    "",
    `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${cpus().length} CPUs; ${jobs.length} cells in ${took} s.`,
    "",
    ...totals(jobs, clients, count),
    "",
    "How a cell is made:",
    "",
    "- The client does what the misbehaviour wants tried (connect, list, call, wait), against a real server, in a process of its own that",
    "  is replaced when it hangs or crashes. Then it closes.",
    `- All clients get the same limit for a handshake and for a request: ${seconds(clientLimit)}. A probe of the era over stdio may take ${seconds(probeLimit)}. What has not`,
    `  ended after ${seconds(stepLimit)} is torn down, and the cell says so. Everything else is left as each client has it by default;`,
    "  only keep-alive, which is off in Entente, is on there (700 ms), so that servers without ping are met.",
    '- The official client negotiates the era (`versionNegotiation: { mode: "auto" }`), as Entente does. `effect/ai` does not negotiate: it is',
    "  given the revision of the scene's era, 2025-11-25 or 2026-07-28.",
    "- The words are the client's own, cut and without ports and paths. The mark is judged by",
    "  [rules](../packages/bench/faults/expectations.mjs) made from the outcome that the catalogue names, from what the client gave and from",
    "  what the server received. In every cell the client must also end in time, throw nothing into the void, close without an error, and",
    "  leave no process.",
    `- ${marks.met} it does and says what the outcome demands. ${marks.silent} it does the right thing, but its error does not say what the outcome demands. ${marks.missed} it`,
    `  does something else. ${marks.unmet} this client never does what the server misbehaves at. Notes and error codes are asked of Entente alone.`,
    "- What a client lets through to the terminal (stderr of a server, warnings) counts for nothing: only results, errors and notes do.",
    "- Entente's note `listening-unsupported` is shown where the GET stream is the subject; nearly every server here earns it.",
    "- A cell that failed only because it took too long is made again, alone.",
    "",
    ...byGroup(groups, jobs, clients),
    "",
    ...groups.flatMap((group) => groupTable(group, jobs, clients)),
  ]
  writeFileSync(page, `${lines.join("\n").trimEnd()}\n`)
}
