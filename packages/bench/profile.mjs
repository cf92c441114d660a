// A CPU profile of one contestant: where its own time goes.
import { writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { Session } from "node:inspector/promises"
import { basename, join } from "node:path"
import { openContestant } from "./contestants.mjs"

/** Self time of each function in milliseconds, most first. */
const selfTimes = ({ nodes, samples, timeDeltas }) => {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const times = new Map()
  for (const [index, id] of samples.entries()) {
    const { functionName, url, lineNumber } = frames.get(id)
    const place = url === "" ? "" : ` ${basename(url)}:${lineNumber + 1}`
    const name = `${functionName || "(anonymous)"}${place}`
    times.set(name, (times.get(name) ?? 0) + timeDeltas[index] / 1000)
  }
  return [...times].toSorted(([, a], [, b]) => b - a)
}

const printTop = (profile, count) => {
  const times = selfTimes(profile)
  const total = times.reduce((sum, [, time]) => sum + time, 0)
  for (const [name, time] of times.slice(0, count)) {
    console.log(
      `${time.toFixed(0).padStart(7)} ms ${((100 * time) / total).toFixed(1).padStart(5)} %  ${name}`,
    )
  }
}

/** Runs one workload warm, then again under the profiler; leaves `<contestant>-….cpuprofile`. */
export const profileWorkload = async ({ workload, contestant, target, rounds }) => {
  const connection = await openContestant(contestant, target)
  await workload.run(connection)
  const session = new Session()
  session.connect()
  await session.post("Profiler.enable")
  await session.post("Profiler.start")
  for (let round = 0; round < rounds; round++) await workload.run(connection)
  const { profile } = await session.post("Profiler.stop")
  session.disconnect()
  await connection.close()

  const title = `${contestant.name}, ${target.transport}, ${workload.name}`
  const file = join(tmpdir(), `${title.replaceAll(/[^a-z0-9]+/gi, "-")}.cpuprofile`)
  writeFileSync(file, JSON.stringify(profile))
  console.log(`\n${title} (${file})`)
  printTop(profile, 25)
}
