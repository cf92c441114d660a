import { mkdtemp, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { MessageChannel } from "node:worker_threads"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { connect } from "@entente/client"
import type { JsonRpcRequest } from "@entente/protocol"
import { legacyServer, memoryPeer, modernServer, tool, withRules } from "@entente/testkit"
import type { Transport } from "@entente/transport"
import { stdio } from "@entente/transport/stdio"
import { forecast } from "./custom-method.js"
import { messagePort } from "./custom-transport.js"
import { book } from "./elicitation.js"
import { callAndPause, resumeFrom } from "./pause-and-resume.js"
import { bakeUntil } from "./progress-and-cancel.js"
import { fetchBread, startBaking } from "./task-handle.js"

const printed: Array<string> = []

beforeEach(() => {
  printed.length = 0
  vi.spyOn(console, "log").mockImplementation((line: unknown) => void printed.push(String(line)))
})

afterEach(() => {
  vi.restoreAllMocks()
})

/** The server beside this file, on the official SDK. */
const restaurant = (): Transport =>
  stdio({
    command: process.execPath,
    args: [fileURLToPath(new URL("booking-server.mjs", import.meta.url))],
  })

it("progress-and-cancel watches a call and calls it off", async () => {
  await bakeUntil(restaurant(), 3)
  expect(printed.slice(0, 3)).toEqual(["loaf 1", "loaf 2", "loaf 3"])
  expect(printed.at(-1)).toBe("it ended as RequestAborted")
})

it.each(["modern", "legacy"] as const)("elicitation answers a %s server", async (mode) => {
  const server = restaurant()
  await book(server, { mode, probeMs: 30_000 })
  expect(printed).toEqual([
    `${server.target} (${mode}) asks: When will you come?`,
    "A table for 2 in the morning.",
  ])
})

it("pause-and-resume keeps a call in a file, and another connection goes on with it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "entente-"))
  try {
    const file = join(folder, "pause.json")
    await callAndPause(restaurant(), "book", file)
    expect(printed).toEqual(["slot: When will you come?"])
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    await resumeFrom(restaurant(), file, { slot: "afternoon", guests: 4 })
    expect(printed.at(-1)).toContain("A table for 4 in the afternoon.")
  } finally {
    await rm(folder, { recursive: true })
  }
})

const times = { createdAt: "2026-08-01T08:00:00Z", lastUpdatedAt: "2026-08-01T08:00:00Z" }
const bread = { content: [{ type: "text", text: "Three loaves." }] }

/** A bakery of each era: it kneads, it bakes, and then there is bread. */
const bakeries = {
  modern: () => {
    const extensions = { "io.modelcontextprotocol/tasks": {} }
    const task = { taskId: "t-1", ...times, ttlMs: null, pollIntervalMs: 200 }
    const done = { resultType: "complete", ...task }
    return withRules(
      modernServer({ tools: [tool("bake")], capabilities: { tools: {}, extensions } }),
      {
        when: { method: "tools/call" },
        reply: [{ result: { resultType: "task", ...task, status: "working" } }],
      },
      {
        when: { method: "tasks/get", nth: 1 },
        reply: [{ result: { ...done, status: "working", statusMessage: "in the oven" } }],
      },
      {
        when: { method: "tasks/get" },
        reply: [{ result: { ...done, status: "completed", result: bread } }],
      },
    )
  },
  legacy: () => {
    const tasks = { requests: { tools: { call: {} } } }
    const task = { taskId: "t-1", ...times, ttl: null, pollInterval: 200 }
    return withRules(
      legacyServer({
        tools: [tool("bake", { execution: { taskSupport: "optional" } })],
        capabilities: { tools: {}, tasks },
      }),
      {
        when: { method: "tools/call" },
        reply: [{ result: { task: { ...task, status: "working" } } }],
      },
      {
        when: { method: "tasks/get", nth: 1 },
        reply: [{ result: { ...task, status: "working", statusMessage: "in the oven" } }],
      },
      { when: { method: "tasks/get" }, reply: [{ result: { ...task, status: "completed" } }] },
      { when: { method: "tasks/result" }, reply: [{ result: bread }] },
    )
  },
}

it.each(["modern", "legacy"] as const)(
  "task-handle keeps a task of a %s server, and another connection fetches its result",
  async (era) => {
    const folder = await mkdtemp(join(tmpdir(), "entente-"))
    try {
      const file = join(folder, "task.json")
      const { transport } = memoryPeer(bakeries[era]())
      await startBaking(transport, file)
      expect(printed).toEqual(["working", "in the oven"])
      await fetchBread(transport, file)
      expect(printed.at(-1)).toBe(JSON.stringify(bread.content))
    } finally {
      await rm(folder, { recursive: true })
    }
  },
)

it("custom-method reads what no specification knows", async () => {
  const server = withRules(
    modernServer(),
    { when: { method: "example/weather" }, reply: [{ result: { celsius: 11.5 } }] },
    { when: { method: "example/tides" }, reply: [{ result: { high: ["05:12", "17:40"] } }] },
  )
  await forecast(memoryPeer(server).transport)
  expect(printed).toEqual(["11.5 °C, high tide at 05:12 and 17:40"])
})

it("custom-transport carries a whole connection over a port", async () => {
  const { port1, port2 } = new MessageChannel()
  // At the other end: any server. This one answers by rule, and hears what comes over the port.
  await using far = await connect(memoryPeer(modernServer({ tools: [tool("borrow")] })).transport)
  port2.on("message", async ({ id, method, params }: JsonRpcRequest) => {
    const result = await far.request(method, params)
    port2.postMessage({ jsonrpc: "2.0", id, result })
  })
  const near = await connect(messagePort(port1, "library"))
  expect(near.transport).toBe("message-port")
  expect((await near.tools.list()).items).toMatchObject([{ name: "borrow" }])
  await near.close()
})
