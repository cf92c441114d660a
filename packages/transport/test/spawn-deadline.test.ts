import { EventEmitter } from "node:events"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import { spawnCommand, spawnDeadline } from "../src/stdio/spawn-command.js"
import { currentTimers } from "../src/timers.js"

it.effect("a process that the operating system does not start in time is given up", () =>
  Effect.gen(function* () {
    // No real operating system can be made to take that long.
    const signals: Array<string> = []
    const late = Object.assign(new EventEmitter(), { kill: (name: string) => signals.push(name) })
    const command = {
      command: process.execPath,
      args: [],
      cwd: "/",
      environment: {},
      target: "node",
      timers: yield* currentTimers,
    }
    const attach = () => expect.unreachable("nobody waits for it any more")
    const starting = yield* Effect.forkChild(
      spawnCommand(command, attach, async () => () => late),
      { startImmediately: true },
    )
    yield* Effect.promise(() => new Promise((resume) => setImmediate(resume)))
    yield* TestClock.adjust(spawnDeadline - 1)
    expect(starting.pollUnsafe()).toBeUndefined()
    yield* TestClock.adjust(1)
    expect(yield* Effect.flip(Fiber.join(starting))).toMatchObject({
      code: "spawn-failed",
      message: expect.stringContaining("not started within 10000 ms"),
    })
    late.emit("spawn")
    expect(signals).toEqual(["SIGKILL"])
  }),
)
