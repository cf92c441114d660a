import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { tasksExtension } from "@entente/protocol"
import type { Rule } from "@entente/testkit"
import { startHttpPeer } from "@entente/testkit/node"
import { connected, reasonOf } from "../field/connected.js"
import { form } from "../conversation/asking-server.js"
import { passUntil, until } from "../field/scripted-http.js"
import {
  baked,
  becomesModern,
  inTurn,
  legacyBakery,
  modernBakery,
  modernLooks,
  modernTask,
  open,
} from "./task-server.js"

const complete = { resultType: "complete" }
const cancels: Rule = { when: { method: "tasks/cancel" }, reply: [{ result: complete }] }
const updates: Rule = { when: { method: "tasks/update" }, reply: [{ result: complete }] }
const working = becomesModern(modernTask("working"))

describe("a call that a modern server turns into a task", () => {
  it.effect("V26-TASK-26 V26-TASK-02 brings its final result, as if there had been none", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* open(
        modernBakery(
          working,
          ...modernLooks(
            modernTask("input_required", 1, { inputRequests: { go: form("Go?") } }),
            modernTask("completed", 2, { result: baked }),
          ),
          updates,
        ),
        {
          tasks: true,
          handlers: { elicitation: { form: () => ({ action: "accept", content: { ok: true } }) } },
        },
      )
      const call = yield* Effect.forkChild(client.callTool({ name: "bake" }))
      yield* passUntil(() => peer.requests("tasks/get").length === 2)
      expect(yield* Fiber.join(call)).toEqual(baked)
      expect(peer.requests("tasks/update")).toHaveLength(1)
      expect(peer.requests("tools/call")).toHaveLength(1)
    }),
  )

  it.effect("V26-TASK-11 fails with the server's error, or as gone, as the task does", () =>
    Effect.gen(function* () {
      for (const [look, error] of [
        [
          {
            result: {
              ...complete,
              ...modernTask("failed", 1, { error: { code: -1, message: "no" } }),
            },
          },
          { _tag: "PeerError", rpcCode: -1 },
        ],
        [{ error: { code: -32_602, message: "?" } }, { _tag: "TaskGone" }],
        [
          { result: { ...complete, ...modernTask("cancelled", 1) } },
          { _tag: "TaskCancelled", confirmed: true },
        ],
      ] as const) {
        const { client } = yield* open(modernBakery(working, ...inTurn("tasks/get", [look])), {
          tasks: true,
        })
        const call = yield* Effect.forkChild(Effect.flip(client.callTool({ name: "bake" })))
        yield* passUntil(() => call.pollUnsafe() !== undefined)
        expect(yield* Fiber.join(call)).toMatchObject(error)
      }
    }),
  )

  it.effect(
    "V26-EXT-04 V26-TASK-01 V26-EXT-07 the option declares the extension on every modern request, and on no legacy one",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* open(modernBakery(), { tasks: true })
        yield* client.tools.list()
        yield* client.callTool({ name: "plain" })
        for (const { message } of peer.requests()) {
          expect(message.params).toMatchObject({
            _meta: {
              "io.modelcontextprotocol/clientCapabilities": {
                extensions: { [tasksExtension]: {} },
              },
            },
          })
        }
        const legacy = yield* open(legacyBakery([]), { tasks: true, mode: "legacy" })
        expect(legacy.peer.requests("initialize")[0]?.message.params).toMatchObject({
          capabilities: {},
        })
        expect(
          legacy.peer.requests("initialize")[0]?.message.params?.["capabilities"],
        ).not.toHaveProperty("extensions")
      }),
  )

  it.effect(
    "V26-TASK-16 V26-CANC-08 giving it up cancels the task, and sends no notification",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* open(
          modernBakery(working, ...modernLooks(modernTask("working", 1)), cancels),
          { tasks: true },
        )
        const call = yield* Effect.forkChild(client.callTool({ name: "bake" }))
        yield* passUntil(() => peer.requests("tasks/get").length === 1)
        yield* Fiber.interrupt(call)
        yield* until(() => peer.requests("tasks/cancel").length === 1)
        yield* TestClock.adjust("1 hour")
        expect(peer.requests("tasks/cancel")).toHaveLength(1)
        expect(peer.requests("tasks/get")).toHaveLength(1)
        expect(peer.methods()).not.toContain("notifications/cancelled")
      }),
  )

  it("V26-TASK-16 V26-CANC-08 an abort does so too, through the other door and over HTTP", async () => {
    await using peer = await startHttpPeer(
      modernBakery(
        becomesModern(modernTask("working", 0, { pollIntervalMs: 200 })),
        ...modernLooks(modernTask("working", 1, { pollIntervalMs: 3_600_000 })),
        cancels,
      ),
    )
    await using client = await connected(peer.url, { tasks: true })
    const stop = new AbortController()
    const reason = reasonOf(client.callTool({ name: "bake" }, { signal: stop.signal }))
    // The task is known here by its first poll.
    await peer.next("tasks/get")
    stop.abort()
    expect(await reason).toMatchObject({ _tag: "RequestAborted", method: "tools/call" })
    const cancel = await peer.next("tasks/cancel")
    expect(cancel.headers).toMatchObject({ "mcp-name": "t-5f0c" })
    expect(peer.methods()).toEqual(["server/discover", "tools/call", "tasks/get", "tasks/cancel"])
  })

  it.effect(
    "a question that nobody answers gives it up, because nobody holds the task who could",
    () =>
      Effect.gen(function* () {
        const asks = modernTask("input_required", 1, { inputRequests: { go: form("Go?") } })
        for (const options of [{}, { input: "manual" }] as const) {
          const { peer, client } = yield* open(
            modernBakery(working, ...modernLooks(asks), cancels),
            {
              tasks: true,
              ...(Object.hasOwn(options, "input") && {
                handlers: { elicitation: { form: () => ({ action: "decline" as const }) } },
              }),
            },
          )
          const call = yield* Effect.forkChild(
            Effect.flip(client.callTool({ name: "bake" }, options)),
          )
          yield* passUntil(() => peer.requests("tasks/cancel").length === 1)
          expect(yield* Fiber.join(call)).toMatchObject({
            _tag: "QuestionRefused",
            kind: "unsupported",
            method: "elicitation/create",
          })
          expect(peer.requests("tasks/update")).toHaveLength(0)
        }
      }),
  )

  it.effect("the total time-out of the call is the task's as well", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* open(
        modernBakery(working, ...modernLooks(modernTask("working", 1)), cancels),
        { tasks: true },
      )
      const call = yield* Effect.forkChild(
        Effect.flip(client.callTool({ name: "bake" }, { maxTotalTimeoutMs: 5_000 })),
      )
      yield* passUntil(() => peer.requests("tasks/cancel").length === 1)
      expect(yield* Fiber.join(call)).toMatchObject({
        _tag: "RequestTimeout",
        timeoutMs: 5_000,
        method: "tools/call",
      })
    }),
  )

  it.effect("what comes after it gets its result all the same, where it ends in time", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* open(
        modernBakery(
          becomesModern(modernTask("working", 0, { pollIntervalMs: 200 })),
          ...modernLooks(modernTask("completed", 1, { result: baked })),
          cancels,
        ),
        { tasks: true, maxTotalTimeoutMs: 5_000 },
      )
      const call = yield* Effect.forkChild(client.callTool({ name: "bake" }))
      yield* passUntil(() => call.pollUnsafe() !== undefined)
      expect(yield* Fiber.join(call)).toEqual(baked)
      yield* TestClock.adjust("1 hour")
      expect(peer.requests("tasks/cancel")).toHaveLength(0)
    }),
  )

  it.effect("a task that is broken where it is created fails the call", () =>
    Effect.gen(function* () {
      const { client } = yield* open(
        modernBakery(becomesModern({ taskId: "t-5f0c", status: "working" })),
        { tasks: true },
      )
      expect(yield* Effect.flip(client.callTool({ name: "bake" }))).toMatchObject({
        _tag: "ProtocolViolation",
        code: "invalid-result",
      })
    }),
  )

  it.effect("the end of the connection ends it, with nothing left behind", () =>
    Effect.gen(function* () {
      const { client } = yield* open(
        modernBakery(working, ...modernLooks(modernTask("working", 1))),
        {
          tasks: true,
        },
      )
      const call = yield* Effect.forkChild(Effect.flip(client.callTool({ name: "bake" })))
      yield* until(() => client.connection.tasks.size === 1)
      yield* client.close
      expect(yield* Fiber.join(call)).toMatchObject({ _tag: "ConnectionClosed" })
      expect(client.connection.tasks.size).toBe(0)
    }),
  )
})
