// `pnpm tap:latency [--calls N] [--rounds N] [--only stdio|http]`: what `entente tap` adds to a call, over stdio and
// HTTP. The same calls, one after the other, go to the same plain server directly and through the tap, in turns.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { Agent, request as httpRequest } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { machine } from "./report.mjs"
import { median } from "./rounds.mjs"
import { openTarget } from "./target.mjs"

const { values: options } = parseArgs({
  options: {
    calls: { type: "string", default: "2000" },
    rounds: { type: "string", default: "5" },
    only: { type: "string" },
  },
})
const calls = Number(options.calls)
const rounds = Number(options.rounds)
const ways = ["stdio", "http"].filter((way) => (options.only ?? way) === way)
if (ways.length === 0 || !(calls >= 10) || !(rounds >= 1)) {
  console.error("Usage: pnpm tap:latency [--calls N] [--rounds N] [--only stdio|http]")
  process.exit(1)
}

const entente = fileURLToPath(new URL("../cli/dist/main.js", import.meta.url))
const folder = await mkdtemp(join(tmpdir(), "entente-tap-bench-"))
let traces = 0
const tapArgs = () => [entente, "tap", "--quiet", "--trace", join(folder, `${++traces}.jsonl`)]

/** The largest answer of the server: 100 tools, some 40 kB. */
const messages = {
  "a call": (id) => ({ method: "tools/call", params: { name: "echo", arguments: { n: id } } }),
  "100 tools": () => ({ method: "tools/list", params: {} }),
}

/** No client: one line out, one line back. */
const openStdio = (command, args) => {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] })
  const ended = once(child, "close")
  let rest = ""
  let settle = () => {}
  child.stdout.setEncoding("utf8").on("data", (text) => {
    rest += text
    const end = rest.indexOf("\n")
    if (end < 0) return
    const line = rest.slice(0, end)
    rest = rest.slice(end + 1)
    settle(line)
  })
  return {
    call: (message) =>
      new Promise((resolve) => {
        settle = resolve
        child.stdin.write(`${JSON.stringify(message)}\n`)
      }),
    close: () => {
      child.stdin.end()
      return ended
    },
  }
}

/** No client: a POST on a connection that is kept. */
const openHttp = (url, close = () => {}) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  }
  return {
    call: async (message) => {
      const body = JSON.stringify(message)
      const asking = httpRequest(url, {
        method: "POST",
        agent,
        headers: { ...headers, "content-length": Buffer.byteLength(body) },
      })
      asking.end(body)
      const [answer] = await once(asking, "response")
      let text = ""
      for await (const chunk of answer.setEncoding("utf8")) text += chunk
      return text
    },
    close: () => {
      agent.destroy()
      return close()
    },
  }
}

const tapBefore = async (url) => {
  const child = spawn(process.execPath, [...tapArgs(), "--http", url], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  const [address] = await once(child.stdout.setEncoding("utf8"), "data")
  const close = async () => {
    child.kill("SIGTERM")
    await once(child, "exit")
  }
  return openHttp(address.trim(), close)
}

const open = {
  stdio: async ({ command, args }) => ({
    without: openStdio(command, args),
    tapped: openStdio(process.execPath, [...tapArgs(), "--", command, ...args]),
  }),
  http: async ({ url }) => ({ without: openHttp(url), tapped: await tapBefore(url) }),
}

/** Milliseconds of each call, one after the other. */
const measure = async ({ call }, message, count) => {
  const took = []
  for (let id = 1; id <= count; id++) {
    const begun = performance.now()
    const answer = JSON.parse(await call({ jsonrpc: "2.0", id, ...message(id) }))
    took.push(performance.now() - begun)
    if (answer.id !== id || answer.result === undefined) throw new Error(`no answer to ${id}`)
  }
  return took
}

const percentile = (numbers, share) =>
  numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) * share)]
const ms = (number) => number.toFixed(3)

console.log(`${machine()}; ${rounds} rounds of ${calls} calls, in milliseconds\n`)
console.log("| over | what | without: median | p99 | tapped: median | p99 | added (median) |")
console.log("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
for (const way of ways) {
  const { target, close } = await openTarget(way)
  const sides = await open[way](target)
  for (const [what, message] of Object.entries(messages)) {
    const took = { without: [], tapped: [] }
    for (const side of Object.values(sides)) await measure(side, message, calls >> 2)
    for (let round = 0; round < rounds; round++) {
      const order = Object.entries(sides)
      for (const [name, side] of round % 2 === 0 ? order : order.toReversed()) {
        took[name].push(...(await measure(side, message, calls)))
      }
    }
    const [without, tapped] = [median(took.without), median(took.tapped)]
    const cells = [
      ...[without, percentile(took.without, 0.99), tapped, percentile(took.tapped, 0.99)].map(ms),
      ms(tapped - without),
    ]
    console.log(`| ${way} | ${what} | ${cells.join(" | ")} |`)
  }
  for (const side of Object.values(sides)) await side.close()
  close()
}
await rm(folder, { recursive: true, force: true })
