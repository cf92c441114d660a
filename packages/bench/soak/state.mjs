// What a process holds: the things that must not grow.
import { execFileSync } from "node:child_process"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

setFlagsFromString("--expose-gc")
const collectGarbage = runInNewContext("gc")

const signals = [
  "exit",
  "beforeExit",
  "SIGINT",
  "SIGTERM",
  "SIGHUP",
  "uncaughtException",
  "warning",
]

const countBy = (names) => {
  const counts = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

/** Processes below this one, `ps` itself left out. */
const children = () =>
  execFileSync("ps", ["--ppid", String(process.pid), "-o", "comm="], { encoding: "utf8" })
    .split("\n")
    .filter((name) => name !== "" && name !== "ps").length

export const heapNow = async () => {
  // Finalizers and closed handles need turns of the event loop before a collection sees them.
  for (let turn = 0; turn < 3; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    collectGarbage()
  }
  return process.memoryUsage().heapUsed
}

/** A reading of the whole process, after a collection. */
export const read = async () => {
  const heap = await heapNow()
  const resources = countBy(process.getActiveResourcesInfo())
  const { Timeout: timers = 0, ...handles } = resources
  return {
    heap,
    timers,
    handles: Object.values(handles).reduce((sum, count) => sum + count, 0),
    listeners: signals.reduce((sum, name) => sum + process.listenerCount(name), 0),
    children: children(),
  }
}
