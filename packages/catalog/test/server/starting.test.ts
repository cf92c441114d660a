import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { Catalog } from "@entente/catalog"
import { memoryVerdicts } from "@entente/client"
import { legacyServer, memoryPeer, tool } from "@entente/testkit"
import type { Transport } from "@entente/transport"
import { Starting } from "../../src/server/starting.js"

const good = () => memoryPeer(legacyServer({ tools: [tool("echo")] })).transport
const connect = { verdicts: memoryVerdicts() }

/** A process that hangs at its start, as far as a catalog can tell. */
const hanging = (opens: Array<string>, name: string): Transport => ({
  ...good(),
  kind: "stdio",
  open: Effect.andThen(
    Effect.sync(() => opens.push(name)),
    Effect.never,
  ),
})

describe("processes", () => {
  it.effect("start in turns, and one that hangs gives its turn up", () =>
    Effect.gen(function* () {
      const opens: Array<string> = []
      const names = ["a", "b", "c", "d", "e"]
      const servers = names.map((name) => [name, { transport: hanging(opens, name), connect }])
      const process = { ...good(), kind: "stdio" }
      const catalog = yield* Catalog.make(
        Object.fromEntries([
          ...servers,
          ["last", { transport: process, connect }],
          ["http", { transport: good(), connect }],
        ]),
        { starting: { processes: 2, turnMs: 100 } },
      )
      // What is no process waits for nobody.
      yield* catalog.ready
      expect(catalog.tools.tools.map(({ id }) => id)).toEqual(["http__echo"])
      expect(opens).toEqual(["a", "b"])
      const states = () => catalog.status.map(({ state }) => state)
      expect(states()).toEqual([
        "starting",
        "starting",
        "queued",
        "queued",
        "queued",
        "queued",
        "live",
      ])
      yield* TestClock.adjust(99)
      expect(opens).toEqual(["a", "b"])
      yield* TestClock.adjust(1)
      expect(opens).toEqual(["a", "b", "c", "d"])
      yield* TestClock.adjust(100)
      expect(opens).toEqual(names)
      while (states()[5] !== "live") yield* Effect.yieldNow
    }),
  )

  it.effect("that are there make way at once, and so do those that are given up", () =>
    Effect.gen(function* () {
      const starting = new Starting({ processes: 1, turnMs: 1_000 })
      const order: Array<string> = []
      const turn = (name: string, effect: Effect.Effect<void>) =>
        Effect.forkChild(
          starting.inTurn(effect, () => order.push(name)),
          { startImmediately: true },
        )
      const given = yield* turn("given up", Effect.never)
      const waiting = yield* turn("given up while it waits", Effect.never)
      yield* turn("quick", Effect.void)
      yield* turn("last", Effect.void)
      yield* Fiber.interrupt(waiting)
      expect(order).toEqual(["given up"])
      yield* Fiber.interrupt(given)
      yield* Effect.yieldNow
      yield* TestClock.adjust(0)
      expect(order).toEqual(["given up", "quick", "last"])
      // The clock of the one that was given up gives nobody a second turn.
      const one = yield* turn("one", Effect.never)
      yield* turn("another", Effect.never)
      yield* TestClock.adjust(999)
      expect(order.slice(3)).toEqual(["one"])
      yield* TestClock.adjust(1)
      expect(order.slice(3)).toEqual(["one", "another"])
      yield* Fiber.interrupt(one)
    }),
  )
})
