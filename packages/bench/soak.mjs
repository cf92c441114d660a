// `pnpm soak [--cycles N] [--calls N] [--only NAME]`: opens and closes a connection over each transport
// many times, makes many calls over one, and shows what is left of them. Exits with 1 where anything grew.
import { parseArgs } from "node:util"
import { connect, memoryVerdicts } from "@entente/client"
import { places } from "./soak/places.mjs"
import { heapNow, read } from "./soak/state.mjs"
import { callsWith } from "./workloads.mjs"

const { values } = parseArgs({
  options: {
    cycles: { type: "string", default: "1000" },
    calls: { type: "string", default: "100000" },
    only: { type: "string" },
  },
})
const [cycles, calls] = [Number(values.cycles), Number(values.calls)]
const names = Object.keys(places).filter((name) => (values.only ?? name) === name)
if (names.length === 0 || !(cycles >= 1) || !(calls >= 1)) {
  console.error(
    `Usage: pnpm soak [--cycles N] [--calls N] [--only "${Object.keys(places).join('"|"')}"]`,
  )
  process.exit(1)
}

// A pipe that is first written to is a handle that was not there before: this script's own.
for (const output of [process.stdout, process.stderr]) output.write("")

/**
 * What a heap that is flat may gain in the second half of the work, in bytes. In the first half the
 * runtime still compiles and fills its caches: over memory it settles within two thousand cycles.
 */
const heapTolerance = 500_000

const verdicts = memoryVerdicts()
const open = (transport) => connect(transport, { verdicts, reconnect: "never" })

const cycle = async (transport) => {
  const client = await open(transport)
  await client.callTool({ name: "tool-00000", arguments: { n: 1 } })
  await client.close()
}

/** Does the work in tenths, with a reading of the heap after each. */
const inTenths = async (label, work) => {
  const heaps = []
  for (let tenth = 0; tenth < 10; tenth++) {
    process.stderr.write(`\r${label}: ${tenth} tenths done   `)
    await work()
    heaps.push(await heapNow())
  }
  process.stderr.write(`\r${" ".repeat(60)}\r`)
  return heaps
}

/** What changed between two readings, and over the second half of the heaps; only growth counts. */
const grown = (before, after, heaps) => {
  const changes = { "heap kB": Math.round((heaps[9] - heaps[4]) / 1000) }
  for (const key of ["timers", "handles", "listeners", "children"]) {
    changes[key] = after[key] - before[key]
  }
  return changes
}

const isFlat = ({ "heap kB": heap, ...counts }) =>
  heap * 1000 < heapTolerance && Object.values(counts).every((change) => change <= 0)

const soakCycles = async (name, transport) => {
  await cycle(transport)
  const before = await read()
  const heaps = await inTenths(`${name}, opens and closes`, async () => {
    for (let done = 0; done < cycles / 10; done++) await cycle(transport)
  })
  return { change: grown(before, await read(), heaps), heaps }
}

const soakCalls = async (name, transport) => {
  const client = await open(transport)
  const call = async (n) => {
    const result = await client.callTool({ name: "tool-00000", arguments: { n } })
    return result.content[0].text
  }
  const run = callsWith(call)
  await run(100, 32)
  const before = await read()
  const heaps = await inTenths(`${name}, calls`, () => run(Math.ceil(calls / 10), 32))
  const change = grown(before, await read(), heaps)
  await client.close()
  return { change, heaps }
}

const rows = []
const failures = []
const record = (name, what, { change, heaps }) => {
  rows.push({ transport: name, what, ...change, flat: isFlat(change) ? "yes" : "NO" })
  if (!isFlat(change)) failures.push(`${name}, ${what}`)
  const shown = heaps.map((heap) => (heap / 1e6).toFixed(1)).join(" ")
  console.log(`${name}, ${what}: heap in MB after each tenth: ${shown}`)
}

for (const name of names) {
  const { transport, close } = await places[name]()
  record(name, `${cycles} opens and closes`, await soakCycles(name, transport))
  record(name, `${calls} calls`, await soakCalls(name, transport))
  await close()
}
console.table(rows)
if (failures.length > 0) console.error(`Grew: ${failures.join("; ")}`)
process.exit(failures.length === 0 ? 0 : 1)
