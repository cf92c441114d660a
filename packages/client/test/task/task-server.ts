import * as Effect from "effect/Effect"
import { Client, memoryVerdicts, type ConnectOptions } from "@entente/client"
import type { JsonObject } from "@entente/protocol"
import {
  legacyServer,
  memoryPeer,
  modernServer,
  tool,
  withRules,
  type Rule,
  type Script,
  type Step,
} from "@entente/testkit"

export const tasksExtension = "io.modelcontextprotocol/tasks"

const day = (second: number): string => new Date(Date.UTC(2026, 0, 2, 10, 0, second)).toISOString()

const times = (second: number) => ({ createdAt: day(0), lastUpdatedAt: day(second) })

/** A task of 2025-11-25 as it stands in some second. */
export const legacyTask = (status: string, second = 0, more: JsonObject = {}): JsonObject => ({
  taskId: "tk-5",
  status,
  ...times(second),
  ttl: 300_000,
  pollInterval: 2_000,
  ...more,
})

/** A task of the extension as it stands in some second. */
export const modernTask = (status: string, second = 0, more: JsonObject = {}): JsonObject => ({
  taskId: "t-5f0c",
  status,
  ...times(second),
  ttlMs: 900_000,
  pollIntervalMs: 2_000,
  ...more,
})

export const baked = { content: [{ type: "text", text: "3 baked" }] }

/** One rule for each time that a method is called; the last one for ever. */
export const inTurn = (
  method: string,
  ...replies: ReadonlyArray<ReadonlyArray<Step>>
): Array<Rule> =>
  replies.map((reply, index) => ({
    when:
      index === replies.length - 1
        ? { kind: "request", method }
        : { kind: "request", method, nth: index + 1 },
    reply,
  }))

/** What `tasks/get` says, one after the other. */
export const looks = (...tasks: ReadonlyArray<JsonObject>): Array<Rule> =>
  inTurn("tasks/get", ...tasks.map((task) => [{ result: task }]))

/** The same in the modern era, whose results are complete. */
export const modernLooks = (...tasks: ReadonlyArray<JsonObject>): Array<Rule> =>
  looks(...tasks.map((task) => ({ resultType: "complete", ...task })))

/** A call that asks to become a task becomes this one (V25-TASK-03). */
export const becomes = (task: JsonObject, meta?: JsonObject): Rule => ({
  when: { method: "tools/call", params: { task: { $present: true } } },
  reply: [{ result: { task, ...(meta && { _meta: meta }) } }],
})

/** A call becomes a task, if the client declares the extension on it (V26-TASK-04). */
export const becomesModern = (task: JsonObject): Rule => ({
  when: {
    method: "tools/call",
    params: {
      _meta: {
        "io.modelcontextprotocol/clientCapabilities": {
          extensions: { [tasksExtension]: { $present: true } },
        },
      },
    },
  },
  reply: [{ result: { resultType: "task", ...task } }],
})

export const tools = [
  tool("bake", { execution: { taskSupport: "optional" } }),
  tool("must", { execution: { taskSupport: "required" } }),
  tool("never", { execution: { taskSupport: "forbidden" } }),
  tool("odd", { execution: { taskSupport: "sometimes" } }),
  tool("plain"),
  tool("weigh", {
    execution: { taskSupport: "optional" },
    outputSchema: {
      type: "object",
      properties: { grams: { type: "number" } },
      required: ["grams"],
    },
  }),
]

const tasksOfServer = { list: {}, cancel: {}, requests: { tools: { call: {} } } }

/** A server of 2025-11-25 with tasks, unless other capabilities are given. */
export const legacyBakery = (rules: ReadonlyArray<Rule>, tasks?: JsonObject | null): Script =>
  withRules(
    legacyServer({
      tools,
      capabilities: { tools: {}, ...(tasks !== null && { tasks: tasks ?? tasksOfServer }) },
    }),
    ...rules,
  )

/** A modern server with the extension. */
export const modernBakery = (...rules: ReadonlyArray<Rule>): Script =>
  withRules(
    modernServer({ tools, capabilities: { tools: {}, extensions: { [tasksExtension]: {} } } }),
    ...rules,
  )

/** A peer in memory, and a client of it on the clock of the test; it polls, and does not listen. */
export const open = (script: Script, options: ConnectOptions = {}) =>
  Effect.gen(function* () {
    const peer = memoryPeer(script)
    const client = yield* Client.connect(peer.transport, {
      verdicts: memoryVerdicts(),
      listen: false,
      ...options,
    })
    return { peer, client }
  })
