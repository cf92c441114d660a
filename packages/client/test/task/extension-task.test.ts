import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { Client, memoryVerdicts } from "@entente/client"
import { CreateTaskResult, LegacyTask, Task, tasksExtension, validate } from "@entente/protocol"
import { modernServer, notification, withRules, type Peer } from "@entente/testkit"
import { httpPeer } from "@entente/testkit/node"
import { http } from "@entente/transport"
import { passUntil, until } from "../field/scripted-http.js"
import {
  baked,
  becomesModern,
  inTurn,
  modernBakery,
  modernLooks,
  modernTask,
  open,
} from "./task-server.js"

const declared = "io.modelcontextprotocol/clientCapabilities"

/** What each request declares as its capabilities. */
const capabilitiesIn = (peer: Peer, method: string): ReadonlyArray<unknown> =>
  peer.requests(method).map(({ message }) => {
    const meta = message.params?.["_meta"] as { readonly [key: string]: unknown }
    return meta[declared]
  })

const complete = { resultType: "complete" }

describe("a task of the extension", () => {
  it.effect(
    "V26-TASK-01 V26-TASK-02 V26-EXT-04 is declared on what is about tasks, and on nothing else",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* open(
          modernBakery(
            becomesModern(modernTask("working")),
            { when: { method: "tasks/cancel" }, reply: [{ result: complete }] },
            ...modernLooks(modernTask("working", 1)),
          ),
          { capabilities: { experimental: { a: {} }, extensions: { "com.example/x": { y: 1 } } } },
        )
        const own = { experimental: { a: {} }, extensions: { "com.example/x": { y: 1 } } }
        const withTasks = {
          ...own,
          extensions: { "com.example/x": { y: 1 }, [tasksExtension]: {} },
        }
        yield* client.callTool({ name: "bake" })
        const task = yield* client.tasks.call({ name: "bake" })
        expect(task.id).toBe("t-5f0c")
        yield* TestClock.adjust("2 seconds")
        yield* until(() => peer.requests("tasks/get").length === 1)
        yield* task.cancel
        expect(capabilitiesIn(peer, "tools/call")).toEqual([own, withTasks])
        expect(capabilitiesIn(peer, "tasks/get")).toEqual([withTasks])
        expect(capabilitiesIn(peer, "tasks/cancel")).toEqual([withTasks])
        const quiet = yield* open(modernBakery())
        yield* quiet.client.callTool({ name: "plain" })
        expect(capabilitiesIn(quiet.peer, "tools/call")).toEqual([{}])
      }),
  )

  it.effect(
    "V26-TASK-02 V26-TASK-25 the server alone decides: no wish is sent, and a plain answer is complete",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* open(modernBakery())
        const task = yield* client.tasks.call(
          { name: "bake", arguments: { n: 3 } },
          { ttlMs: 1_000 },
        )
        expect(task.status.state).toBe("completed")
        expect(yield* task.result).toMatchObject({ content: [{ text: '{"n":3}' }] })
        expect(peer.requests("tools/call")[0]?.message.params).not.toHaveProperty("task")
        expect(yield* client.tasks.list()).toMatchObject({ status: "unsupported", items: [] })
        expect(peer.methods()).toEqual(["server/discover", "tools/call"])
      }),
  )

  it("V26-TASK-03 is flat where it is created, and not compatible with that of 2025-11-25", () => {
    const flat = { resultType: "task", ...modernTask("working") }
    expect(validate(CreateTaskResult, flat).ok).toBe(true)
    expect(validate(CreateTaskResult, { resultType: "task", task: flat }).ok).toBe(false)
    expect(validate(CreateTaskResult, { ...flat, ttlMs: null }).ok).toBe(true)
    expect(validate(LegacyTask, flat).ok).toBe(false)
  })

  it("V26-TASK-07 V26-TASK-10 holds what follows from its status", () => {
    const fixtures = {
      working: {},
      cancelled: {},
      input_required: { inputRequests: { a: { method: "roots/list" } } },
      completed: { result: baked },
      failed: { error: { code: -32_603, message: "out of flour" } },
    }
    for (const [status, inside] of Object.entries(fixtures)) {
      expect(validate(Task, modernTask(status, 0, inside)).ok).toBe(true)
      const isEmpty = Object.keys(inside).length === 0
      expect(validate(Task, modernTask(status)).ok).toBe(isEmpty)
    }
  })

  it.effect(
    "V26-TASK-08 V26-TASK-10 V26-TASK-11 is polled in its latest interval, and not after its end",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* open(
          modernBakery(
            becomesModern(modernTask("input_required", 0, { pollIntervalMs: undefined })),
            ...modernLooks(
              modernTask("working", 1, { pollIntervalMs: 5_000, statusMessage: "kneading" }),
              modernTask("completed", 2, { result: { ...baked, isError: true } }),
            ),
          ),
        )
        const task = yield* client.tasks.call({ name: "bake" })
        // Without a word of the server: 2 s, and up to a quarter more.
        yield* TestClock.adjust("1999 millis")
        expect(peer.requests("tasks/get")).toHaveLength(0)
        yield* passUntil(() => task.status.message === "kneading", "1 millis")
        yield* TestClock.adjust("4999 millis")
        expect(peer.requests("tasks/get")).toHaveLength(1)
        yield* TestClock.adjust("1 millis")
        yield* until(() => task.status.state === "completed")
        expect(yield* task.result).toMatchObject({ isError: true })
        yield* TestClock.adjust("1 hour")
        expect(peer.requests("tasks/get")).toHaveLength(2)
        expect(peer.methods()).not.toContain("tasks/result")
      }),
  )

  it.effect("V26-TASK-11 a failed task is the server's error for the call", () =>
    Effect.gen(function* () {
      const error = { code: -32_050, message: "out of flour", data: { left: 0 } }
      const { client } = yield* open(
        modernBakery(
          becomesModern(modernTask("working")),
          ...modernLooks(modernTask("failed", 1, { error })),
        ),
      )
      const task = yield* client.tasks.call({ name: "bake" })
      yield* TestClock.adjust("2 seconds")
      expect(yield* Effect.flip(task.result)).toMatchObject({
        _tag: "PeerError",
        method: "tools/call",
        rpcCode: -32_050,
        rpcMessage: "out of flour",
        data: { left: 0 },
      })
      expect(task.status.state).toBe("failed")
    }),
  )

  it.effect("T-33 the result inside may lack its type; one that is no end is invalid", () =>
    Effect.gen(function* () {
      for (const [type, outcome] of [
        ["complete", "success"],
        [undefined, "success"],
        ["input_required", "failure"],
        ["task", "failure"],
      ] as const) {
        const result = { ...baked, ...(type !== undefined && { resultType: type }) }
        const { client } = yield* open(
          modernBakery(
            becomesModern(modernTask("working")),
            ...modernLooks(modernTask("completed", 1, { result })),
          ),
        )
        const task = yield* client.tasks.call({ name: "bake" })
        yield* TestClock.adjust("2 seconds")
        const settled = yield* Effect.result(task.result)
        expect(settled).toHaveProperty(outcome)
        if (outcome === "failure") {
          expect(settled).toMatchObject({
            failure: { _tag: "ProtocolViolation", pointer: "/result/resultType" },
          })
        } else expect(settled).toMatchObject({ success: result })
      }
    }),
  )

  it.effect(
    "T-32 V26-RTYPE-03 a look whose type is task is tolerated and noted, another type is no answer",
    () =>
      Effect.gen(function* () {
        const answers = inTurn(
          "tasks/get",
          [{ result: { ...modernTask("working", 1), resultType: "weird" } }],
          [{ result: { ...modernTask("working", 2), resultType: "input_required" } }],
          [{ result: { ...modernTask("completed", 3, { result: baked }), resultType: "task" } }],
        )
        const lenient = yield* open(modernBakery(becomesModern(modernTask("working")), ...answers))
        const task = yield* lenient.client.tasks.call({ name: "bake" })
        yield* passUntil(() => task.status.state === "completed")
        expect(lenient.client.notes).toMatchObject([{ code: "task-result-type", count: 1 }])

        const strict = yield* open(
          modernBakery(
            becomesModern(modernTask("working")),
            ...inTurn("tasks/get", [
              { result: { ...modernTask("working", 1), resultType: "task" } },
            ]),
          ),
          { strict: true },
        )
        const refused = yield* strict.client.tasks.call({ name: "bake" })
        yield* TestClock.adjust("2 seconds")
        expect(yield* Effect.flip(refused.result)).toMatchObject({
          _tag: "NotTolerated",
          tolerance: "task-result-type",
        })
      }),
  )

  it.effect(
    "V26-TASK-04 V26-TASK-05 V26-RTYPE-03 V26-RTYPE-04 a task is an answer to a call that declared it, and to nothing else",
    () =>
      Effect.gen(function* () {
        const task = { resultType: "task", ...modernTask("working") }
        const { peer, client } = yield* open(
          withRules(
            modernServer({
              capabilities: { tools: {}, prompts: {}, extensions: { [tasksExtension]: {} } },
            }),
            { when: { method: "tools/call" }, reply: [{ result: task }] },
            { when: { method: "prompts/get" }, reply: [{ result: task }] },
            { when: { method: "tools/list" }, reply: [{ result: task }] },
          ),
          { tasks: true },
        )
        // Undeclared by the caller's own capabilities, although the connection declares it.
        const undeclared = client.callTool({ name: "bake" }, { capabilities: {} })
        expect(yield* Effect.flip(undeclared)).toMatchObject({
          _tag: "ProtocolViolation",
          pointer: "/resultType",
        })
        expect(yield* Effect.flip(client.getPrompt({ name: "x" }))).toMatchObject({
          _tag: "ProtocolViolation",
          pointer: "/resultType",
        })
        expect(yield* client.tools.list()).toMatchObject({
          status: "unavailable",
          reason: { code: "invalid-result" },
        })
        const other = yield* open(
          modernBakery({ when: { method: "tools/call" }, reply: [{ result: task }] }),
        )
        expect(yield* Effect.flip(other.client.callTool({ name: "bake" }))).toMatchObject({
          _tag: "ProtocolViolation",
        })
        expect(peer.methods().filter((method) => method.startsWith("tasks/"))).toEqual([])
      }),
  )

  it.effect("V26-TASK-06 V26-TASK-20 a first look that finds nothing is believed", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* open(
        modernBakery(
          becomesModern(modernTask("working")),
          ...inTurn("tasks/get", [{ error: { code: -32_602, message: "Unknown task" } }]),
        ),
      )
      const task = yield* client.tasks.call({ name: "bake" })
      yield* TestClock.adjust("2 seconds")
      expect(yield* Effect.flip(task.result)).toMatchObject({ _tag: "TaskGone", why: "unknown" })
      expect(task.status.state).toBe("gone")
      yield* TestClock.adjust("1 hour")
      expect(peer.requests("tasks/get")).toHaveLength(1)
    }),
  )

  it.effect(
    "V26-TASK-21 V26-TASK-05 its time counts from when we heard of it, whatever our clocks say",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* open(
          modernBakery(
            becomesModern(modernTask("working", 0, { ttlMs: 10_000, pollIntervalMs: 60_000 })),
            ...modernLooks(modernTask("working", 1, { ttlMs: 10_000, pollIntervalMs: 60_000 })),
          ),
        )
        const task = yield* client.tasks.call({ name: "bake" })
        yield* TestClock.adjust("9999 millis")
        expect(task.status.state).toBe("working")
        yield* TestClock.adjust("1 millis")
        expect(yield* Effect.flip(task.result)).toMatchObject({ _tag: "TaskGone", why: "expired" })
        expect(peer.requests("tasks/get")).toHaveLength(1)
      }),
  )

  it.effect("V26-TASK-19 a server that misses the capability is not asked again and again", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* open(
        modernBakery(
          becomesModern(modernTask("working")),
          ...inTurn("tasks/get", [
            {
              error: {
                code: -32_021,
                message: "missing",
                data: { requiredCapabilities: { extensions: { [tasksExtension]: {} } } },
              },
            },
          ]),
        ),
      )
      const task = yield* client.tasks.call({ name: "bake" })
      yield* TestClock.adjust("2 seconds")
      expect(yield* Effect.flip(task.result)).toMatchObject({ _tag: "PeerError", rpcCode: -32_021 })
      expect(task.status.state).toBe("lost")
      yield* TestClock.adjust("1 hour")
      expect(peer.requests("tasks/get")).toHaveLength(1)
    }),
  )

  it.effect(
    "V26-TASK-01 V26-TASK-18 V26-TASK-19 a word on a subscription ends the wait without a poll, which is a safety net then",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* open(
          modernBakery(
            becomesModern(modernTask("working", 0, { pollIntervalMs: 4_000 })),
            ...modernLooks(modernTask("working", 1, { pollIntervalMs: 4_000 })),
          ),
          { listen: {} },
        )
        const task = yield* client.tasks.call({ name: "bake" })
        yield* TestClock.adjust("4999 millis")
        expect(peer.requests("tasks/get")).toHaveLength(1)
        expect(peer.requests("subscriptions/listen")).toHaveLength(0)
        yield* TestClock.adjust("1 millis")
        // A task that lasts is listened for, and the extension is declared for that as well.
        yield* until(() => client.subscriptions.filter !== undefined)
        const [listen] = peer.requests("subscriptions/listen")
        expect(listen?.message.params).toMatchObject({
          notifications: { taskIds: ["t-5f0c"] },
          _meta: { [declared]: { extensions: { [tasksExtension]: {} } } },
        })
        // What was told before it began is found by one look.
        yield* until(() => peer.requests("tasks/get").length === 2)
        yield* TestClock.adjust("59 seconds")
        expect(peer.requests("tasks/get")).toHaveLength(2)
        yield* TestClock.adjust("1 seconds")
        yield* until(() => peer.requests("tasks/get").length === 3)
        peer.send(
          notification("notifications/tasks", {
            ...modernTask("completed", 5, { result: baked }),
            _meta: { "io.modelcontextprotocol/subscriptionId": listen?.message.id },
          }),
        )
        yield* until(() => task.status.state === "completed")
        expect(yield* task.result).toEqual(baked)
        // Nobody is interested any more, and the server is told.
        yield* until(() => peer.methods().includes("notifications/cancelled"))
        expect(peer.requests("tasks/get")).toHaveLength(3)
      }),
  )

  it.effect(
    "V26-TASK-18 a server that does not agree to tell, or stops telling, is polled as before",
    () =>
      Effect.gen(function* () {
        const acknowledged = (notifications: object) => ({
          message: {
            jsonrpc: "2.0",
            method: "notifications/subscriptions/acknowledged",
            params: {
              notifications,
              _meta: { "io.modelcontextprotocol/subscriptionId": { $from: "/id" } },
            },
          },
        })
        const refusing = yield* open(
          modernBakery(
            becomesModern(modernTask("working", 0, { pollIntervalMs: 4_000 })),
            ...modernLooks(modernTask("working", 1, { pollIntervalMs: 4_000 })),
            {
              when: { method: "subscriptions/listen" },
              reply: [acknowledged({}), { silence: true }],
            },
          ),
          { listen: {} },
        )
        yield* refusing.client.tasks.call({ name: "bake" })
        yield* passUntil(() => refusing.peer.requests("tasks/get").length === 4)

        const stopping = yield* open(
          modernBakery(
            becomesModern(modernTask("working", 0, { pollIntervalMs: 4_000 })),
            ...modernLooks(modernTask("working", 1, { pollIntervalMs: 4_000 })),
          ),
          { listen: { maxFruitless: 1 } },
        )
        yield* stopping.client.tasks.call({ name: "bake" })
        yield* passUntil(() => stopping.client.subscriptions.filter !== undefined)
        const before = stopping.peer.requests("tasks/get").length
        stopping.peer.play([{ result: { resultType: "complete" } }], {
          method: "subscriptions/listen",
        })
        yield* until(() => stopping.client.listening !== "open")
        yield* TestClock.adjust("4 seconds")
        yield* until(() => stopping.peer.requests("tasks/get").length > before)
      }),
  )

  it.effect("V26-TASK-23 progress of a task is nobody's: it is dropped, and noted", () =>
    Effect.gen(function* () {
      const heard: Array<number> = []
      const { peer, client } = yield* open(modernBakery(becomesModern(modernTask("working"))))
      yield* client.tasks.call(
        { name: "bake" },
        { onProgress: ({ progress }) => heard.push(progress) },
      )
      const meta = peer.requests("tools/call")[0]?.message.params?.["_meta"] as {
        readonly progressToken: number
      }
      peer.send(
        notification("notifications/progress", { progressToken: meta.progressToken, progress: 1 }),
      )
      yield* until(() => client.notes.some(({ code }) => code === "progress-ignored"))
      expect(heard).toEqual([])
    }),
  )

  it.effect(
    "V26-HDR-04 V26-TASK-22 T-44 over HTTP its id is mirrored on get, update and cancel",
    () =>
      Effect.gen(function* () {
        const asked = { go: { method: "roots/list" } }
        const peer = yield* httpPeer(
          modernBakery(
            becomesModern(modernTask("working", 0, { taskId: "tâche 1" })),
            ...modernLooks(
              modernTask("input_required", 1, { taskId: "tâche 1", inputRequests: asked }),
            ),
            { when: { method: "tasks/update" }, reply: [{ result: complete }] },
            { when: { method: "tasks/cancel" }, reply: [{ result: complete }] },
          ),
        )
        const client = yield* Client.connect(http(peer.url), { verdicts: memoryVerdicts() })
        const task = yield* client.tasks.call({ name: "bake" }, { headers: { "X-Tenant": "t1" } })
        yield* passUntil(() => Object.hasOwn(task.inputRequests, "go"))
        yield* task.answer({ go: { roots: [] } })
        yield* task.cancel
        const name = `=?base64?${Buffer.from("tâche 1").toString("base64")}?=`
        for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
          const [first] = peer.received.filter(
            ({ message }) => (message as { method?: unknown } | undefined)?.method === method,
          )
          expect(first?.headers).toMatchObject({
            "mcp-name": name,
            "mcp-method": method,
            "x-tenant": "t1",
          })
        }
      }),
  )

  it.effect(
    "V26-TASK-24 T-41 questions first and then a task is legal, and the handle is that task's",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* open(
          modernBakery(
            {
              when: { method: "tools/call", nth: 1 },
              reply: [
                {
                  result: {
                    resultType: "input_required",
                    inputRequests: { go: { method: "roots/list" } },
                    requestState: "s1",
                  },
                },
              ],
            },
            becomesModern(modernTask("working")),
            ...modernLooks(
              // T-41: the key of the round before means something else here, and is asked anew.
              modernTask("input_required", 1, { inputRequests: { go: { method: "roots/list" } } }),
              modernTask("completed", 2, { result: baked }),
            ),
            { when: { method: "tasks/update" }, reply: [{ result: complete }] },
          ),
          { handlers: { roots: [{ uri: "file:///a" }] } },
        )
        const task = yield* client.tasks.call({ name: "bake" })
        expect(task.id).toBe("t-5f0c")
        const result = yield* Effect.forkChild(task.result)
        yield* passUntil(() => task.status.state === "completed")
        expect(yield* Fiber.join(result)).toEqual(baked)
        const answers = { go: { roots: [{ uri: "file:///a" }] } }
        expect(peer.requests("tools/call")[1]?.message.params).toMatchObject({
          inputResponses: answers,
          requestState: "s1",
        })
        expect(peer.requests("tasks/update").map(({ message }) => message.params)).toMatchObject([
          { inputResponses: answers },
        ])
      }),
  )
})

describe("looks that fail", () => {
  it.effect("an outage is waited for with growing pauses, and the task goes on afterwards", () =>
    Effect.gen(function* () {
      const peer = yield* httpPeer(
        modernBakery(
          becomesModern(modernTask("working")),
          { when: { method: "tasks/get" }, times: 3, reply: [{ http: { status: 503 } }] },
          ...modernLooks(modernTask("completed", 1, { result: baked })),
        ),
      )
      const client = yield* Client.connect(http(peer.url), { verdicts: memoryVerdicts() })
      const task = yield* client.tasks.call({ name: "bake" })
      yield* passUntil(() => task.status.state === "completed", "250 millis")
      expect(yield* task.result).toEqual(baked)
      expect(peer.requests("tasks/get")).toHaveLength(4)
    }),
  )

  it.effect("an outage without end loses the task, with its cause; the id can be resumed", () =>
    Effect.gen(function* () {
      const { client } = yield* open(
        modernBakery(
          becomesModern(modernTask("working")),
          ...inTurn("tasks/get", [{ error: { code: -32_603, message: "broken" } }]),
        ),
      )
      const task = yield* client.tasks.call({ name: "bake" }, { watch: { maxFailures: 3 } })
      yield* passUntil(() => task.status.state === "lost", "500 millis")
      expect(yield* Effect.flip(task.result)).toMatchObject({ _tag: "PeerError", rpcCode: -32_603 })
      expect(task.toJSON()).toMatchObject({ taskId: "t-5f0c", tool: "bake", era: "modern" })
    }),
  )

  it.effect("the answer to a look that shows another task is none", () =>
    Effect.gen(function* () {
      const { client } = yield* open(
        modernBakery(
          becomesModern(modernTask("working")),
          ...modernLooks(modernTask("completed", 1, { taskId: "another", result: baked })),
        ),
      )
      const task = yield* client.tasks.call({ name: "bake" }, { watch: { maxFailures: 1 } })
      yield* TestClock.adjust("2 seconds")
      expect(yield* Effect.flip(task.result)).toMatchObject({
        _tag: "ProtocolViolation",
        pointer: "/taskId",
      })
    }),
  )
})
