// One run of `pnpm servers`, in a process of its own: `run.mjs [--without ID] [--processes N]`. Prints JSON.
import { parseArgs } from "node:util"
import { openCatalog } from "@entente/catalog"
import { heapNow } from "../soak/state.mjs"
import { places } from "./places.mjs"

const { values } = parseArgs({
  options: { without: { type: "string" }, processes: { type: "string" } },
})
const { servers, close } = await places(values.without)
const starting = values.processes === undefined ? {} : { processes: Number(values.processes) }

const heapBefore = await heapNow()
const rssBefore = process.memoryUsage().rss
const cpuBefore = process.cpuUsage()
const cpuSince = () =>
  Object.values(process.cpuUsage(cpuBefore)).reduce((sum, each) => sum + each, 0) / 1000
const startedAt = performance.now()
const since = () => performance.now() - startedAt

const catalog = await openCatalog(Object.fromEntries(servers.map(({ id, spec }) => [id, spec])), {
  starting,
})
const firstMs = since()
const firstCpuMs = cpuSince()
const firstTools = catalog.tools.tools.length

const awaited = new Set(servers.filter(({ expected }) => expected).map(({ id }) => id))
const came = new Map()
let changes = 0
const all = new Promise((resolve) => {
  const see = (ids) => {
    for (const id of ids) {
      if (!came.has(id)) came.set(id, since())
      awaited.delete(id)
    }
    if (awaited.size === 0) resolve()
  }
  // What comes between the two is told by neither, so the loop begins first.
  void (async () => {
    for await (const change of catalog.changes) {
      if (change.kind !== "tools") continue
      changes++
      if (change.added.length > 0) see([change.server])
    }
  })()
  see(new Set(catalog.tools.tools.map(({ server }) => server)))
})
const expected = awaited.size + came.size
await Promise.race([all, new Promise((resolve) => setTimeout(resolve, 120_000).unref())])
const allMs = since()
const cpuMs = cpuSince()

// Until the servers that change have had their say.
await new Promise((resolve) => setTimeout(resolve, 6_000))
const rssMb = process.memoryUsage().rss / 1e6
const heapMb = ((await heapNow()) - heapBefore) / 1e6
const searchAt = performance.now()
const { length: found } = catalog.search("tool path", { limit: 100 })
const firstSearchMs = performance.now() - searchAt
const againAt = performance.now()
catalog.search("tool limit", { limit: 100 })
const searchMs = performance.now() - againAt
const readAt = performance.now()
for (let turn = 0; turn < 1_000; turn++) void catalog.tools
const readMicros = performance.now() - readAt // a thousand, in ms: one, in µs
const { tools } = catalog.tools
const states = {}
const trouble = {}
for (const { state, trouble: what } of catalog.status) {
  states[state] = (states[state] ?? 0) + 1
  if (what !== undefined) trouble[what.code] = (trouble[what.code] ?? 0) + 1
}
const closeAt = performance.now()
await catalog.close()
const closeMs = performance.now() - closeAt
await close()

const over = (kind) => [...came].filter(([id]) => id.startsWith(kind)).map(([, at]) => at)
console.log(
  JSON.stringify({
    servers: servers.length,
    expected,
    missing: [...awaited],
    firstMs,
    firstCpuMs,
    firstTools,
    allMs,
    lastMs: Object.fromEntries(
      ["memory", "http", "stdio"].map((kind) => [kind, Math.max(...over(kind))]),
    ),
    came: [...came],
    tools: tools.length,
    changes,
    cpuMs,
    rssMb,
    rssBeforeMb: rssBefore / 1e6,
    heapMb,
    firstSearchMs,
    searchMs,
    found,
    readMicros,
    closeMs,
    states,
    trouble,
  }),
)
