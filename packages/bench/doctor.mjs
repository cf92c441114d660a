// `pnpm diagnose`: what the doctor says of every misbehaviour of the testkit; writes docs/doctor/misbehaviours.md.
import { parseArgs } from "node:util"
import { examine } from "@entente/doctor"
import { misbehaviourGroups, startMisbehaviour } from "@entente/testkit/node"
import { writePage } from "./doctor/page.mjs"
import { patientOf } from "./doctor/patient.mjs"

const { values: options } = parseArgs({
  options: {
    only: { type: "string", multiple: true },
    group: { type: "string", multiple: true },
    lanes: { type: "string", default: "6" },
    print: { type: "boolean", default: false },
  },
})

/** Milliseconds for each answer, and before an empty list is read once more. */
const limits = { timeoutMs: 4_000, waitMs: 500 }

const chosen = (given, name) => given === undefined || given.includes(name)

const jobs = Object.entries(misbehaviourGroups)
  .filter(([group]) => chosen(options.group, group))
  .flatMap(([group, misbehaviours]) =>
    misbehaviours
      .filter(({ name }) => chosen(options.only, name))
      .map((misbehaviour) => ({ group, misbehaviour })),
  )

const run = async (job) => {
  const started = await startMisbehaviour(job.misbehaviour.name)
  job.scene = started.scene
  try {
    job.diagnosis = (await examine(patientOf(started.target), limits)).diagnosis
  } finally {
    await started.close()
  }
  const { diagnosis } = job
  const [first] = diagnosis.hypotheses
  process.stderr.write(`${job.misbehaviour.name}: ${diagnosis.verdict} ${first?.code ?? ""}\n`)
  if (options.print) console.log(JSON.stringify(diagnosis, null, 2))
}

/** What fills the memory goes after the rest, one by one. */
const heavy = ({ group }) => group === "sizes"

const inLanes = async (list, lanes) => {
  const queue = [...list]
  const lane = async () => {
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) await run(job)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

const began = performance.now()
await inLanes(
  jobs.filter((job) => !heavy(job)),
  Number(options.lanes),
)
await inLanes(jobs.filter(heavy), 1)
const took = performance.now() - began

if (options.only === undefined && options.group === undefined) writePage(jobs, { took, limits })
// A server that misbehaves for ever may leave a socket behind that this process would wait for.
process.exit(0)
