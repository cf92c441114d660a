// What is measured. A contestant offers `calls(count, inFlight)` and `list()`; both return what they
// read from the results, so that a reply nobody looked at cannot count.
import { toolCount } from "./server.mjs"

const sumTo = (count) => (count * (count - 1)) / 2

const expectEqual = (actual, expected, what) => {
  if (actual !== expected) throw new Error(`${what}: got ${actual}, expected ${expected}`)
}

const calls = (name, count, inFlight) => ({
  name,
  calls: count,
  unit: "calls/s",
  better: "more",
  run: async (contestant) => {
    const started = performance.now()
    const sum = await contestant.calls(count, inFlight)
    const seconds = (performance.now() - started) / 1000
    expectEqual(sum, sumTo(count), `sum of ${count} answers`)
    return count / seconds
  },
})

const list = {
  name: `list ${toolCount.toLocaleString("en")} tools in 100 pages`,
  calls: 1,
  unit: "ms",
  better: "less",
  run: async (contestant) => {
    const started = performance.now()
    const tools = await contestant.list()
    const milliseconds = performance.now() - started
    expectEqual(tools.length, toolCount, "number of tools")
    expectEqual(new Set(tools.map((tool) => tool.name)).size, toolCount, "different names")
    expectEqual(tools.at(-1).inputSchema.properties.n.type, "integer", "type in the last schema")
    return milliseconds
  },
}

export const workloads = (quick) => [
  calls("calls, one at a time", quick ? 500 : 2000, 1),
  calls("calls, 32 in flight", quick ? 1600 : 6400, 32),
  list,
]

/** `calls(count, inFlight)` for a contestant with promises: `call(n)` resolves with the answer. */
export const callsWith = (call) => async (count, inFlight) => {
  let next = 0
  let sum = 0
  const work = async () => {
    while (next < count) {
      const n = next++
      const answer = await call(n)
      sum += Number(answer)
    }
  }
  await Promise.all(Array.from({ length: inFlight }, work))
  return sum
}
