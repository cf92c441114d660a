import { describe, expect } from "vitest"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { withRules, type Step } from "@entente/testkit"
import { until } from "../field/scripted-http.js"
import {
  asked,
  cancelled,
  changed,
  hearing,
  isOpen,
  offersAll,
  onListen,
  server,
  subscription,
  ways,
} from "./modern-peers.js"

describe("lists of a modern server that is listened to", () => {
  it.effect.each([
    ["tools", ["tools/list"]],
    ["prompts", ["prompts/list"]],
    ["resources", ["resources/list", "resources/templates/list"]],
  ] as const)(
    "V25-LIST-01 V25-LIST-03 V26-CACHE-10 V26-DUAL-11 a notice about %s makes them stale, and the next reading starts from page one",
    ([kind, methods]) =>
      Effect.gen(function* () {
        const { peer, client } = yield* ways.http(server({ ttlMs: 3_600_000 }))
        const { tools, prompts, resources } = client
        const lists = [tools, prompts, resources, resources.templates]
        for (const list of lists) yield* list.list()
        yield* isOpen(client)
        const stale = () => lists.filter(({ last }) => last?.stale === true)
        // Whoever hears of a change finds the list stale already.
        const staleThen: Array<number> = []
        client.on(`notifications/${kind}/list_changed`, () => staleThen.push(stale().length))
        peer.send(changed(kind), subscription)
        yield* until(() => staleThen.length === 1)
        expect(staleThen).toEqual([methods.length])
        expect(stale().map(({ method }) => method)).toEqual(methods)
        for (const list of stale()) yield* list.list()
        for (const method of methods) {
          const read = peer.requests(method).map(({ message }) => message.params?.["cursor"])
          expect(read).toEqual([undefined, undefined])
        }
        expect(stale()).toEqual([])
      }),
  )

  it.effect(
    "V25-LIST-02 V26-CACHE-10 a notice during a walk starts it again, and splices nothing",
    () =>
      Effect.gen(function* () {
        const page = (names: ReadonlyArray<string>, nextCursor?: string) => ({
          resultType: "complete",
          tools: names.map((name) => ({ name, inputSchema: { type: "object" } })),
          ...(nextCursor === undefined ? {} : { nextCursor }),
        })
        const list = (cursor: unknown, reply: ReadonlyArray<Step>, times?: number) => ({
          when: { method: "tools/list", params: { cursor } },
          reply,
          ...(times === undefined ? {} : { times }),
        })
        const { peer, client } = yield* ways.http(
          withRules(
            server(),
            list({ $present: false }, [{ result: page(["old-1"], "2") }], 1),
            list("2", [{ silence: true }], 1),
            list({ $present: false }, [{ result: page(["new-1"], "2") }]),
            list("2", [{ result: page(["new-2"]) }]),
          ),
        )
        yield* isOpen(client)
        const listing = yield* Effect.all(
          [
            client.tools.list(),
            Effect.gen(function* () {
              yield* until(() => peer.requests("tools/list").length === 2)
              const heard = hearing(client)
              peer.send(changed("tools"), subscription)
              yield* until(() => heard.length === 1)
              peer.play([{ result: page(["old-2"]) }], {
                method: "tools/list",
                params: { cursor: "2" },
              })
            }),
          ],
          { concurrency: 2 },
        )
        expect(listing[0]).toMatchObject({
          status: "complete",
          stale: false,
          items: [{ name: "new-1" }, { name: "new-2" }],
        })
      }),
  )

  it.effect("offers everything it can be asked for, tasks too", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* ways.memory(server({ capabilities: offersAll }))
      yield* isOpen(client)
      const { tasks } = client.connection.life.listening
      const release = tasks.add("task-1")
      yield* until(() => asked(peer).length === 2)
      expect(asked(peer)[1]).toMatchObject({ taskIds: ["task-1"] })
      yield* until(() => client.subscriptions.filter !== undefined && cancelled(peer).length === 1)
      const heard = hearing(client)
      peer.send(onListen("notifications/tasks", { taskId: "task-2" }), subscription)
      peer.send(onListen("notifications/tasks", { taskId: "task-1" }), subscription)
      yield* until(() => heard.length === 1)
      // Task ids are bearer-like: no note has one.
      expect(JSON.stringify(client.notes)).not.toContain("task-")
      release()
      yield* until(() => asked(peer).length === 3)
      expect(asked(peer)[2]).not.toHaveProperty("taskIds")
    }),
  )
})
