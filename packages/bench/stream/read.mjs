// One reader in a process of its own: `read.mjs READER TARGET COUNT`. It reads the list twice, once for the time and once
// with pauses in which the heap is measured, and prints what it found as JSON.
import { heapNow } from "../soak/state.mjs"
import { readers } from "./readers.mjs"

const [name, target, count] = [
  process.argv[2],
  JSON.parse(process.argv[3]),
  Number(process.argv[4]),
]
const { read } = readers[name]

const check = (seen) => {
  if (seen !== count) throw new Error(`${name} brought ${seen} of ${count} tools`)
}

const timed = async () => {
  const from = performance.now()
  let [seen, firstMs] = [0, 0]
  await read(target, (tool) => {
    if (seen++ === 0) firstMs = performance.now() - from
    if (tool.inputSchema.type !== "object") throw new Error("No schema")
  })
  check(seen)
  return { firstMs, totalMs: performance.now() - from }
}

const weighed = async () => {
  const before = await heapNow()
  const heaps = []
  let seen = 0
  await read(target, () =>
    ++seen % (count / 10) === 0
      ? heapNow().then((heap) => void heaps.push(heap - before))
      : undefined,
  )
  check(seen)
  return heaps
}

// The first reading also warms up what the runtime compiles and fills once.
const times = await timed()
console.log(JSON.stringify({ ...times, heaps: await weighed() }))
process.exit()
