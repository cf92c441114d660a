// Rounds of one workload over one transport: all contestants interleaved, each on one connection
// that stays open, the order rotated from round to round, so that a busy moment hits everybody.
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { openContestant } from "./contestants.mjs"

setFlagsFromString("--expose-gc")
/** Nobody pays for the garbage of the one before. */
const collectGarbage = runInNewContext("gc")

export const median = (numbers) => {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** Processor time of this process, which a busy machine changes less than the clock's time. */
const cpuMilliseconds = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Contestant → `{ values, cpu }`, one of each for a round; `cpu` is milliseconds per call or list. */
export const runRounds = async ({ workload, contestants, target, rounds, warmUps }) => {
  const taking = contestants.filter(({ over }) => over.includes(target.transport))
  const opened = []
  for (const contestant of taking) {
    opened.push({
      name: contestant.name,
      values: [],
      cpu: [],
      connection: await openContestant(contestant, target),
    })
  }
  for (let round = -warmUps; round < rounds; round++) {
    const first = (round + warmUps) % opened.length
    for (const each of [...opened.slice(first), ...opened.slice(0, first)]) {
      collectGarbage()
      const before = cpuMilliseconds()
      const value = await workload.run(each.connection)
      if (round < 0) continue
      each.values.push(value)
      each.cpu.push((cpuMilliseconds() - before) / workload.calls)
    }
  }
  for (const { connection } of opened) await connection.close()
  return new Map(opened.map(({ name, values, cpu }) => [name, { values, cpu }]))
}
