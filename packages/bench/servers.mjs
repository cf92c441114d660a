// `pnpm servers [--rounds N] [--processes N]`: a hundred servers in one catalog, most of them good, the others
// slow, dead, refusing, changing, huge or crashing; and the same without one that is dead. Every run has a process
// of its own, and the two take turns. Exits with 1 where a server did not show its tools that could have.
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { parseArgs, promisify } from "node:util"
import { machine } from "./report.mjs"
import { median } from "./rounds.mjs"

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "3" }, processes: { type: "string" } },
})
const rounds = Number(values.rounds)
if (!(rounds >= 1)) {
  console.error("Usage: pnpm servers [--rounds N] [--processes N]")
  process.exit(1)
}

const file = fileURLToPath(new URL("servers/run.mjs", import.meta.url))
const run = async (extra) => {
  const processes = values.processes === undefined ? [] : ["--processes", values.processes]
  const options = { maxBuffer: 64 * 1024 * 1024 }
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [file, ...extra, ...processes],
    options,
  )
  return JSON.parse(stdout)
}

/** One that hangs without a word: what a dead server costs the others shows in the difference. */
const variants = {
  "all 100": [],
  "without one that is dead": ["--without", "stdio-mute-legacy-0"],
}
const results = Object.fromEntries(Object.keys(variants).map((name) => [name, []]))
for (let round = 1; round <= rounds; round++) {
  const order = Object.entries(variants)
  for (const [name, extra] of round % 2 === 0 ? order.toReversed() : order) {
    process.stderr.write(`\rround ${round} of ${rounds}: ${name}          `)
    results[name].push(await run(extra))
  }
}
process.stderr.write(`\r${" ".repeat(60)}\r`)

const figures = {
  "first tool, ms": ({ firstMs }) => firstMs,
  "processor time until then, ms": ({ firstCpuMs }) => firstCpuMs,
  "half of those that can be, ms": ({ came }) => came.map(([, at]) => at)[came.length >> 1],
  "all in memory, ms": ({ lastMs }) => lastMs.memory,
  "all over HTTP, ms": ({ lastMs }) => lastMs.http,
  "all over stdio, ms": ({ lastMs }) => lastMs.stdio,
  "all that can be, ms": ({ allMs }) => allMs,
  "processor time until then, of the host, ms": ({ cpuMs }) => cpuMs,
  tools: ({ tools }) => tools,
  "changes told": ({ changes }) => changes,
  "heap of the catalog, MB": ({ heapMb }) => heapMb,
  "rss, MB": ({ rssMb }) => rssMb,
  "first search, ms": ({ firstSearchMs }) => firstSearchMs,
  "a further search, ms": ({ searchMs }) => searchMs,
  "reading tools once, µs": ({ readMicros }) => readMicros,
  "closing all, ms": ({ closeMs }) => closeMs,
}

const shown = (number) =>
  number < 10 ? number.toFixed(1) : Math.round(number).toLocaleString("en")
const cell = (measured) =>
  `${shown(median(measured))} (${shown(Math.min(...measured))}–${shown(Math.max(...measured))})`

console.log(`${machine()}; ${rounds} rounds, medians with the lowest and the highest\n`)
const names = Object.keys(variants)
console.log(`| | ${names.join(" | ")} |\n| --- | ${names.map(() => "---:").join(" | ")} |`)
for (const [figure, of] of Object.entries(figures)) {
  console.log(`| ${figure} | ${names.map((name) => cell(results[name].map(of))).join(" | ")} |`)
}
const [{ servers, expected, states, trouble }] = results["all 100"]
const listed = (counts) =>
  Object.entries(counts)
    .map(([what, count]) => `${count} ${what}`)
    .join(", ")
console.log(
  `\n${servers} servers, ${expected} with tools. In the end: ${listed(states)}; trouble: ${listed(trouble)}.`,
)
const missing = Object.values(results).flatMap((all) => all.flatMap((result) => result.missing))
if (missing.length > 0) console.error(`Never came: ${[...new Set(missing)].join(", ")}`)
process.exit(missing.length === 0 ? 0 : 1)
