// `pnpm stream [--count N] [--only stdio|http]`: reads a list of 100,000 tools from a real server, with each client in a
// process of its own, and shows how soon the first tool comes, how long all take, and what the heap gains on the way.
// Exits with 1 where a stream holds more than the names of what it has delivered.
import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { parseArgs, promisify } from "node:util"
import { readers } from "./stream/readers.mjs"

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "100000" },
    only: { type: "string" },
  },
})
const count = Number(values.count)
const ways = ["stdio", "http"].filter((way) => (values.only ?? way) === way)
// More than a walk brings by default would end it, and tenths have to be whole.
if (ways.length === 0 || !(count >= 10 && count <= 100_000 && count % 10 === 0)) {
  console.error("Usage: pnpm stream [--count N up to 100000, in tens] [--only stdio|http]")
  process.exit(1)
}

/**
 * What a stream may gain per tool in the second half, in bytes: its name, so that none is delivered twice, a place
 * for it, and the output schema of the first 10,000 that have one.
 */
const bytesPerTool = 250

const file = (name) => fileURLToPath(new URL(`stream/${name}`, import.meta.url))

const open = async (way, era) => {
  const args = [file("served.mjs"), way, era, String(count)]
  if (way === "stdio") {
    return { target: { transport: way, command: process.execPath, args }, close: () => {} }
  }
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] })
  const [port] = await once(child.stdout.setEncoding("utf8"), "data")
  const url = `http://127.0.0.1:${port.trim()}/mcp`
  return { target: { transport: way, url }, close: () => child.kill() }
}

const run = async (name, target) => {
  const args = [file("read.mjs"), name, JSON.stringify(target), String(count)]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return JSON.parse(stdout)
}

const megabytes = (bytes) => (bytes / 1e6).toFixed(1)

const rows = []
const grown = []
for (const way of ways) {
  for (const era of ["legacy", "modern"]) {
    const { target, close } = await open(way, era)
    for (const [name, { eras, streams }] of Object.entries(readers)) {
      if (!eras.includes(era)) continue
      process.stderr.write(`\r${way}, ${era}: ${name}        `)
      const { firstMs, totalMs, heaps } = await run(name, target)
      process.stderr.write(`\r${" ".repeat(70)}\r`)
      const perTool = (heaps[9] - heaps[4]) / (0.5 * count)
      if (streams && perTool > bytesPerTool) grown.push(`${name} over ${way}, ${era}`)
      console.log(
        `${way}, ${era}, ${name}: heap in MB after each tenth: ${heaps.map(megabytes).join(" ")}`,
      )
      rows.push({
        over: way,
        era,
        reader: name,
        "first (ms)": Math.round(firstMs),
        "all (s)": (totalMs / 1000).toFixed(2),
        "tools/s": Math.round(count / (totalMs / 1000)),
        "heap (MB)": megabytes(heaps[9]),
        "bytes per tool": Math.round(perTool),
      })
    }
    close()
  }
}
console.table(rows)
if (grown.length > 0) console.error(`Grew with the list: ${grown.join("; ")}`)
process.exit(grown.length === 0 ? 0 : 1)
