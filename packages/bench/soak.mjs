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

/** A heap that is flat moves by less than this, in bytes: caches of the runtime fill up for a while. */
const heapTolerance = 1_500_000

const verdicts = memoryVerdicts()
const open = (transport) => connect(transport, { verdicts, reconnect: "never" })

const cycle = async (transport) => {
  const client = await open(transport)
  await client.callTool({ name: "tool-00000", arguments: { n: 1 } })
  await client.close()
}

const repeat = async (count, work, label) => {
  for (let done = 0; done < count; done++) {
    if (done % 100 === 0) process.stderr.write(`\r${label} ${done}/${count}   `)
    await work()
  }
  process.stderr.write(`\r${" ".repeat(60)}\r`)
}

/** What changed between two readings; only growth counts. */
const grown = (before, after) => {
  const changes = { "heap kB": Math.round((after.heap - before.heap) / 1000) }
  for (const key of ["timers", "handles", "listeners", "children"]) {
    changes[key] = after[key] - before[key]
  }
  return changes
}

const isFlat = ({ "heap kB": heap, ...counts }) =>
  heap * 1000 < heapTolerance && Object.values(counts).every((change) => change <= 0)

const soakCycles = async (name, transport) => {
  await repeat(Math.min(cycles, 50), () => cycle(transport), `${name}: warming up`)
  const before = await read()
  await repeat(cycles, () => cycle(transport), `${name}: open and close`)
  return grown(before, await read())
}

const soakCalls = async (name, transport) => {
  const client = await open(transport)
  const call = async (n) => {
    const result = await client.callTool({ name: "tool-00000", arguments: { n } })
    return result.content[0].text
  }
  const batch = Math.ceil(calls / 10)
  const run = callsWith(call)
  await run(batch, 32)
  const before = await read()
  const heaps = []
  for (let round = 0; round < 10; round++) {
    process.stderr.write(`\r${name}: ${round * batch} calls   `)
    await run(batch, 32)
    heaps.push(await heapNow())
  }
  process.stderr.write(`\r${" ".repeat(60)}\r`)
  const change = grown(before, await read())
  await client.close()
  return { change, heaps }
}

const rows = []
const failures = []
const record = (name, what, change) => {
  rows.push({ transport: name, what, ...change, flat: isFlat(change) ? "yes" : "NO" })
  if (!isFlat(change)) failures.push(`${name}, ${what}`)
}

for (const name of names) {
  const { transport, close } = await places[name]()
  record(name, `${cycles} opens and closes`, await soakCycles(name, transport))
  const { change, heaps } = await soakCalls(name, transport)
  record(name, `${calls} calls`, change)
  const shown = heaps.map((heap) => (heap / 1e6).toFixed(1)).join(" ")
  console.log(`${name}: heap in MB after each tenth of the calls: ${shown}`)
  await close()
}
console.table(rows)
if (failures.length > 0) console.error(`Grew: ${failures.join("; ")}`)
process.exit(failures.length === 0 ? 0 : 1)
