import { describe, expect } from "vitest"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { Middleware } from "@entente/client"
import { passUntil } from "../field/scripted-http.js"
import {
  baked,
  becomesModern,
  modernBakery,
  modernLooks,
  modernTask,
  open,
} from "../task/task-server.js"
import { collecting, parentOf } from "./collected.js"

const script = modernBakery(
  becomesModern(modernTask("working")),
  ...modernLooks(modernTask("working", 1), modernTask("completed", 2, { result: baked })),
)

describe("V26-TRACE-02 a call that becomes a task", () => {
  it.effect("has its looks in the same trace, and layers see each of them", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const follows: Middleware = {
        request: async ({ method }, next) => {
          seen.push(method)
          return await next()
        },
      }
      const { tracer, named, spans } = collecting()
      const { client } = yield* open(script, {
        tasks: true,
        telemetry: { tracer },
        middleware: follows,
      })
      const call = Effect.withTracer(
        Effect.withSpan(client.callTool({ name: "bake" }), "work"),
        tracer,
      )
      const calling = yield* Effect.forkChild(call)
      yield* passUntil(() => spans.filter(({ name }) => name === "tasks/get").length === 2)
      expect(yield* Fiber.join(calling)).toEqual(baked)
      const all = spans.filter(({ name }) => /^(?:tools|tasks)\//.test(name))
      expect(all.map(({ name }) => name)).toEqual(["tools/call bake", "tasks/get", "tasks/get"])
      expect(all.map(parentOf)).toEqual(all.map(() => named("work").spanId))
      expect(seen).toEqual(["tools/call", "tasks/get", "tasks/get"])
    }),
  )

  it.effect("has them there also for a caller that holds the task", () =>
    Effect.gen(function* () {
      const { tracer, named, spans } = collecting()
      const { client } = yield* open(script, { telemetry: { tracer } })
      const task = yield* Effect.withTracer(
        Effect.withSpan(client.tasks.call({ name: "bake" }), "work"),
        tracer,
      )
      const result = yield* Effect.forkChild(task.result)
      yield* passUntil(() => spans.filter(({ name }) => name === "tasks/get").length === 2)
      expect(yield* Fiber.join(result)).toEqual(baked)
      const looks = spans.filter(({ name }) => name === "tasks/get")
      expect(looks.map(parentOf)).toEqual(looks.map(() => named("work").spanId))
    }),
  )
})
