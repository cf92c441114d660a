import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { Client, connect, memoryVerdicts, type StoredTask } from "@entente/client"
import { memoryPeer, withRules, legacyServer } from "@entente/testkit"
import { httpPeer, startStdioPeer } from "@entente/testkit/node"
import { http } from "@entente/transport"
import { Trace } from "@entente/trace"
import { stdio } from "@entente/transport/stdio"
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
  tools,
} from "./task-server.js"

describe("a task that outlives what it was created in", () => {
  it.effect("V26-TASK-09 is kept as JSON, and polling goes on in another process", () =>
    Effect.gen(function* () {
      const script = modernBakery(
        becomesModern(modernTask("working")),
        ...modernLooks(modernTask("completed", 1, { result: baked })),
      )
      const peer = memoryPeer(script)
      const first = yield* Client.connect(peer.transport, { verdicts: memoryVerdicts() })
      const task = yield* first.tasks.call({ name: "bake" })
      const kept = JSON.stringify(task)
      yield* first.close
      const second = yield* Client.connect(peer.transport, { verdicts: memoryVerdicts() })
      const resumed = yield* second.tasks.resume(kept)
      expect(resumed.status.state).toBe("submitted")
      expect([resumed.id, resumed.tool]).toEqual(["t-5f0c", "bake"])
      expect(yield* resumed.result).toEqual(baked)
      expect(peer.requests("tasks/get")).toHaveLength(1)
      // The object is as good as its text.
      const again = yield* second.tasks.resume(JSON.parse(kept) as StoredTask)
      expect(yield* again.result).toEqual(baked)
    }),
  )

  it.effect("V26-TASK-09 V25-TASK-16 is resumed at its own server and in its own era only", () =>
    Effect.gen(function* () {
      const { client } = yield* open(modernBakery(becomesModern(modernTask("working"))))
      const task = yield* client.tasks.call({ name: "bake" })
      const kept = task.toJSON()
      if (kept === null) throw new Error("There is a task")
      const invalid = { _tag: "InvalidInput", code: "invalid-input" }
      for (const wrong of [
        "{",
        "null",
        { ...kept, task: 2 as 1 },
        { ...kept, server: "memory:another" },
        { ...kept, era: "legacy" as const },
      ]) {
        const error = yield* Effect.flip(client.tasks.resume(wrong))
        expect(error).toMatchObject(invalid)
        expect(error.message).not.toContain(kept.taskId)
      }
    }),
  )

  it.effect.each([
    [legacyTask("completed", 1), "completed"],
    [undefined, "gone"],
  ] as const)(
    "V25-TASK-16 V25-TASK-15 (trap 36) is asked for in the session that replaced its own: %#",
    ([kept, state]) =>
      Effect.gen(function* () {
        const peer = yield* httpPeer(
          withRules(
            legacyServer({
              tools,
              sessionIds: ["S1", "S2"],
              capabilities: { tools: {}, tasks: { requests: { tools: { call: {} } } } },
            }),
            becomes(legacyTask("working")),
            {
              when: { method: "tasks/get", headers: { "mcp-session-id": "S2" } },
              reply: [
                kept === undefined
                  ? { error: { code: -32_602, message: "Unknown task" } }
                  : { result: kept },
              ],
            },
            ...inTurn("tasks/result", [{ result: baked }]),
          ),
        )
        const client = yield* Client.connect(http(peer.url), {
          verdicts: memoryVerdicts(),
          listen: false,
        })
        const task = yield* client.tasks.call({ name: "bake" })
        peer.add({
          when: { headers: { "mcp-session-id": "S1" } },
          reply: [{ status: 404, id: null, error: { code: -32_001, message: "unknown session" } }],
        })
        yield* passUntil(() => task.status.state === state)
        expect(yield* Effect.result(task.result)).toMatchObject(
          kept === undefined ? { failure: { _tag: "TaskGone" } } : { success: baked },
        )
        expect(peer.requests("initialize")).toHaveLength(2)
        expect(peer.requests("tools/call")).toHaveLength(1)
      }),
  )

  it.effect(
    "V25-TASK-10 a stream of a look or of a result that is cut is no cancellation, and polling goes on",
    () =>
      Effect.gen(function* () {
        const cut = [{ comment: "soon" }, { destroy: true }] as const
        const peer = yield* httpPeer(
          legacyBakery([
            becomes(legacyTask("working")),
            { when: { method: "tasks/get" }, times: 3, reply: cut },
            ...looks(
              legacyTask("input_required", 1),
              legacyTask("input_required", 2),
              legacyTask("completed", 3),
            ),
            { when: { method: "tasks/result" }, times: 3, reply: cut },
            ...inTurn("tasks/result", [{ result: baked }]),
          ]),
        )
        const client = yield* Client.connect(http(peer.url), {
          verdicts: memoryVerdicts(),
          mode: "legacy",
          listen: false,
        })
        const task = yield* client.tasks.call({ name: "bake" })
        yield* passUntil(() => task.status.state === "completed", "250 millis")
        expect(yield* task.result).toEqual(baked)
        expect(peer.requests("tasks/result").length).toBeGreaterThanOrEqual(4)
        expect(peer.methods().filter((method) => method.includes("cancel"))).toEqual([])
      }),
  )

  it(
    "V25-TASK-16 survives a process that died and was started again",
    { timeout: 30_000 },
    async () => {
      await using peer = await startStdioPeer(
        legacyBakery([
          becomes(legacyTask("working", 0, { pollInterval: 200 })),
          { when: { method: "tasks/get" }, times: 1, reply: [{ exit: 1 }] },
          ...looks(legacyTask("completed", 1)),
          ...inTurn("tasks/result", [{ result: baked }]),
        ]),
      )
      await using client = await connected(stdio({ command: peer.command, args: peer.args }), {
        mode: "legacy",
        reconnect: { baseMs: 1 },
      })
      const task = await client.tasks.call({ name: "bake" })
      expect(await task.result()).toEqual(baked)
      expect(peer.requests("tools/call")).toHaveLength(1)
      expect(client.notes.map(({ code }) => code)).toContain("reconnected")
    },
  )

  it.effect("a connection that comes back looks at its tasks at once", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* open(
        modernBakery(
          becomesModern(modernTask("working", 0, { pollIntervalMs: 3_600_000 })),
          ...modernLooks(modernTask("completed", 1, { result: baked })),
        ),
      )
      const task = yield* client.tasks.call({ name: "bake" })
      peer.play([{ destroy: true }])
      yield* until(() => client.state === "recovering")
      yield* TestClock.adjust("1 second")
      expect(yield* task.result).toEqual(baked)
      expect(peer.requests("tools/call")).toHaveLength(1)
    }),
  )

  it.effect(
    "the end of the connection is the end of the watch, not of the task: abandoned, with the reason",
    () =>
      Effect.gen(function* () {
        const { client } = yield* open(
          modernBakery(becomesModern(modernTask("working", 0, { pollIntervalMs: 3_600_000 }))),
        )
        const task = yield* client.tasks.call({ name: "bake" })
        yield* client.close
        expect(task.status.state).toBe("abandoned")
        expect(yield* Effect.flip(task.result)).toMatchObject({ _tag: "ConnectionClosed" })
        expect(task.toJSON()).toMatchObject({ taskId: "t-5f0c" })
        expect(client.connection.tasks.size).toBe(0)
      }),
  )

  it.effect("a connection that fails for good says so to a look that waits for it", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* open(
        modernBakery(becomesModern(modernTask("working")), {
          when: { method: "tasks/get" },
          reply: [{ silence: true }],
        }),
        { reconnect: "never" },
      )
      const task = yield* client.tasks.call({ name: "bake" })
      yield* TestClock.adjust("2 seconds")
      yield* until(() => peer.requests("tasks/get").length === 1)
      peer.play([{ destroy: true }])
      expect(yield* Effect.flip(task.result)).toMatchObject({ _tag: expect.any(String) })
      expect(task.status.state).toBe("abandoned")
      expect(client.state).toBe("failed")
    }),
  )

  it.effect("V25-TASK-16 its life is in the trace, state by state", () =>
    Effect.gen(function* () {
      const trace = new Trace()
      const states: Array<string> = []
      trace.subscribe((event) => {
        if (event.type === "transition" && event.chart === "task") states.push(event.to)
      })
      const { client } = yield* open(
        legacyBakery([
          becomes(legacyTask("working")),
          ...looks(legacyTask("completed", 1)),
          ...inTurn("tasks/result", [{ result: baked }]),
        ]),
        { trace },
      )
      const task = yield* client.tasks.call({ name: "bake" })
      yield* TestClock.adjust("2 seconds")
      yield* task.result
      const shown = states.map((to) => /live\.status\.(\w+)/.exec(to)?.[1] ?? to)
      expect(shown.filter((state, at) => state !== shown[at - 1])).toEqual([
        "submitted",
        "working",
        "fetching",
        "completed",
      ])
    }),
  )
})

describe("tasks through the door of promises", () => {
  it("a handle: id, statuses, result, cancel, answer, release, and what is kept", async () => {
    const peer = memoryPeer(
      modernBakery(
        becomesModern(modernTask("working", 0, { pollIntervalMs: 200 })),
        ...modernLooks(
          modernTask("input_required", 1, {
            pollIntervalMs: 200,
            inputRequests: { go: { method: "roots/list" } },
          }),
          modernTask("completed", 2, { result: baked }),
        ),
        { when: { method: "tasks/update" }, reply: [{ result: { resultType: "complete" } }] },
        { when: { method: "tasks/cancel" }, reply: [{ result: { resultType: "complete" } }] },
      ),
    )
    await using client = await connect(peer.transport, { verdicts: memoryVerdicts() })
    const task = await client.tasks.call({ name: "bake" })
    const heard: Array<string> = []
    const stop = task.onStatus(({ state }) => heard.push(state))
    expect([task.id, task.tool, task.immediateResponse]).toEqual(["t-5f0c", "bake", undefined])
    const seen: Array<string> = []
    for await (const { state, inputRequests } of task.statuses()) {
      seen.push(state)
      if (Object.hasOwn(inputRequests, "go")) await task.answer({ go: { roots: [] } })
    }
    expect(seen[0]).toBe("working")
    expect(seen.at(-1)).toBe("completed")
    expect(heard.at(-1)).toBe("completed")
    stop()
    expect(await task.result()).toEqual(baked)
    expect(await task.cancel()).toBe("ended")
    expect(await client.tasks.get("t-5f0c")).toMatchObject({ state: "completed" })
    expect(await client.tasks.list()).toMatchObject({ status: "unsupported" })
    const resumed = await client.tasks.resume(JSON.stringify(task))
    expect(await resumed.result()).toEqual(baked)
    await expect(client.tasks.resume("{")).rejects.toMatchObject({ _tag: "InvalidInput" })
  })

  it("an abort of the wait for a result leaves the task alone", async () => {
    const peer = memoryPeer(
      modernBakery(becomesModern(modernTask("working", 0, { pollIntervalMs: 3_600_000 }))),
    )
    await using client = await connect(peer.transport, { verdicts: memoryVerdicts() })
    const task = await client.tasks.call({ name: "bake" })
    const stop = new AbortController()
    const reason = reasonOf(task.result({ signal: stop.signal }))
    stop.abort()
    expect(await reason).toMatchObject({ _tag: "RequestAborted", code: "aborted" })
    expect(task.status.state).toBe("working")
    task.release()
    expect(task.status.state).toBe("abandoned")
    await expect(task.result()).rejects.toMatchObject({ _tag: "TaskCancelled", confirmed: false })
    expect(peer.methods()).not.toContain("tasks/cancel")
  })
})
