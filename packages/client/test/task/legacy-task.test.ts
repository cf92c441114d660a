import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import type { JsonObject } from "@entente/protocol"
import { notification, type Peer } from "@entente/testkit"
import { passUntil, until } from "../field/scripted-http.js"
import { baked, becomes, inTurn, legacyBakery, legacyTask, looks, open } from "./task-server.js"

const result = (steps: Parameters<typeof inTurn>[1]) => inTurn("tasks/result", steps)
const paramsOf = (peer: Peer, method: string): ReadonlyArray<unknown> =>
  peer.requests(method).map(({ message }) => message.params)

describe("a task of 2025-11-25", () => {
  it.effect(
    "V25-TASK-03 V25-TASK-05 is asked for beside the arguments, and read from a nested task",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* open(
          legacyBakery([
            becomes(legacyTask("working", 0, { ttl: null, pollInterval: undefined })),
            ...looks(legacyTask("completed", 1)),
            ...result([{ result: baked }]),
          ]),
        )
        const task = yield* client.tasks.call(
          { name: "bake", arguments: { n: 3 } },
          { ttlMs: 600_000, meta: { "com.example/a": 1 } },
        )
        expect(paramsOf(peer, "tools/call")).toEqual([
          {
            name: "bake",
            arguments: { n: 3 },
            task: { ttl: 600_000 },
            _meta: { "com.example/a": 1, progressToken: expect.anything() },
          },
        ])
        expect(task.id).toBe("tk-5")
        expect(task.tool).toBe("bake")
        expect(task.status).toMatchObject({ state: "working", ttlMs: null })
        expect(task.status).not.toHaveProperty("pollIntervalMs")
        const outcome = yield* Effect.forkChild(task.result)
        yield* passUntil(() => peer.requests("tasks/result").length > 0)
        expect(yield* Fiber.join(outcome)).toEqual(baked)
      }),
  )

  it.effect("V25-TASK-03 a wish without a time names none", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* open(legacyBakery([becomes(legacyTask("working"))]))
      yield* client.tasks.call({ name: "bake" })
      expect(paramsOf(peer, "tools/call")).toMatchObject([{ name: "bake", task: {} }])
      expect(peer.requests("tools/call")[0]?.message.params).toHaveProperty("task", {})
    }),
  )

  it.effect(
    "V25-TASK-04 a server that ignores the wish has answered: the handle is complete at once",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* open(legacyBakery([]))
        const task = yield* client.tasks.call({ name: "bake", arguments: { n: 3 } })
        expect(task.id).toBeUndefined()
        expect(task.status).toEqual({ state: "completed", inputRequests: {} })
        expect(yield* task.result).toMatchObject({ content: [{ text: '{"n":3}' }] })
        expect(yield* task.cancel).toBe("ended")
        expect(yield* Stream.runCollect(task.statuses)).toEqual([task.status])
        expect(task.toJSON()).toBeNull()
        yield* task.release
        expect(peer.methods().filter((method) => method.startsWith("tasks/"))).toEqual([])
      }),
  )

  it.effect(
    "V25-TASK-07 V25-TASK-11 V25-TASK-12 is polled in the server's latest interval, with no hint and no related-task",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* open(
          legacyBakery([
            becomes(legacyTask("working")),
            ...looks(
              legacyTask("working", 1, { pollInterval: 5_000, statusMessage: "kneading" }),
              legacyTask("completed", 2),
            ),
            ...result([
              {
                result: {
                  ...baked,
                  _meta: { "io.modelcontextprotocol/related-task": { taskId: "tk-5" } },
                },
              },
            ]),
          ]),
        )
        const task = yield* client.tasks.call({ name: "bake" })
        yield* TestClock.adjust("1999 millis")
        expect(peer.requests("tasks/get")).toHaveLength(0)
        yield* TestClock.adjust("1 millis")
        yield* until(() => task.status.message === "kneading")
        expect(task.status).toMatchObject({ state: "working", pollIntervalMs: 5_000 })
        yield* TestClock.adjust("4999 millis")
        expect(peer.requests("tasks/get")).toHaveLength(1)
        yield* TestClock.adjust("1 millis")
        yield* until(() => task.status.state === "completed")
        expect(yield* task.result).toMatchObject(baked)
        for (const method of ["tasks/get", "tasks/result"]) {
          for (const params of paramsOf(peer, method)) expect(params).toEqual({ taskId: "tk-5" })
        }
        expect(peer.requests("tasks/get")).toHaveLength(2)
      }),
  )

  it.effect(
    "V25-TASK-11 V25-TASK-06 a status that is told is an early hint; what is old or cannot be is noted",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* open(
          legacyBakery([
            becomes(legacyTask("working")),
            ...result([{ delay: 100 }, { result: baked }]),
          ]),
        )
        const task = yield* client.tasks.call({ name: "bake" })
        const tell = (status: JsonObject) =>
          peer.send(notification("notifications/tasks/status", status))
        tell(legacyTask("working", 9, { statusMessage: "in the oven" }))
        yield* until(() => task.status.message === "in the oven")
        tell(legacyTask("input_required", 3))
        tell(legacyTask("working", 10, { taskId: "another" }))
        tell({ taskId: "tk-5", status: "on fire" })
        tell(legacyTask("completed", 11))
        yield* until(() => peer.requests("tasks/result").length === 1)
        expect(task.status.state).toBe("fetching")
        tell(legacyTask("working", 12))
        yield* until(() =>
          client.notes.some(({ count, code }) => code === "task-status-ignored" && count === 3),
        )
        expect(task.status.state).toBe("fetching")
        yield* TestClock.adjust("100 millis")
        expect(yield* task.result).toEqual(baked)
        expect(peer.requests("tasks/get")).toHaveLength(0)
        tell(legacyTask("working", 13))
        yield* until(() =>
          client.notes.some(({ count, code }) => code === "task-status-ignored" && count === 4),
        )
        expect(task.status.state).toBe("completed")
      }),
  )

  it.effect(
    "V25-TASK-08 a failed task has its original error, or the result of the tool that failed",
    () =>
      Effect.gen(function* () {
        const refused = { code: -32_050, message: "out of flour", data: { left: 0 } }
        for (const answer of [
          { error: refused },
          { result: { ...baked, isError: true } },
        ] as const) {
          const { peer, client } = yield* open(
            legacyBakery([
              becomes(legacyTask("working")),
              ...looks(legacyTask("failed", 1)),
              ...result([answer]),
            ]),
          )
          const task = yield* client.tasks.call({ name: "bake" })
          const settled = yield* Effect.forkChild(Effect.result(task.result))
          yield* passUntil(() => task.status.state === "failed")
          const outcome = yield* Fiber.join(settled)
          if ("error" in answer) {
            expect(outcome).toMatchObject({
              failure: {
                _tag: "PeerError",
                rpcCode: -32_050,
                rpcMessage: "out of flour",
                data: { left: 0 },
              },
            })
          } else expect(outcome).toMatchObject({ success: { isError: true } })
          yield* TestClock.adjust("1 hour")
          expect(peer.requests("tasks/get")).toHaveLength(1)
        }
      }),
  )

  it.effect(
    "V25-TIME-04 V25-TASK-09 tasks/result is asked for at once when input is required, and waits as long as it takes",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* open(
          legacyBakery([
            becomes(legacyTask("working", 0, { ttl: null })),
            ...looks(
              legacyTask("input_required", 1, { ttl: null }),
              legacyTask("working", 2, { ttl: null }),
            ),
            ...result([{ silence: true }]),
          ]),
          { timeoutMs: 10_000 },
        )
        const task = yield* client.tasks.call({ name: "bake" })
        yield* TestClock.adjust("2 seconds")
        yield* until(() => task.status.state === "inputRequired")
        yield* until(() => peer.requests("tasks/result").length === 1)
        yield* TestClock.adjust("2 seconds")
        yield* until(() => task.status.state === "working")
        // Ten times the time-out of the connection, while the polling goes on beside.
        yield* passUntil(() => peer.requests("tasks/get").length > 50, "500 millis")
        expect(peer.requests("tasks/result")).toHaveLength(1)
        expect(peer.methods()).not.toContain("notifications/cancelled")
        peer.play([{ result: baked }], { method: "tasks/result" })
        expect(yield* task.result).toEqual(baked)
      }),
  )

  it.effect(
    "V25-TASK-09 V25-TASK-12 the questions that come with tasks/result are answered by the handlers",
    () =>
      Effect.gen(function* () {
        const related = { "io.modelcontextprotocol/related-task": { taskId: "tk-5" } }
        const asked: Array<string | undefined> = []
        const { peer, client } = yield* open(
          legacyBakery([
            becomes(legacyTask("input_required")),
            ...looks(legacyTask("input_required", 1)),
            {
              when: { method: "tasks/result" },
              reply: [
                {
                  message: {
                    jsonrpc: "2.0",
                    id: "s-1",
                    method: "elicitation/create",
                    params: {
                      mode: "form",
                      message: "Crust?",
                      requestedSchema: {
                        type: "object",
                        properties: { crust: { type: "string" } },
                      },
                      _meta: related,
                    },
                  },
                },
                { silence: true },
              ],
            },
          ]),
          {
            handlers: {
              elicitation: {
                form: (_, { relatedTask }) => {
                  asked.push(relatedTask)
                  return { action: "accept", content: { crust: "thin" } }
                },
              },
            },
          },
        )
        const task = yield* client.tasks.call({ name: "bake" })
        const answered = yield* Effect.promise(() => peer.next({ kind: "response" }))
        expect(answered.message).toEqual({
          jsonrpc: "2.0",
          id: "s-1",
          result: { action: "accept", content: { crust: "thin" }, _meta: related },
        })
        expect(asked).toEqual(["tk-5"])
        expect(task.status.state).toBe("inputRequired")
        peer.play([{ result: baked }], { method: "tasks/result" })
        expect(yield* task.result).toEqual(baked)
      }),
  )

  it.effect("V25-TASK-15 an expired task is gone: a typed error, at once", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* open(
        legacyBakery([
          becomes(legacyTask("working")),
          ...inTurn("tasks/get", [{ error: { code: -32_602, message: "Unknown task" } }]),
        ]),
      )
      const task = yield* client.tasks.call({ name: "bake" })
      yield* TestClock.adjust("2 seconds")
      yield* until(() => task.status.state === "gone")
      expect(yield* Effect.flip(task.result)).toMatchObject({
        _tag: "TaskGone",
        why: "unknown",
        cause: { _tag: "PeerError", rpcCode: -32_602 },
      })
      // The id opens the task to whoever reads it.
      expect(String(yield* Effect.flip(task.result))).not.toContain("tk-5")
      yield* TestClock.adjust("1 hour")
      expect(peer.requests("tasks/get")).toHaveLength(1)
    }),
  )

  it.effect("V25-TASK-17 what to tell a model meanwhile is a string, or nothing", () =>
    Effect.gen(function* () {
      const key = "io.modelcontextprotocol/model-immediate-response"
      for (const [meta, shown] of [
        [{ [key]: "Baking has begun." }, "Baking has begun."],
        [{ [key]: { text: "no" } }, undefined],
        [undefined, undefined],
      ] as const) {
        const { client } = yield* open(legacyBakery([becomes(legacyTask("working"), meta)]))
        const task = yield* client.tasks.call({ name: "bake" })
        expect(task.immediateResponse).toBe(shown)
      }
    }),
  )

  it.effect(
    "V25-PROG-05 V25-TASK-18 progress under the same token is heard until the task is over, and not after",
    () =>
      Effect.gen(function* () {
        const heard: Array<number> = []
        const { peer, client } = yield* open(
          legacyBakery([
            becomes(legacyTask("working")),
            ...looks(legacyTask("completed", 1)),
            ...result([{ result: baked }]),
          ]),
        )
        const task = yield* client.tasks.call(
          { name: "bake" },
          { onProgress: ({ progress }) => heard.push(progress) },
        )
        const params = peer.requests("tools/call")[0]?.message.params as {
          readonly _meta: { readonly progressToken: number }
        }
        const { progressToken } = params._meta
        const tell = (progress: number) =>
          peer.send(notification("notifications/progress", { progressToken, progress, total: 3 }))
        tell(1)
        tell(2)
        yield* until(() => heard.length === 2)
        yield* TestClock.adjust("2 seconds")
        yield* until(() => task.status.state === "completed")
        tell(3)
        yield* until(() => client.notes.some(({ code }) => code === "progress-ignored"))
        expect(heard).toEqual([1, 2])
      }),
  )

  it.effect("V25-PROG-05 a call that was answered plainly gives its token back at once", () =>
    Effect.gen(function* () {
      const { client } = yield* open(legacyBakery([]))
      const options = { meta: { progressToken: "mine" } }
      yield* client.tasks.call({ name: "bake" }, options)
      yield* client.tasks.call({ name: "bake" }, options)
    }),
  )

  it.effect("the statuses are a stream: now, every change, and the end", () =>
    Effect.gen(function* () {
      const { client } = yield* open(
        legacyBakery([
          becomes(legacyTask("working")),
          ...looks(
            legacyTask("working", 1),
            legacyTask("working", 1),
            legacyTask("working", 2, { statusMessage: "in the oven" }),
            legacyTask("completed", 3),
          ),
          ...result([{ result: baked }]),
        ]),
      )
      const task = yield* client.tasks.call({ name: "bake" })
      const seen = yield* Effect.forkChild(Stream.runCollect(task.statuses), {
        startImmediately: true,
      })
      yield* passUntil(() => task.status.state === "completed")
      const states = yield* Fiber.join(seen)
      expect(states.map(({ state, message }) => [state, message])).toEqual([
        ["working", undefined],
        ["working", undefined],
        ["working", "in the oven"],
        ["fetching", undefined],
        ["completed", undefined],
      ])
    }),
  )

  it.effect(
    "V25-TASK-14 lists the tasks of a server page by page, and asks none that has no list",
    () =>
      Effect.gen(function* () {
        const first = legacyTask("working", 0, { taskId: "tk-1" })
        const second = legacyTask("completed", 0, { taskId: "tk-2" })
        const { client } = yield* open(
          legacyBakery([
            {
              when: { method: "tasks/list", params: { cursor: { $present: false } } },
              reply: [{ result: { tasks: [first], nextCursor: "p2" } }],
            },
            {
              when: { method: "tasks/list", params: { cursor: "p2" } },
              reply: [{ result: { tasks: [second] } }],
            },
          ]),
        )
        expect(yield* client.tasks.list()).toMatchObject({
          status: "complete",
          pages: 2,
          items: [first, second],
        })
        const without = yield* open(legacyBakery([], { requests: { tools: { call: {} } } }))
        expect(yield* without.client.tasks.list()).toMatchObject({
          status: "unsupported",
          reason: { code: "capability-missing" },
        })
        expect(without.peer.methods()).not.toContain("tasks/list")
      }),
  )

  it.effect("how a task stands can be asked for once, by its id", () =>
    Effect.gen(function* () {
      const { client } = yield* open(
        legacyBakery(
          inTurn(
            "tasks/get",
            [{ result: legacyTask("input_required", 3, { statusMessage: "thin or thick?" }) }],
            [{ error: { code: -32_602, message: "no such task" } }],
            [{ error: { code: -32_603, message: "broken" } }],
            [{ result: { taskId: "tk-5" } }],
          ),
        ),
      )
      expect(yield* client.tasks.get("tk-5")).toMatchObject({
        state: "inputRequired",
        message: "thin or thick?",
      })
      expect(yield* Effect.flip(client.tasks.get("tk-5"))).toMatchObject({ _tag: "TaskGone" })
      expect(yield* Effect.flip(client.tasks.get("tk-5"))).toMatchObject({ _tag: "PeerError" })
      expect(yield* Effect.flip(client.tasks.get("tk-5"))).toMatchObject({
        _tag: "ProtocolViolation",
        code: "invalid-result",
      })
    }),
  )

  it.effect("a call whose answer is a broken task fails, and says where it is broken", () =>
    Effect.gen(function* () {
      const { client } = yield* open(legacyBakery([becomes({ taskId: "tk-5", status: "working" })]))
      expect(yield* Effect.flip(client.tasks.call({ name: "bake" }))).toMatchObject({
        _tag: "ProtocolViolation",
        code: "invalid-result",
        pointer: expect.stringMatching(/^\/./),
      })
    }),
  )
})
