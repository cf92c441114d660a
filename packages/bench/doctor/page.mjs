// docs/doctor/misbehaviours.md: what the doctor says of every misbehaviour.
import { writeFileSync } from "node:fs"

const page = new URL("../../../docs/doctor/misbehaviours.md", import.meta.url)
const catalogue = "../../packages/testkit/MISBEHAVIOURS.md"

const row = (cells) => `| ${cells.join(" | ")} |`
const escaped = (text) => text.replaceAll(/[\\`*_<>|]/g, String.raw`\$&`)
const anchor = (heading) => heading.toLowerCase().replaceAll(/[^a-z0-9]/g, "")
const percent = (share) => `${Math.round(share * 100)} %`

const said = ({ hypotheses, remarks }) => {
  const [first] = hypotheses
  if (first !== undefined) {
    return `\`${first.code}\`, family ${first.family}, ${percent(first.confidence)}<br>${escaped(first.title)}`
  }
  return remarks.length === 0 ? "nothing" : remarks.map(({ code }) => `note \`${code}\``).join(", ")
}

const rowOf = ({ group, misbehaviour: { name, sentence, try: attempt }, scene, diagnosis }) =>
  row([
    `[\`${name}\`](${catalogue}#${anchor(group)})<br>${escaped(sentence)}`,
    `${scene.over}, ${scene.era}${attempt === "call-echo" ? "<br>only on a call" : ""}`,
    diagnosis.verdict,
    said(diagnosis),
  ])

const table = (jobs) => [
  row(["the server", "over", "verdict", "first hypothesis"]),
  row(Array.from({ length: 4 }, () => "---")),
  ...jobs.map(rowOf),
]

/** Writes the page from one run. */
export const writePage = (jobs, { took, limits }) => {
  const of = (verdict) => jobs.filter(({ diagnosis }) => diagnosis.verdict === verdict).length
  const lines = [
    "# The doctor and every misbehaviour",
    "",
    `What \`entente doctor\` says of the ${jobs.length} [misbehaviours](${catalogue}) of \`@entente/testkit\`, each in its first scene. This page`,
    "is written by one run of `pnpm diagnose`; nothing in it is written by hand.",
    "",
    `${of("failed")} failed, ${of("degraded")} degraded, ${of("healthy")} healthy, in ${Math.round(took / 1_000)} s. Each answer had ${limits.timeoutMs / 1_000} s.`,
    "",
    "The doctor asks where the tools are and never calls one. So a server that lists its tools well and misbehaves only when one is",
    "called is healthy here, and so is one whose deviation costs nothing: the client tolerates it, and the note is shown.",
    "",
  ]
  for (const group of new Set(jobs.map((job) => job.group))) {
    lines.push(`## ${group}`, "", ...table(jobs.filter((job) => job.group === group)), "")
  }
  writeFileSync(page, `${lines.join("\n").trimEnd()}\n`)
}
