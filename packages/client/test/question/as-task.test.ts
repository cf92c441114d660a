import { describe, expect } from "vitest"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import {
  Client,
  memoryVerdicts,
  UserRefused,
  type ConnectOptions,
  type Handlers,
  type QuestionContext,
} from "@entente/client"
import type { JsonObject } from "@entente/protocol"
import {
  legacyServer,
  memoryPeer,
  notification,
  request,
  type MemoryPeer,
  type ReceivedRequest,
} from "@entente/testkit"
import { connected, noted } from "../field/connected.js"
import { until } from "../field/scripted-http.js"
import { answer, answers, answerTo, error, offers, result, server } from "./asking-server.js"
import { form, pending, root, said, sample } from "./registry.js"

const method = "sampling/createMessage"
const relatedTask = "io.modelcontextprotocol/related-task"

/** What a person wants answered as a task, with a handler that the test settles. */
const slow = () => {
  const asked = pending<QuestionContext>()
  const answered = pending<typeof said>()
  const sampling: Handlers["sampling"] = (_, context) => {
    asked.resolve(context)
    return answered.promise
  }
  return { sampling, asked: asked.promise, ...answered }
}

const opened = async (handlers: Handlers, options: ConnectOptions = {}) => {
  const peer = memoryPeer(server)
  const client = await connected(peer.transport, { mode: "legacy", handlers, ...options })
  return { peer, client }
}

const wish = (more: JsonObject = {}): JsonObject => ({ ...sample(), task: {}, ...more })

const declaredTasks = (initialize: ReceivedRequest | undefined): unknown =>
  (initialize?.message.params?.["capabilities"] as JsonObject | undefined)?.["tasks"]

const taskOf = (message: unknown): JsonObject =>
  (message as { readonly result: { readonly task: JsonObject } }).result.task

/** Has a question become a task, and gives its id. */
const begin = async (peer: MemoryPeer, id: number, params = wish()): Promise<string> =>
  String(taskOf(await answerTo(peer, id, method, params))["taskId"])

describe("a legacy server that wants its answers as tasks", () => {
  it("V25-CAP-08 V25-TASK-19 is told what may become one, and nothing where the host did not say so", async () => {
    const sampling = () => said
    const elicitation = { form: () => ({ action: "decline" }) as const }
    const rows: ReadonlyArray<readonly [Handlers, unknown]> = [
      [{ sampling }, undefined],
      [{ roots: [root], asTasks: true }, undefined],
      [
        { sampling, asTasks: true },
        { list: {}, cancel: {}, requests: { sampling: { createMessage: {} } } },
      ],
      [
        { sampling, elicitation, asTasks: true },
        {
          list: {},
          cancel: {},
          requests: { sampling: { createMessage: {} }, elicitation: { create: {} } },
        },
      ],
    ]
    for (const [handlers, tasks] of rows) {
      const { peer, client } = await opened(handlers)
      const [initialize] = peer.requests("initialize")
      expect(initialize?.message.params?.["capabilities"]).toMatchObject(
        "sampling" in handlers ? { sampling: {} } : { roots: {} },
      )
      expect(declaredTasks(initialize)).toEqual(tasks)
      await client.close()
    }
  })

  it("V25-TASK-19 V25-CAP-08 gets a plain answer to what was not declared, whatever it wishes", async () => {
    const { peer, client } = await opened({ sampling: () => said })
    await using _ = client
    expect(await answerTo(peer, 1, method, wish())).toEqual(result(1, said))
    expect(await answerTo(peer, 2, "tasks/get", { taskId: "x" })).toMatchObject(error(2, -32601))
  })

  it("V25-TASK-20 V25-TASK-12 gets a working task at once, with an id that cannot be guessed", async () => {
    const { sampling } = slow()
    const { peer, client } = await opened({ sampling, asTasks: true })
    await using _ = client
    const created = await answerTo(peer, 1, method, wish({ task: { ttl: 5_000 } }))
    const task = taskOf(created)
    expect(task).toEqual({
      taskId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: "working",
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      lastUpdatedAt: task["createdAt"],
      ttl: 5_000,
      pollInterval: 1_000,
    })
    expect(created).toMatchObject({
      result: { _meta: { [relatedTask]: { taskId: task["taskId"] } } },
    })
    expect(await begin(peer, 2)).not.toBe(task["taskId"])
    expect(await answerTo(peer, 3, "tasks/get", { taskId: task["taskId"] })).toEqual(
      result(3, task),
    )
  })

  it("V25-TASK-20 V25-TASK-22 V25-TASK-12 waits in tasks/result until there is one, and gets exactly that", async () => {
    const { sampling, resolve } = slow()
    const { peer, client } = await opened({ sampling, asTasks: true })
    await using _ = client
    const taskId = await begin(peer, 1)
    peer.send(request(2, "tasks/result", { taskId }))
    // V25-PING-01: nothing else waits meanwhile.
    expect(await answerTo(peer, 3, "ping")).toEqual(result(3, {}))
    resolve(said)
    const expected = { ...said, _meta: { [relatedTask]: { taskId } } }
    expect(await answer(peer, 2)).toEqual(result(2, expected))
    // Whatever else says which task it is, `taskId` alone counts.
    const params = { taskId, _meta: { [relatedTask]: { taskId: "another" } } }
    expect(await answerTo(peer, 4, "tasks/result", params)).toEqual(result(4, expected))
    expect(await answerTo(peer, 5, "tasks/get", params)).toMatchObject({
      result: { taskId, status: "completed" },
    })
    expect(peer.methods()).toContain("notifications/tasks/status")
  })

  it("V25-TASK-22 V25-SAMP-03 gets the very error of a refusal, and a task that failed", async () => {
    const sampling = () => {
      throw new UserRefused()
    }
    const { peer, client } = await opened({ sampling, asTasks: true })
    await using _ = client
    const taskId = await begin(peer, 1)
    expect(await answerTo(peer, 2, "tasks/result", { taskId })).toMatchObject(error(2, -1))
    expect(await answerTo(peer, 3, "tasks/get", { taskId })).toMatchObject({
      result: { status: "failed", statusMessage: "The user refused" },
    })
  })

  it("V25-TASK-20 V25-TASK-13 cancels one: cancelled before it is told so, for good, and its handler stops", async () => {
    const { sampling, asked, resolve } = slow()
    const { peer, client } = await opened({ sampling, asTasks: true })
    await using _ = client
    const taskId = await begin(peer, 1)
    const { signal } = await asked
    expect(await answerTo(peer, 2, "tasks/cancel", { taskId })).toMatchObject({
      result: { taskId, status: "cancelled" },
    })
    expect(signal.aborted).toBe(true)
    resolve(said)
    expect(await answerTo(peer, 3, "tasks/get", { taskId })).toMatchObject({
      result: { status: "cancelled" },
    })
    expect(await answerTo(peer, 4, "tasks/result", { taskId })).toMatchObject(error(4, -32603))
    expect(await answerTo(peer, 5, "tasks/cancel", { taskId })).toMatchObject(error(5, -32602))
  })

  it("V25-TASK-20 V25-TASK-15 is told of ids that do not exist", async () => {
    const { peer, client } = await opened({ sampling: () => said, asTasks: true })
    await using _ = client
    let id = 0
    for (const about of ["tasks/get", "tasks/result", "tasks/cancel"]) {
      for (const taskId of ["x", "__proto__", 7]) {
        expect(await answerTo(peer, ++id, about, { taskId })).toMatchObject(error(id, -32602))
      }
    }
  })

  it("V25-TASK-22 V25-TASK-14 lists them page by page, and refuses a cursor that it did not give", async () => {
    const { sampling } = slow()
    const { peer, client } = await opened({ sampling, asTasks: { most: 60 } })
    await using _ = client
    const ids: Array<string> = []
    for (let id = 1; id <= 51; id++) ids.push(await begin(peer, id))
    const first = (await answerTo(peer, 100, "tasks/list", {})) as {
      readonly result: { readonly tasks: ReadonlyArray<JsonObject>; readonly nextCursor: string }
    }
    expect(first.result.tasks.map(({ taskId }) => taskId)).toEqual(ids.slice(0, 50))
    const cursor = first.result.nextCursor
    const second = await answerTo(peer, 101, "tasks/list", { cursor })
    expect(second).toMatchObject({ result: { tasks: [{ taskId: ids[50] }] } })
    expect(second).not.toHaveProperty("result.nextCursor")
    expect(await answerTo(peer, 102, "tasks/list", { cursor: "?" })).toMatchObject(
      error(102, -32602),
    )
  })

  it("V25-TASK-21 is refused more of them than the bounds allow", async () => {
    const { sampling } = slow()
    const { peer, client } = await opened({ sampling, asTasks: { most: 2 } })
    await using _ = client
    await begin(peer, 1)
    await begin(peer, 2)
    expect(await answerTo(peer, 3, method, wish())).toMatchObject(error(3, -32603))
    expect(noted(client)).toContain("question-refused")
  })

  it("V25-TASK-23 knows no task of another server", async () => {
    const { sampling } = slow()
    const one = await opened({ sampling, asTasks: true })
    const other = await opened({ sampling, asTasks: true })
    await using _ = one.client
    await using __ = other.client
    const taskId = await begin(one.peer, 1)
    expect(await answerTo(other.peer, 1, "tasks/get", { taskId })).toMatchObject(error(1, -32602))
    expect(await answerTo(other.peer, 2, "tasks/list", {})).toEqual(result(2, { tasks: [] }))
  })

  it("V25-PROG-05 V25-PROG-04 V25-TASK-18 is told of progress under its own token until the task is over, and not after", async () => {
    const { sampling, asked, resolve } = slow()
    const { peer, client } = await opened({ sampling, asTasks: true })
    await using _ = client
    const taskId = await begin(peer, 1, wish({ _meta: { progressToken: "p" } }))
    const context = await asked
    context.progress(1, 2)
    const told = await peer.next("notifications/progress")
    expect(told.message).toMatchObject({
      params: { progressToken: "p", progress: 1, total: 2, _meta: { [relatedTask]: { taskId } } },
    })
    resolve(said)
    await answerTo(peer, 2, "tasks/result", { taskId })
    context.progress(2, 2)
    await answerTo(peer, 3, "ping")
    expect(peer.methods().filter((name) => name === "notifications/progress")).toHaveLength(1)
  })

  it("V25-CANC-05 V25-CANC-03 cannot take a task back with notifications/cancelled", async () => {
    const { sampling, asked, resolve } = slow()
    const { peer, client } = await opened({ sampling, asTasks: true })
    await using _ = client
    const taskId = await begin(peer, 1)
    peer.send(notification("notifications/cancelled", { requestId: 1 }))
    await answerTo(peer, 2, "ping")
    expect((await asked).signal.aborted).toBe(false)
    resolve(said)
    expect(await answerTo(peer, 3, "tasks/result", { taskId })).toMatchObject({ result: said })
  })

  it("V25-ELI-16 has forms answered as tasks too", async () => {
    const elicitation = { form: () => ({ action: "accept", content: { f: "x" } }) as const }
    const { peer, client } = await opened({ elicitation, asTasks: true })
    await using _ = client
    const params = { ...form({ f: { type: "string" } }), task: {} }
    const created = await answerTo(peer, 1, "elicitation/create", params)
    const taskId = taskOf(created)["taskId"]
    expect(await answerTo(peer, 2, "tasks/result", { taskId })).toMatchObject({
      result: { action: "accept", content: { f: "x" } },
    })
  })

  it("V25-LIFE-12 of an older revision has no tasks, whatever was declared", async () => {
    const peer = memoryPeer(legacyServer({ ...offers, revision: "2025-06-18" }))
    await using _ = await connected(peer.transport, {
      mode: "legacy",
      handlers: { sampling: () => said, asTasks: true },
    })
    expect(await answerTo(peer, 1, method, wish())).toEqual(result(1, said))
    expect(await answerTo(peer, 2, "tasks/list")).toMatchObject(error(2, -32601))
  })

  it.effect(
    "V25-TASK-20 V25-TASK-21 V25-TASK-15 keeps a task for its time and no longer, and not for longer than the bounds",
    () =>
      Effect.gen(function* () {
        const { sampling, asked } = slow()
        const peer = memoryPeer(server)
        yield* Client.connect(peer.transport, {
          mode: "legacy",
          verdicts: memoryVerdicts(),
          handlers: { sampling, asTasks: { maxTtlMs: 60_000 } },
        })
        peer.send(request(1, method, wish({ task: { ttl: 1e12 } })))
        const context = yield* Effect.promise(() => asked)
        yield* until(() => answers(peer).length === 1)
        const task = taskOf(answers(peer)[0])
        expect(task["ttl"]).toBe(60_000)
        yield* TestClock.adjust("59 seconds")
        expect(context.signal.aborted).toBe(false)
        yield* TestClock.adjust("1 seconds")
        expect(context.signal.aborted).toBe(true)
        peer.send(request(2, "tasks/get", { taskId: task["taskId"] }))
        yield* until(() => answers(peer).length === 2)
        expect(answers(peer)[1]).toMatchObject(error(2, -32602))
      }),
  )
})
