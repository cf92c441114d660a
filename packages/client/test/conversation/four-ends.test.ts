import { describe, expect } from "vitest"
import { it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as TestClock from "effect/testing/TestClock"
import type { Client, PromiseClient } from "@entente/client"
import { withRules, type Rule } from "@entente/testkit"
import { reasonOf } from "../field/connected.js"
import { bothDoors, complete, eras, everyWireAndEra, wires } from "./wires.js"

const called = (name: string, reply: Rule["reply"]): Rule => ({
  when: { method: "tools/call", params: { name } },
  reply,
})

const refusal = { code: -32603, message: "boom", data: { at: "line 7" } }

const rules: ReadonlyArray<Rule> = [
  called("silent", [{ silence: true }]),
  called("broken", [{ error: refusal }]),
  called("gone", [{ destroy: true }]),
]

/** A call under way. */
interface Going {
  readonly giveUp: () => void
  /** The class of the error that it ends with, and the error. */
  readonly end: Promise<{ readonly tag: string; readonly error: unknown }>
}

const endOf = (error: unknown) => ({
  tag: (error as { _tag?: string } | undefined)?._tag ?? "none",
  error,
})

const doors = {
  promises: (client: PromiseClient, name: string): Going => {
    const stop = new AbortController()
    const call = client.callTool({ name }, { signal: stop.signal, timeoutMs: 5_000 })
    return { giveUp: () => stop.abort("no longer needed"), end: reasonOf(call).then(endOf) }
  },
  effects: (client: Client.Client, name: string): Going => {
    const fiber = Effect.runFork(client.callTool({ name }, { timeoutMs: 5_000 }))
    const exit = new Promise<Exit.Exit<unknown, unknown>>((resolve) => fiber.addObserver(resolve))
    const end = exit.then((exit) => {
      if (Exit.isSuccess(exit)) return endOf(undefined)
      return Cause.hasInterruptsOnly(exit.cause)
        ? { tag: "interrupted", error: undefined }
        : endOf(Cause.squash(exit.cause))
    })
    return { giveUp: () => fiber.interruptUnsafe(), end }
  },
}

describe("the four ends of a call that brings no result", { timeout: 60_000 }, () => {
  it.effect.each(everyWireAndEra)(
    "V26-ENV-17 V25-TIME-01 V26-CANC-01 V26-CANC-04 V25-TOOL-06 are four classes, over %s from a %s server, through both doors",
    ([wire, era]) =>
      Effect.gen(function* () {
        const { peer, transport } = yield* wires[wire](withRules(eras[era](), ...rules))
        const { promises, effects } = yield* bothDoors(transport, { reconnect: "never" })
        const cancellations = () =>
          peer.methods().filter((method) => method === "notifications/cancelled").length
        // V26-HTTP-10: there the closed stream says it.
        const closes = wire === "http" && era === "modern"
        const told = () => (closes ? peer.disconnects() : cancellations())

        for (const [start, abandoned] of [
          [(name: string) => doors.promises(promises, name), "RequestAborted"],
          [(name: string) => doors.effects(effects, name), "interrupted"],
        ] as const) {
          const arrived = (name: string) =>
            Effect.promise(() => peer.next({ method: "tools/call", params: { name } }))
          const toldBefore = told()

          const broken = start("broken")
          expect(yield* Effect.promise(() => broken.end)).toMatchObject({
            tag: "PeerError",
            error: { code: "peer-error", rpcCode: -32603, rpcMessage: "boom", data: refusal.data },
          })

          const late = start("silent")
          yield* arrived("silent")
          yield* TestClock.adjust("5 seconds")
          expect(yield* Effect.promise(() => late.end)).toMatchObject({
            tag: "RequestTimeout",
            error: { code: "timeout", method: "tools/call", timeoutMs: 5_000 },
          })
          yield* Effect.promise(() => peer.until(() => told() === toldBefore + 1))

          const dropped = start("silent")
          yield* arrived("silent")
          dropped.giveUp()
          const end = yield* Effect.promise(() => dropped.end)
          expect(end.tag).toBe(abandoned)
          if (abandoned === "RequestAborted") {
            expect(end.error).toMatchObject({ code: "aborted", cause: "no longer needed" })
          }
          // Over HTTP a cancellation lets its request go first (V25-CANC-09).
          yield* TestClock.adjust("250 millis")
          yield* Effect.promise(() => peer.until(() => told() === toldBefore + 2))

          // The same connection goes on.
          const answer = yield* Effect.promise(() => promises.callTool({ name: "a" }))
          expect(answer).toMatchObject({ content: expect.anything(), ...complete[era] })
          if (closes) expect(cancellations()).toBe(0)
        }
      }),
  )

  it.effect.each(
    everyWireAndEra.flatMap(([wire, era]) => [
      [wire, era, "promises"] as const,
      [wire, era, "effects"] as const,
    ]),
  )(
    "V26-ENV-17 the loss of an answer is the fourth, over %s from a %s server, to the door of %s",
    ([wire, era, door]) =>
      Effect.gen(function* () {
        const { peer, transport } = yield* wires[wire](withRules(eras[era](), ...rules))
        const clients = yield* bothDoors(transport, { reconnect: "never" })
        const gone =
          door === "promises"
            ? doors.promises(clients.promises, "gone")
            : doors.effects(clients.effects, "gone")
        expect(yield* Effect.promise(() => gone.end)).toMatchObject({
          tag: "RequestLost",
          error: { code: "lost", method: "tools/call" },
        })
        expect(peer.methods()).not.toContain("notifications/cancelled")
        expect(peer.requests("tools/call")).toHaveLength(1)
      }),
  )
})
