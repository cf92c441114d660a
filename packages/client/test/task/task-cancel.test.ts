import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import type { Rule } from "@entente/testkit"
import { startHttpPeer } from "@entente/testkit/node"
import { connected, reasonOf } from "../field/connected.js"
import { passUntil, until } from "../field/scripted-http.js"
import {
  baked,
  becomes,
  becomesModern,
  inTurn,
  legacyBakery,
  legacyTask,
  looks,
  modernBakery,
  modernLooks,
  modernTask,
  open,
} from "./task-server.js"

const cancelled = (...reply: Rule["reply"]): Rule => ({ when: { method: "tasks/cancel" }, reply })
const tooLate = cancelled({ error: { code: -32_602, message: "Cannot cancel: completed" } })
const complete = { resultType: "complete" }

describe("cancelling a task that is held", () => {
  it.effect("V25-TASK-13 V25-CANC-03 tells a legacy server once, and never by a notification", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* open(
        legacyBakery([
          becomes(legacyTask("working")),
          cancelled({ result: legacyTask("cancelled", 1) }),
        ]),
      )
      const task = yield* client.tasks.call({ name: "bake" })
      expect(yield* Effect.all([task.cancel, task.cancel], { concurrency: 2 })).toEqual([
        "cancelled",
        "cancelled",
      ])
      expect(task.status.state).toBe("cancelled")
      expect(yield* Effect.flip(task.result)).toMatchObject({
        _tag: "TaskCancelled",
        confirmed: true,
      })
      expect(yield* task.cancel).toBe("cancelled")
      yield* TestClock.adjust("1 hour")
      expect(peer.methods().filter((method) => /cancel|tasks/.test(method))).toEqual([
        "tasks/cancel",
      ])
    }),
  )

  it.effect("V25-TASK-13 a race that is lost is told: the result is fetched and counts", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* open(
        legacyBakery([
          becomes(legacyTask("working")),
          tooLate,
          ...looks(legacyTask("completed", 1)),
          ...inTurn("tasks/result", [{ result: baked }]),
        ]),
      )
      const task = yield* client.tasks.call({ name: "bake" })
      expect(yield* task.cancel).toBe("ended")
      expect(yield* task.result).toEqual(baked)
      expect(peer.methods().slice(-3)).toEqual(["tasks/cancel", "tasks/get", "tasks/result"])
    }),
  )

  it.effect(
    "V25-TASK-13 where the server cannot cancel, the task is left to itself, and that is told (trap 27)",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* open(
          legacyBakery([becomes(legacyTask("working"))], { requests: { tools: { call: {} } } }),
        )
        const task = yield* client.tasks.call({ name: "bake" })
        expect(yield* task.cancel).toBe("abandoned")
        expect(yield* Effect.flip(task.result)).toMatchObject({
          _tag: "TaskCancelled",
          confirmed: false,
        })
        yield* TestClock.adjust("1 hour")
        expect(peer.methods().filter((method) => method.startsWith("tasks/"))).toEqual([])
      }),
  )

  it.effect(
    "V26-TASK-15 V26-TASK-16 V26-CANC-08 a modern server acknowledges, and the task may end in its own way",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* open(
          modernBakery(
            becomesModern(modernTask("working")),
            cancelled({ result: complete }),
            ...modernLooks(modernTask("working", 1), modernTask("completed", 2, { result: baked })),
          ),
        )
        const task = yield* client.tasks.call({ name: "bake" })
        expect(yield* task.cancel).toBe("requested")
        expect(task.status.state).toBe("working")
        const result = yield* Effect.forkChild(task.result)
        yield* passUntil(() => task.status.state === "completed")
        expect(yield* Fiber.join(result)).toEqual(baked)
        expect(peer.requests("tasks/cancel")).toHaveLength(1)
        expect(peer.methods()).not.toContain("notifications/cancelled")
      }),
  )

  it.effect("V26-TASK-16 a modern task that stops is cancelled, however it is told", () =>
    Effect.gen(function* () {
      for (const stopped of [
        [{ result: { ...complete, ...modernTask("cancelled", 1) } }],
        [{ error: { code: -32_602, message: "Unknown task" } }],
      ] as const) {
        const { client } = yield* open(
          modernBakery(
            becomesModern(modernTask("working")),
            cancelled({ result: complete }),
            ...inTurn("tasks/get", stopped),
          ),
        )
        const task = yield* client.tasks.call({ name: "bake" })
        yield* task.cancel
        yield* TestClock.adjust("2 seconds")
        yield* until(() => task.status.state === "cancelled")
        expect(yield* Effect.flip(task.result)).toMatchObject({ _tag: "TaskCancelled" })
      }
    }),
  )

  it.effect(
    "V26-TASK-20 a task that the server does not know can be neither cancelled nor found",
    () =>
      Effect.gen(function* () {
        const { client } = yield* open(
          modernBakery(
            becomesModern(modernTask("working")),
            tooLate,
            ...inTurn("tasks/get", [{ error: { code: -32_602, message: "Unknown task" } }]),
          ),
        )
        const task = yield* client.tasks.call({ name: "bake" })
        expect(yield* task.cancel).toBe("ended")
        expect(yield* Effect.flip(task.result)).toMatchObject({ _tag: "TaskGone" })
      }),
  )

  it.effect("that fails says why, and leaves the task alone", () =>
    Effect.gen(function* () {
      const { client } = yield* open(
        legacyBakery([
          becomes(legacyTask("working")),
          ...inTurn(
            "tasks/cancel",
            [{ error: { code: -32_603, message: "broken" } }],
            [{ result: { taskId: "tk-5" } }],
            [{ result: legacyTask("cancelled", 1) }],
          ),
        ]),
      )
      const task = yield* client.tasks.call({ name: "bake" })
      expect(yield* Effect.flip(task.cancel)).toMatchObject({ _tag: "PeerError", rpcCode: -32_603 })
      expect(yield* Effect.flip(task.cancel)).toMatchObject({ _tag: "ProtocolViolation" })
      expect(task.status.state).toBe("working")
      expect(yield* task.cancel).toBe("cancelled")
    }),
  )

  it.effect("V26-RTYPE-03 an acknowledgement of an unknown type is none", () =>
    Effect.gen(function* () {
      const weird = [{ result: { resultType: "weird" } }]
      const asks = { go: { method: "roots/list" } }
      const { client } = yield* open(
        modernBakery(
          becomesModern(modernTask("working")),
          cancelled(...weird),
          ...modernLooks(modernTask("input_required", 1, { inputRequests: asks })),
          ...inTurn("tasks/update", weird),
        ),
      )
      const task = yield* client.tasks.call({ name: "bake" })
      const violation = { _tag: "ProtocolViolation", pointer: "/resultType" }
      expect(yield* Effect.flip(task.cancel)).toMatchObject(violation)
      yield* passUntil(() => Object.hasOwn(task.inputRequests, "go"))
      expect(yield* Effect.flip(task.answer({ go: { roots: [] } }))).toMatchObject(violation)
      expect(Object.keys(task.inputRequests)).toEqual(["go"])
    }),
  )

  it.effect(
    "a task that is released goes on: nothing more is asked, and the server is not told",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* open(legacyBakery([becomes(legacyTask("working"))]))
        const task = yield* client.tasks.call({ name: "bake" })
        yield* task.release
        yield* task.release
        expect(task.status.state).toBe("abandoned")
        expect(yield* Effect.flip(task.result)).toMatchObject({
          _tag: "TaskCancelled",
          confirmed: false,
        })
        yield* TestClock.adjust("1 hour")
        expect(peer.methods().filter((method) => /cancel|tasks/.test(method))).toEqual([])
      }),
  )

  it.effect("interrupting the wait for the result leaves the task alone", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* open(
        legacyBakery([
          becomes(legacyTask("working")),
          ...looks(legacyTask("completed", 1)),
          ...inTurn("tasks/result", [{ result: baked }]),
        ]),
      )
      const task = yield* client.tasks.call({ name: "bake" })
      const impatient = yield* Effect.forkChild(task.result, { startImmediately: true })
      yield* Fiber.interrupt(impatient)
      yield* TestClock.adjust("2 seconds")
      expect(yield* task.result).toEqual(baked)
      expect(peer.methods()).not.toContain("tasks/cancel")
    }),
  )
})

describe("a call that is given up before there is a handle", () => {
  it.effect("V25-CANC-03 a legacy task is cancelled as soon as its id is known (trap 26)", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* open(
        legacyBakery([
          {
            when: { method: "tools/call" },
            reply: [{ delay: 5_000 }, { result: { task: legacyTask("working") } }],
          },
          cancelled({ result: legacyTask("cancelled", 1) }),
        ]),
      )
      const call = yield* Effect.forkChild(client.tasks.call({ name: "bake" }))
      yield* until(() => peer.requests("tools/call").length === 1)
      yield* Fiber.interrupt(call)
      expect(peer.methods()).not.toContain("notifications/cancelled")
      yield* TestClock.adjust("5 seconds")
      yield* until(() => peer.requests("tasks/cancel").length === 1)
      yield* TestClock.adjust("1 hour")
      expect(peer.requests("tasks/cancel")[0]?.message.params).toMatchObject({ taskId: "tk-5" })
      expect(peer.methods().filter((method) => /cancelled|get/.test(method))).toEqual([])
      expect(client.notes.map(({ code }) => code)).toContain("task-orphaned")
    }),
  )

  it.effect("V25-CANC-03 a plain answer to a call that was given up is discarded (trap 26)", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* open(
        legacyBakery([
          { when: { method: "tools/call" }, reply: [{ delay: 5_000 }, { result: baked }] },
        ]),
      )
      const call = yield* Effect.forkChild(client.tasks.call({ name: "bake" }))
      yield* until(() => peer.requests("tools/call").length === 1)
      yield* Fiber.interrupt(call)
      yield* TestClock.adjust("1 hour")
      expect(peer.methods().filter((method) => /cancel|tasks/.test(method))).toEqual([])
    }),
  )

  it.effect(
    "V25-CANC-03 a call that takes too long is not taken back either; a late task is cancelled",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* open(
          legacyBakery(
            [
              {
                when: { method: "tools/call" },
                reply: [{ delay: 5_000 }, { result: { task: legacyTask("working") } }],
              },
            ],
            { requests: { tools: { call: {} } } },
          ),
        )
        const call = yield* Effect.forkChild(
          Effect.flip(client.tasks.call({ name: "bake" }, { timeoutMs: 1_000 })),
        )
        yield* until(() => peer.requests("tools/call").length === 1)
        yield* TestClock.adjust("1 seconds")
        expect(yield* Fiber.join(call)).toMatchObject({ _tag: "RequestTimeout" })
        yield* TestClock.adjust("4 seconds")
        yield* until(() => client.notes.some(({ code }) => code === "task-uncancelled"))
        expect(peer.methods().filter((method) => /cancel/.test(method))).toEqual([])
      }),
  )

  it.effect(
    "V26-TASK-17 a modern call is taken back as the channel does; a task that comes late is cancelled",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* open(
          modernBakery(
            {
              when: { method: "tools/call" },
              reply: [
                { delay: 5_000 },
                { result: { resultType: "task", ...modernTask("working") } },
              ],
            },
            cancelled({ result: complete }),
          ),
        )
        const call = yield* Effect.forkChild(client.tasks.call({ name: "bake" }))
        yield* until(() => peer.requests("tools/call").length === 1)
        yield* Fiber.interrupt(call)
        yield* until(() => peer.methods().includes("notifications/cancelled"))
        yield* TestClock.adjust("5 seconds")
        yield* until(() => peer.requests("tasks/cancel").length === 1)
        expect(peer.requests("tasks/cancel")[0]?.message.params).toMatchObject({ taskId: "t-5f0c" })
      }),
  )

  it("V26-TASK-17 over modern HTTP its stream is closed, and nothing else is sent", async () => {
    await using peer = await startHttpPeer(
      modernBakery({ when: { method: "tools/call" }, reply: [{ silence: true }] }),
    )
    await using client = await connected(peer.url)
    const stop = new AbortController()
    const reason = reasonOf(client.tasks.call({ name: "bake" }, { signal: stop.signal }))
    await peer.next("tools/call")
    const left = peer.until(({ kind }) => kind === "disconnect")
    stop.abort()
    expect(await reason).toMatchObject({ _tag: "RequestAborted", code: "aborted" })
    await left
    expect(peer.methods()).toEqual(["server/discover", "tools/call"])
  })

  it("V25-CANC-03 over legacy HTTP the request stays open until its task can be cancelled", async () => {
    await using peer = await startHttpPeer(
      legacyBakery([
        { when: { method: "tools/call" }, reply: [{ silence: true }] },
        cancelled({ result: legacyTask("cancelled", 1) }),
      ]),
    )
    await using client = await connected(peer.url, { listen: false })
    const stop = new AbortController()
    const reason = reasonOf(client.tasks.call({ name: "bake" }, { signal: stop.signal }))
    await peer.next("tools/call")
    stop.abort()
    expect(await reason).toMatchObject({ _tag: "RequestAborted" })
    peer.play([{ result: { task: legacyTask("working") } }], { method: "tools/call" })
    const cancel = await peer.next("tasks/cancel")
    expect(cancel.message).toMatchObject({ params: { taskId: "tk-5" } })
    expect(peer.methods()).not.toContain("notifications/cancelled")
  })
})
