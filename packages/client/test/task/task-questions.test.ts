import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import type { FormAnswer } from "@entente/client"
import type { JsonObject } from "@entente/protocol"
import type { Peer, Rule } from "@entente/testkit"
import { form, sampling } from "../conversation/asking-server.js"
import { passUntil, until } from "../field/scripted-http.js"
import {
  baked,
  becomes,
  becomesModern,
  inTurn,
  legacyBakery,
  legacyTask,
  modernBakery,
  modernLooks,
  modernTask,
  open,
  tasksExtension,
} from "./task-server.js"

const complete = { resultType: "complete" }
const updates: Rule = { when: { method: "tasks/update" }, reply: [{ result: complete }] }
const accept = (ok: boolean): FormAnswer => ({ action: "accept", content: { ok } })

const asks = (second: number, inputRequests: JsonObject) =>
  modernTask("input_required", second, { inputRequests })

const answersIn = (peer: Peer): ReadonlyArray<unknown> =>
  peer.requests("tasks/update").map(({ message }) => message.params?.["inputResponses"])

/** Handlers of forms, with the messages they were asked with. */
const counting = (answer: () => FormAnswer | Promise<FormAnswer> = () => accept(true)) => {
  const asked: Array<string> = []
  return {
    asked,
    handlers: {
      elicitation: {
        form: ({ message }: { readonly message: string }) => {
          asked.push(message)
          return answer()
        },
      },
    },
  }
}

describe("what a task of the extension asks", () => {
  it.effect(
    "V26-TASK-01 V26-TASK-12 V26-TASK-13 V26-TASK-14 V26-TASK-15 is asked once over many polls, and answered by an update",
    () =>
      Effect.gen(function* () {
        const { asked, handlers } = counting()
        const { peer, client } = yield* open(
          modernBakery(
            becomesModern(modernTask("working")),
            ...modernLooks(
              asks(1, { go: form("Drop the old index?") }),
              asks(2, { go: form("Drop the old index?") }),
              asks(3, { go: form("Drop the old index?") }),
              modernTask("completed", 4, { result: baked }),
            ),
            updates,
          ),
          { handlers },
        )
        const task = yield* client.tasks.call({ name: "bake" })
        yield* passUntil(() => task.status.state === "completed")
        expect(yield* task.result).toEqual(baked)
        expect(asked).toEqual(["Drop the old index?"])
        expect(peer.requests("tasks/update").map(({ message }) => message.params)).toMatchObject([
          {
            taskId: "t-5f0c",
            inputResponses: { go: { action: "accept", content: { ok: true } } },
            _meta: {
              "io.modelcontextprotocol/clientCapabilities": {
                elicitation: { form: {} },
                extensions: { [tasksExtension]: {} },
              },
            },
          },
        ])
        expect(peer.requests("tools/call")).toHaveLength(1)
        // V26-RTYPE-06: answers are no results.
        expect(JSON.stringify(answersIn(peer))).not.toContain("resultType")
      }),
  )

  it.effect(
    "V26-TASK-13 what comes together is asked together and answered together, under the server's own keys",
    () =>
      Effect.gen(function* () {
        const answers: Array<(answer: FormAnswer) => void> = []
        const { asked, handlers } = counting(
          () => new Promise<FormAnswer>((resolve) => answers.push(resolve)),
        )
        const inputRequests = JSON.parse(
          `{"__proto__":${JSON.stringify(form("one"))},"b":${JSON.stringify(form("two"))}}`,
        ) as JsonObject
        const { peer, client } = yield* open(
          modernBakery(
            becomesModern(modernTask("working")),
            ...modernLooks(asks(1, inputRequests)),
            updates,
          ),
          { handlers },
        )
        const task = yield* client.tasks.call({ name: "bake" })
        yield* TestClock.adjust("2 seconds")
        yield* until(() => asked.length === 2)
        expect(task.inputRequests).toEqual({})
        answers[1]?.(accept(false))
        yield* TestClock.adjust("2 seconds")
        expect(peer.requests("tasks/update")).toHaveLength(0)
        answers[0]?.(accept(true))
        yield* until(() => peer.requests("tasks/update").length === 1)
        expect(Object.entries(answersIn(peer)[0] as object)).toEqual([
          ["__proto__", { action: "accept", content: { ok: true } }],
          ["b", { action: "accept", content: { ok: false } }],
        ])
        expect(asked).toEqual(["one", "two"])
      }),
  )

  it.effect("V26-TASK-13 an answer whose way was lost goes again, and nobody is asked twice", () =>
    Effect.gen(function* () {
      const { asked, handlers } = counting()
      const { peer, client } = yield* open(
        modernBakery(
          becomesModern(modernTask("working")),
          ...modernLooks(asks(1, { go: form("Go?") })),
          { when: { method: "tasks/update" }, times: 1, reply: [{ silence: true }] },
          updates,
        ),
        { handlers, timeoutMs: 3_000 },
      )
      const task = yield* client.tasks.call({ name: "bake" })
      yield* passUntil(() => peer.requests("tasks/update").length === 2)
      expect(answersIn(peer)[1]).toEqual(answersIn(peer)[0])
      yield* TestClock.adjust("10 seconds")
      expect(asked).toEqual(["Go?"])
      expect(peer.requests("tasks/update")).toHaveLength(2)
      expect(task.status.state).toBe("inputRequired")
    }),
  )

  it.effect("what no handler answers is shown, and waits for an answer by hand", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* open(
        modernBakery(
          becomesModern(modernTask("working")),
          ...modernLooks(asks(1, { go: form("Go?"), deep: sampling() })),
          updates,
        ),
      )
      const task = yield* client.tasks.call({ name: "bake" })
      yield* passUntil(() => Object.keys(task.inputRequests).length === 2)
      expect(task.status).toMatchObject({
        state: "inputRequired",
        inputRequests: { go: {}, deep: {} },
      })
      expect(peer.requests("tasks/update")).toHaveLength(0)
      yield* task.answer({ go: { action: "accept", content: { ok: true } } })
      expect(answersIn(peer)).toEqual([{ go: { action: "accept", content: { ok: true } } }])
      expect(Object.keys(task.inputRequests)).toEqual(["deep"])
      yield* TestClock.adjust("10 seconds")
      expect(Object.keys(task.inputRequests)).toEqual(["deep"])
      expect(peer.requests("tasks/update")).toHaveLength(1)
    }),
  )

  it.effect("by hand is by hand, also where there are handlers", () =>
    Effect.gen(function* () {
      const { asked, handlers } = counting()
      const { client } = yield* open(
        modernBakery(
          becomesModern(modernTask("working")),
          ...modernLooks(asks(1, { go: form("Go?") })),
        ),
        { handlers },
      )
      const task = yield* client.tasks.call({ name: "bake" }, { input: "manual" })
      yield* passUntil(() => Object.keys(task.inputRequests).length === 1)
      expect(asked).toEqual([])
    }),
  )

  it.effect("an answer by hand comes before a handler that is still at it, which is stopped", () =>
    Effect.gen(function* () {
      let stopped = false
      const { peer, client } = yield* open(
        modernBakery(
          becomesModern(modernTask("working")),
          ...modernLooks(asks(1, { go: form("Go?") })),
          updates,
        ),
        {
          handlers: {
            elicitation: {
              form: (_, { signal }) =>
                new Promise<FormAnswer>(() => {
                  signal.addEventListener("abort", () => (stopped = true))
                }),
            },
          },
        },
      )
      const task = yield* client.tasks.call({ name: "bake" })
      yield* passUntil(() => task.status.state === "inputRequired")
      yield* task.answer({ go: { action: "decline" } })
      yield* until(() => stopped)
      expect(answersIn(peer)).toEqual([{ go: { action: "decline" } }])
    }),
  )

  it.effect(
    "an answer to no question, or that is none, is refused here; one the server refuses fails",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* open(
          modernBakery(
            becomesModern(modernTask("working")),
            ...modernLooks(asks(1, { go: form("Go?") })),
            ...inTurn(
              "tasks/update",
              [{ error: { code: -32_603, message: "no" } }],
              [{ result: complete }],
            ),
          ),
        )
        const task = yield* client.tasks.call({ name: "bake" })
        yield* passUntil(() => Object.keys(task.inputRequests).length === 1)
        const invalid = { _tag: "InvalidInput" }
        expect(yield* Effect.flip(task.answer({ stop: { action: "decline" } }))).toMatchObject(
          invalid,
        )
        expect(yield* Effect.flip(task.answer({ go: { action: "maybe" } as never }))).toMatchObject(
          invalid,
        )
        expect(peer.requests("tasks/update")).toHaveLength(0)
        expect(yield* Effect.flip(task.answer({ go: { action: "decline" } }))).toMatchObject({
          _tag: "PeerError",
        })
        expect(Object.keys(task.inputRequests)).toEqual(["go"])
        yield* task.answer({ go: { action: "decline" } })
        expect(task.inputRequests).toEqual({})
      }),
  )

  it.effect(
    "what a handler refuses to answer, or the server to take, is left to whoever holds the task",
    () =>
      Effect.gen(function* () {
        const { peer, client } = yield* open(
          modernBakery(
            becomesModern(modernTask("working")),
            ...modernLooks(asks(1, { go: form("Go?"), deep: sampling() })),
            {
              when: { method: "tasks/update" },
              reply: [{ error: { code: -32_602, message: "no" } }],
            },
          ),
          {
            handlers: {
              elicitation: { form: () => accept(true) },
              sampling: () => Promise.reject(new Error("no model")),
            },
          },
        )
        const task = yield* client.tasks.call({ name: "bake" })
        yield* passUntil(() => Object.keys(task.inputRequests).length === 2)
        expect(answersIn(peer)).toEqual([{ go: { action: "accept", content: { ok: true } } }])
        expect(client.notes.map(({ code }) => code)).toContain("question-refused")
      }),
  )

  it.effect("V26-TASK-14 a dialog is closed when its task ends without it", () =>
    Effect.gen(function* () {
      let closed = false
      const { client } = yield* open(
        modernBakery(
          becomesModern(modernTask("working")),
          ...modernLooks(asks(1, { go: form("Go?") }), modernTask("cancelled", 2)),
        ),
        {
          handlers: {
            elicitation: {
              form: (_, { signal }) =>
                new Promise<FormAnswer>(() => {
                  signal.addEventListener("abort", () => (closed = true))
                }),
            },
          },
        },
      )
      const task = yield* client.tasks.call({ name: "bake" })
      yield* passUntil(() => task.status.state === "cancelled")
      yield* until(() => closed)
    }),
  )

  it.effect(
    "V25-TASK-09 a legacy server asks with requests of its own, which are not answered by hand",
    () =>
      Effect.gen(function* () {
        const { client } = yield* open(legacyBakery([becomes(legacyTask("input_required"))]))
        const task = yield* client.tasks.call({ name: "bake" })
        expect(yield* Effect.flip(task.answer({}))).toMatchObject({ _tag: "InvalidInput" })
      }),
  )

  it.effect("a thousand questions of one task are asked, and not one more", () =>
    Effect.gen(function* () {
      const { asked, handlers } = counting()
      const many = (from: number) =>
        Object.fromEntries(
          Array.from({ length: 90 }, (_, at) => [`k${from + at}`, form(`${from + at}`)]),
        )
      const { client } = yield* open(
        modernBakery(
          becomesModern(modernTask("working")),
          ...modernLooks(...Array.from({ length: 13 }, (_, at) => asks(at, many(at * 90)))),
          updates,
        ),
        { handlers },
      )
      const task = yield* client.tasks.call({ name: "bake" })
      yield* passUntil(() => Object.keys(task.inputRequests).length > 0, "500 millis")
      expect(asked).toHaveLength(1_000)
    }),
  )
})
