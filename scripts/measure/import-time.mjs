// Time of a first import, each in a process of its own.
import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"

const runs = 9
const cwd = fileURLToPath(new URL("../../packages/bench", import.meta.url))

const program = (modules) => `
  const started = performance.now()
  for (const module of ${JSON.stringify(modules)}) await import(module)
  process.stdout.write(String(performance.now() - started))
`

const importOnce = (modules) =>
  Number(
    execFileSync(process.execPath, ["--input-type=module", "-e", program(modules)], {
      cwd,
      encoding: "utf8",
    }),
  )

/** For each list of modules the milliseconds to import them; the lists take turns. */
export const importTimes = (lists) => {
  const times = lists.map(() => [])
  for (let run = 0; run < runs; run++) {
    for (const [index, modules] of lists.entries()) times[index].push(importOnce(modules))
  }
  return times.map((all) => {
    const sorted = all.toSorted((a, b) => a - b)
    return { median: sorted[runs >> 1], fastest: sorted[0], slowest: sorted[runs - 1] }
  })
}
