import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { legacyServer, tool, withRules } from "@entente/testkit"
import { becomes, legacyBakery, legacyTask, open, tools } from "./task-server.js"

/** What goes out for a tool on a server that offers tasks, or does not. */
const called = (name: string, tasks: "offered" | "absent") =>
  Effect.gen(function* () {
    const { peer, client } = yield* open(
      legacyBakery([becomes(legacyTask("working"))], tasks === "absent" ? { list: {} } : undefined),
    )
    const outcome = yield* Effect.result(client.tasks.call({ name, arguments: { n: 1 } }))
    const calls = peer.requests("tools/call").map(({ message }) => message.params)
    const lists = peer.requests("tools/list").length
    yield* Effect.ignore(client.tasks.call({ name }))
    return { outcome, calls, lists, listsLater: peer.requests("tools/list").length }
  })

describe("whether a tool of 2025-11-25 is called as a task", () => {
  it.effect.each([
    ["plain", "offered", "plain"],
    ["never", "offered", "plain"],
    ["odd", "offered", "plain"],
    ["bake", "offered", "augmented"],
    ["must", "offered", "augmented"],
    ["plain", "absent", "plain"],
    ["never", "absent", "plain"],
    ["bake", "absent", "plain"],
    ["must", "absent", "impossible"],
    ["unheard-of", "offered", "plain"],
  ] as const)(
    "V25-TASK-01 V25-TASK-02 V25-TOOL-14 %s, on a server where tasks are %s: %s",
    ([name, tasks, approach]) =>
      Effect.gen(function* () {
        const { outcome, calls, lists, listsLater } = yield* called(name, tasks)
        expect(lists).toBe(1)
        expect(listsLater).toBe(1)
        if (approach === "impossible") {
          expect(calls).toEqual([])
          expect(outcome).toMatchObject({
            failure: {
              _tag: "CapabilityMissing",
              method: "tools/call",
              capability: "tasks.requests.tools.call",
            },
          })
          return
        }
        expect(calls).toHaveLength(1)
        if (approach === "augmented") expect(calls[0]).toHaveProperty("task", {})
        else expect(calls[0]).not.toHaveProperty("task")
      }),
  )

  it.effect("V25-TASK-01 a revision without tasks has none, whatever its server declares", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* open(
        legacyServer({
          revision: "2025-06-18",
          tools,
          capabilities: { tools: {}, tasks: { requests: { tools: { call: {} } } } },
        }),
      )
      const task = yield* client.tasks.call({ name: "bake" })
      expect(task.id).toBeUndefined()
      expect(peer.requests("tools/call")[0]?.message.params).not.toHaveProperty("task")
    }),
  )

  it.effect("V25-TASK-02 what a tool says of tasks is read again when the tools have changed", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* open(
        withRules(legacyBakery([becomes(legacyTask("working"))]), {
          when: { method: "tools/list", nth: 2 },
          reply: [{ result: { tools: [tool("bake")] } }],
        }),
      )
      yield* client.tasks.call({ name: "bake" })
      client.tools.markChanged()
      yield* client.tasks.call({ name: "bake" })
      const wishes = peer
        .requests("tools/call")
        .map(({ message }) => Object.hasOwn(message.params ?? {}, "task"))
      expect(wishes).toEqual([true, false])
    }),
  )
})
