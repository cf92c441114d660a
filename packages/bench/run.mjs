// `pnpm bench [--quick] [--only stdio|http] [--rounds N] [--profile NAME]`: Entente, the official
// client and no client at all, interleaved in one run against one plain server.
import { EventEmitter } from "node:events"
import { parseArgs } from "node:util"
import { contestants } from "./contestants.mjs"
import { profileWorkload } from "./profile.mjs"
import { cpuTimes, figures, machine, ratios } from "./report.mjs"
import { runRounds } from "./rounds.mjs"
import { openTarget } from "./target.mjs"
import { workloads } from "./workloads.mjs"

// `fetch` adds a listener to the official client's one abort signal for each request, and Node warns
// about that with every further one. Without this the official client would be slower than it is.
EventEmitter.defaultMaxListeners = Number.MAX_SAFE_INTEGER
process.removeAllListeners("warning")

const { values: options } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string" },
    rounds: { type: "string" },
    profile: { type: "string" },
  },
})
const transports = ["stdio", "http"].filter((name) => (options.only ?? name) === name)
const rounds = Number(options.rounds ?? (options.quick ? 3 : 7))
const names = contestants.map(({ name }) => name)

if (transports.length === 0 || !(rounds >= 1) || ![undefined, ...names].includes(options.profile)) {
  console.error(
    "Usage: pnpm bench [--quick] [--only stdio|http] [--rounds N] " +
      `[--profile ${names.join("|")}]`,
  )
  process.exit(1)
}

const measure = async (transport) => {
  const { target, close } = await openTarget(transport)
  const results = []
  for (const workload of workloads(options.quick)) {
    process.stderr.write(`${transport}, ${workload.name} …\n`)
    const measured = await runRounds({ workload, contestants, target, rounds, warmUps: 2 })
    results.push({ transport, workload, measured })
  }
  close()
  return results
}

const profile = async (transport) => {
  const contestant = contestants.find(({ name }) => name === options.profile)
  if (!contestant.over.includes(transport)) return
  const { target, close } = await openTarget(transport)
  for (const workload of workloads(options.quick)) {
    await profileWorkload({ workload, contestant, target, rounds })
  }
  close()
}

if (options.profile === undefined) {
  const results = []
  for (const transport of transports) results.push(...(await measure(transport)))
  console.log(`${machine()}; median of ${rounds} rounds (lowest–highest)\n`)
  console.log(figures(results, names).join("\n"))
  console.log("")
  const pairs = [
    ["entente-promise", "official"],
    ["entente-effect", "official"],
    ["entente-promise", "floor"],
    ["official", "floor"],
  ]
  console.log(ratios(results, pairs).join("\n"))
  console.log("\nProcessor time of the client's process, per call or list:\n")
  console.log(cpuTimes(results, names).join("\n"))
} else {
  for (const transport of transports) await profile(transport)
}
