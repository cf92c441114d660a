import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import type { ConnectOptions, Middleware } from "@entente/client"
import { tool, type Rule } from "@entente/testkit"
import { noted, reasonOf } from "../field/connected.js"
import { passUntil, until } from "../field/scripted-http.js"
import { answered, everywhere, listed, lists, meet, refused } from "./changing-lists.js"

const renewed = { tools: [{ ...tool("a"), title: "new" }] }
const hanging: Rule = { when: { method: "tools/list", nth: 2 }, reply: [{ silence: true }] }
const first = lists("tools/list", listed("tool", "a", "b"), renewed).slice(0, 1)

describe.for(everywhere)("while its list is read again, %s over %s", ([era, way]) => {
  const openWith = (options: ConnectOptions, ...rules: ReadonlyArray<Rule>) =>
    Effect.tap(meet(era, way)([...first, ...rules], options), ({ effects }) => effects.tools.list())
  const open = (...rules: ReadonlyArray<Rule>) => openWith({}, ...rules)
  const walks = (n: number, { peer }: Effect.Success<ReturnType<typeof open>>) =>
    until(() => peer.requests("tools/list").length === n)

  it.effect("V25-CANC-01 V26-CANC-01 a call that is cancelled takes the reading with it", () =>
    Effect.gen(function* () {
      const met = yield* open(hanging, refused("tool", -32602))
      const abort = new AbortController()
      const called = reasonOf(met.promises.callTool({ name: "a" }, { signal: abort.signal }))
      yield* walks(2, met)
      abort.abort()
      expect(yield* Effect.promise(() => called)).toMatchObject({ _tag: "RequestAborted" })
      const told = way === "http" && era === "modern"
      yield* passUntil(() =>
        told ? met.peer.disconnects() > 0 : met.peer.methods().includes("notifications/cancelled"),
      )
      expect(met.peer.requests("tools/call")).toHaveLength(1)
    }),
  )

  it.effect("a call that is interrupted leaves it to the others who wait", () =>
    Effect.gen(function* () {
      let refusals = 0
      const counts: Middleware = {
        request: (_, next) => Effect.tapError(next.effect(), () => Effect.sync(() => refusals++)),
      }
      const met = yield* openWith({ middleware: [counts] }, hanging, refused("tool", -32602))
      const one = yield* Effect.forkChild(met.effects.callTool({ name: "a" }))
      yield* walks(2, met)
      const other = yield* Effect.forkChild(Effect.flip(met.effects.callTool({ name: "b" })))
      yield* until(() => refusals === 2)
      yield* until(() => true)
      yield* Fiber.interrupt(one)
      met.peer.play([{ result: { resultType: "complete", tools: [] } }], {
        method: "tools/list",
        nth: 2,
      })
      expect(yield* Fiber.join(other)).toMatchObject({ code: "no-longer-offered", name: "b" })
      expect(met.peer.requests("tools/list")).toHaveLength(2)
    }),
  )

  it.effect("V25-TIME-01 V26-CANC-07 a call waits for it no longer than for an answer", () =>
    Effect.gen(function* () {
      const met = yield* open(hanging, refused("tool", -32602))
      const call = met.effects.callTool({ name: "a" }, { timeoutMs: 3_000 })
      const fiber = yield* Effect.forkChild(Effect.flip(call))
      yield* walks(2, met)
      yield* TestClock.adjust(2_999)
      expect(fiber.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust(1)
      expect(yield* Fiber.join(fiber)).toMatchObject({ _tag: "PeerError", rpcCode: -32602 })
      expect(noted(met.promises)).toContain("list-not-read-again")
    }),
  )

  const passing: Middleware = { request: (_, next) => next() }

  it.effect.each([["", []] as const, [", with middleware", [passing]] as const])(
    "V25-TIME-03 V26-PROG-04 the time of the call in all holds, for another try as well%s",
    ([, middleware]) =>
      Effect.gen(function* () {
        const slow: ReadonlyArray<Rule> = [
          {
            when: { method: "tools/call", nth: 1 },
            reply: [{ delay: 1_000 }, { error: { code: -32602, message: "no" } }],
          },
          {
            when: { method: "tools/list", nth: 2 },
            reply: [{ delay: 1_000 }, { result: { resultType: "complete", ...renewed } }],
          },
          { when: { method: "tools/call", nth: 2 }, reply: [{ silence: true }] },
        ]
        const met = yield* openWith({ middleware }, ...slow)
        const options = { maxTotalTimeoutMs: 5_000, replay: true }
        let error: unknown
        yield* Effect.forkChild(
          Effect.map(
            Effect.flip(met.effects.callTool({ name: "a" }, options)),
            (one) => (error = one),
          ),
        )
        yield* passUntil(() => met.peer.requests("tools/call").length === 2, "50 millis")
        yield* TestClock.adjust(2_800)
        expect(error).toBeUndefined()
        yield* passUntil(() => error !== undefined, "50 millis")
        expect(error).toMatchObject({ _tag: "RequestTimeout", method: "tools/call" })
      }),
  )

  it.effect("the end of the connection ends the call", () =>
    Effect.gen(function* () {
      const met = yield* open(hanging, refused("tool", -32602))
      const call = yield* Effect.forkChild(Effect.flip(met.effects.callTool({ name: "a" })))
      yield* walks(2, met)
      yield* met.effects.close
      expect(["ConnectionClosed", "PeerError"]).toContain((yield* Fiber.join(call))._tag)
      expect(met.peer.requests("tools/call")).toHaveLength(1)
    }),
  )

  it.effect("V26-CANC-07 a try that follows can be cancelled too", () =>
    Effect.gen(function* () {
      const then = lists("tools/list", renewed)
      const silent: Rule = { when: { method: "tools/call", nth: 2 }, reply: [{ silence: true }] }
      const met = yield* open(...then, silent, refused("tool", -32602), answered("tool"))
      const abort = new AbortController()
      const options = { replay: true, signal: abort.signal }
      const called = reasonOf(met.promises.callTool({ name: "a" }, options))
      yield* until(() => met.peer.requests("tools/call").length === 2)
      abort.abort("enough")
      expect(yield* Effect.promise(() => called)).toMatchObject({ _tag: "RequestAborted" })
      if (way === "memory") {
        const told = yield* Effect.promise(() => met.peer.next("notifications/cancelled"))
        expect(told.message).toMatchObject({ params: { reason: "enough" } })
      }
    }),
  )
})
