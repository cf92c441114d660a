import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import { CurrentTrace, Trace } from "@entente/trace"
import { stdio } from "@entente/transport/stdio"
import { Recorder } from "./open-channel.js"
import { fixture } from "./stdio-fixture.js"

it.effect("C059 a command that does not exist fails without waiting for any deadline", () =>
  Effect.gen(function* () {
    // Nobody moves this clock, so no time-out can be what ends it.
    const command = stdio({ command: "npx", args: ["-y", "x"], env: { PATH: "/nowhere" } })
    expect(yield* Effect.flip(Effect.scoped(command.open))).toMatchObject({
      _tag: "SpawnFailed",
      code: "command-not-found",
      target: "npx -y x",
      searchedPath: "/nowhere",
      message: expect.stringContaining('"npx" is in none of the directories on PATH: /nowhere.'),
      hint: expect.stringContaining("give its full path"),
    })
  }),
)

it.effect(
  "V25-STDIO-07 goes down the shutdown ladder on the clock of its scope",
  () =>
    Effect.gen(function* () {
      const hour = 3_600_000
      const states: Array<string> = []
      const trace = new Trace()
      trace.subscribe((event) => event.type === "transition" && states.push(event.to))
      const scope = yield* Scope.make()
      const stubborn = fixture("stubborn", [], {
        shutdownGrace: { closeInput: hour, terminate: 2 * hour },
      })
      const channel = yield* stubborn.open.pipe(
        Scope.provide(scope),
        Effect.provideService(CurrentTrace, trace),
      )
      const recorder = new Recorder()
      channel.listen(recorder)
      yield* Effect.promise(() => recorder.until(({ messages }) => messages.length > 0))

      const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void), {
        startImmediately: true,
      })
      expect(states.at(-1)).toBe("closingInput")
      yield* TestClock.adjust("59 minutes")
      expect(states.at(-1)).toBe("closingInput")
      yield* TestClock.adjust("1 minute")
      expect(states.at(-1)).toBe("terminating")
      yield* TestClock.adjust("2 hours")
      yield* Fiber.join(closing)
      expect(states.slice(-3)).toEqual(["terminating", "killing", "exited"])
      expect(channel.process!()).toMatchObject({ signal: "SIGKILL" })
    }),
  { timeout: 30_000 },
)
