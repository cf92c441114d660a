// `pnpm faults`: what Entente, the official client and `effect/ai` make of every misbehaviour.
import { cpus } from "node:os"
import { parseArgs } from "node:util"
import { misbehaviourGroups, scenesOf } from "@entente/testkit/node"
import { cellText } from "./faults/cell-text.mjs"
import { clients } from "./faults/clients.mjs"
import { mayBeSlow } from "./faults/judge.mjs"
import { cellLimit } from "./faults/limits.mjs"
import { writePage } from "./faults/page.mjs"
import { runCell } from "./faults/run-cell.mjs"
import { workerPool } from "./faults/worker-pool.mjs"

const { values: options } = parseArgs({
  options: {
    "all-scenes": { type: "boolean", default: false },
    check: { type: "boolean", default: false },
    only: { type: "string", multiple: true },
    group: { type: "string", multiple: true },
    client: { type: "string", multiple: true },
    lanes: { type: "string", default: String(cpus().length + 1) },
    print: { type: "boolean", default: false },
  },
})

const chosen = (given, name) => given === undefined || given.includes(name)
const allScenes = options["all-scenes"]
const wanted = clients.filter(({ name }) =>
  allScenes || options.check ? name === "entente" : chosen(options.client, name),
)
const groups = Object.entries(misbehaviourGroups).filter(([name]) => chosen(options.group, name))

/** Every cell that is to be made, with a place for what becomes of it. */
const jobs = groups.flatMap(([group, misbehaviours]) =>
  misbehaviours
    .filter(({ name }) => chosen(options.only, name))
    .flatMap((misbehaviour) =>
      scenesOf(misbehaviour)
        .slice(0, allScenes ? undefined : 1)
        .flatMap((scene) =>
          wanted
            .filter(({ over }) => over.includes(scene.over))
            .map((client) => ({ group, misbehaviour, scene, client })),
        ),
    ),
)

if (jobs.length === 0) {
  console.error(
    "Usage: pnpm faults [--check | --all-scenes] [--group NAME] [--only NAME] [--client NAME] [--print] [--lanes N]",
  )
  process.exit(2)
}

const pools = new Map(wanted.map(({ name }) => [name, workerPool(name)]))
const began = performance.now()
let done = 0

const runJob = async (job) => {
  const { misbehaviour, scene, client } = job
  job.cell = await runCell(misbehaviour, scene, client.name, (task) =>
    pools.get(client.name).run(task, cellLimit),
  )
  done += 1
  const where = allScenes ? ` ${scene.over} ${scene.era}` : ""
  const { verdict, missing } = job.cell
  if (verdict === "missed" || verdict === "silent" || options.print) {
    process.stderr.write(
      `${done}/${jobs.length} ${client.name}: ${misbehaviour.name}${where}: ${verdict}${missing.length > 0 ? ` (not: ${missing.join("; ")})` : ""}\n`,
    )
    if (options.print) process.stderr.write(`   ${cellText(job.cell)}\n`)
  }
}

/** What fills the processor or the memory goes after the rest, one by one. */
const heavy = ({ group, misbehaviour }) => group === "sizes" || misbehaviour.name === "stderr-flood"

const inLanes = async (list, lanes) => {
  const queue = [...list]
  const lane = async () => {
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) await runJob(job)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

await inLanes(
  jobs.filter((job) => !heavy(job)),
  Math.max(1, Number(options.lanes) || 1),
)
await inLanes(jobs.filter(heavy), 1)
const again = jobs.filter(({ cell }) => mayBeSlow(cell))
done -= again.length
await inLanes(again, 1)

for (const pool of pools.values()) pool.close()
const took = Math.round((performance.now() - began) / 1_000)

const count = (name, verdict) =>
  jobs.filter(({ client, cell }) => client.name === name && cell.verdict === verdict).length
for (const { name } of wanted) {
  console.log(
    `${name}: ${count(name, "met")} met, ${count(name, "silent")} without a word of it, ${count(name, "missed")} missed, ${count(name, "unmet")} not met with`,
  )
}
console.log(`${jobs.length} cells in ${took} s, ${again.length} of them twice`)

const whole = [options.only, options.group, options.client].every((given) => given === undefined)
if (whole && !allScenes && !options.check) writePage({ groups, jobs, clients, took })
if (options.check || allScenes) {
  process.exitCode = jobs.some(({ cell }) => cell.verdict !== "met") ? 1 : 0
}
process.exit()
