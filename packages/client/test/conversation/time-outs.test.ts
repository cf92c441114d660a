import { describe, expect } from "vitest"
import { it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { memoryPeer, tool, withRules, type Rule } from "@entente/testkit"
import { reasonOf } from "../field/connected.js"
import { passUntil } from "../field/scripted-http.js"
import { bothDoors, complete, eras, everyWireAndEra, wires } from "./wires.js"

const hangs: Rule = { when: { method: "tools/call" }, reply: [{ silence: true }] }
const cuts: Rule = { when: { method: "tools/call" }, reply: [{ destroy: true }] }

describe("a call that is not answered in time", { timeout: 60_000 }, () => {
  it.effect.each(everyWireAndEra)(
    "C064 V25-TIME-01 V26-CANC-07 V25-CANC-08 is told to the server once, with a reason, and not sent again: over %s, %s",
    ([wire, era]) =>
      Effect.gen(function* () {
        const { peer, transport } = yield* wires[wire](withRules(eras[era](), hangs))
        const { promises: client } = yield* bothDoors(transport)
        // Also where the caller has called it harmless: that is about losses.
        const options = { timeoutMs: 5_000, replay: true }
        const call = reasonOf(client.callTool({ name: "a" }, options))
        const { message } = yield* Effect.promise(() => peer.next("tools/call"))
        yield* TestClock.adjust("5 seconds")
        expect(yield* Effect.promise(() => call)).toMatchObject({
          _tag: "RequestTimeout",
          timeoutMs: 5_000,
        })
        const closes = wire === "http" && era === "modern"
        yield* Effect.promise(() =>
          closes
            ? peer.until(({ kind }) => kind === "disconnect")
            : peer.next("notifications/cancelled"),
        )
        // Whatever else would have been sent comes before this.
        yield* Effect.promise(() => client.tools.list())
        const cancellations = peer.received.filter(({ kind }) => kind === "notification")
        const { id } = message as { id: number }
        expect(
          cancellations
            .map((one) => one.message)
            .filter((one) => JSON.stringify(one).includes("cancelled")),
        ).toEqual(
          closes
            ? []
            : [
                {
                  jsonrpc: "2.0",
                  method: "notifications/cancelled",
                  params: { requestId: id, reason: "no answer within 5000 ms" },
                },
              ],
        )
        expect(peer.requests("tools/call")).toHaveLength(1)
      }),
  )

  it.effect(
    "V25-TIME-02 V26-CANC-07 may have more or less time than the connection's other calls",
    () =>
      Effect.gen(function* () {
        const peer = memoryPeer(withRules(eras.modern(), hangs))
        const { promises: client } = yield* bothDoors(peer.transport, { timeoutMs: 5_000 })
        const ends: Array<number> = []
        const call = (timeoutMs?: number): Promise<unknown> =>
          reasonOf(
            client.callTool({ name: "a" }, timeoutMs === undefined ? {} : { timeoutMs }),
          ).then((error) => ends.push((error as { timeoutMs: number }).timeoutMs))
        const calls = [call(), call(1_000), call(7_000)]
        yield* Effect.promise(() => peer.until(() => peer.requests("tools/call").length === 3))
        for (const [ms, ended] of [
          [999, []],
          [1, [1_000]],
          [3_999, [1_000]],
          [1, [1_000, 5_000]],
          [2_000, [1_000, 5_000, 7_000]],
        ] as const) {
          yield* TestClock.adjust(ms)
          yield* Effect.promise(() => client.tools.list())
          expect(ends).toEqual(ended)
        }
        yield* Effect.promise(() => Promise.all(calls))
      }),
  )

  it.effect("V25-TIME-02 has all the time there is where the caller says so", () =>
    Effect.gen(function* () {
      const peer = memoryPeer(withRules(eras.legacy(), hangs))
      const { promises: client } = yield* bothDoors(peer.transport)
      const calls = [Infinity, 7_200_000].map((timeoutMs) =>
        client.callTool({ name: "a" }, { timeoutMs }),
      )
      const asked = yield* Effect.promise(() =>
        peer.until(() => peer.requests("tools/call").length === 2),
      )
      expect(asked).toBeDefined()
      yield* TestClock.adjust("119 minutes")
      for (const { message } of peer.requests("tools/call")) {
        peer.send({ jsonrpc: "2.0", id: message.id, result: { content: [] } })
      }
      yield* Effect.promise(() => Promise.all(calls))
    }),
  )

  it.effect("V25-TIME-03 has an end in all where no progress is reported, too", () =>
    Effect.gen(function* () {
      const silent: Rule = { when: { method: "x/wait" }, reply: [{ silence: true }] }
      const peer = memoryPeer(withRules(eras.legacy(), silent))
      const { promises: client } = yield* bothDoors(peer.transport)
      const call = reasonOf(client.request("x/wait", {}, { maxTotalTimeoutMs: 300 }))
      yield* Effect.promise(() => peer.next("x/wait"))
      yield* TestClock.adjust("300 millis")
      expect(yield* Effect.promise(() => call)).toMatchObject({
        _tag: "RequestTimeout",
        timeoutMs: 300,
      })
    }),
  )

  it.effect(
    "V25-TIME-01 V25-TIME-05 does not wait longer for a connection that is being opened again",
    () =>
      Effect.gen(function* () {
        const peer = memoryPeer(eras.legacy())
        const { promises: client } = yield* bothDoors(peer.transport)
        yield* Effect.promise(() => peer.close())
        yield* passUntil(() => client.state === "recovering")
        const call = reasonOf(client.callTool({ name: "a" }, { timeoutMs: 200 }))
        yield* TestClock.adjust("200 millis")
        expect(yield* Effect.promise(() => call)).toMatchObject({
          _tag: "RequestTimeout",
          timeoutMs: 200,
          message: expect.stringContaining("not ready"),
        })
        yield* Effect.promise(() => peer.restart())
        yield* passUntil(() => client.state === "ready")
        yield* Effect.promise(() => client.tools.list())
        expect(peer.methods()).not.toContain("tools/call")
      }),
  )

  it.effect("V25-TIME-03 counts the time of a first try that was lost", () =>
    Effect.gen(function* () {
      const once: Rule = { ...hangs, times: 1 }
      const peer = memoryPeer(withRules(eras.legacy(), once, hangs))
      const { promises: client } = yield* bothDoors(peer.transport)
      const options = { timeoutMs: 60_000, maxTotalTimeoutMs: 60_000, replay: true }
      let over: unknown
      void reasonOf(client.callTool({ name: "a" }, options)).then((error) => (over = error))
      yield* Effect.promise(() => peer.next("tools/call"))
      yield* TestClock.adjust("40 seconds")
      peer.play([{ destroy: true }])
      yield* passUntil(() => peer.requests("tools/call").length === 2)
      expect(over).toBeUndefined()
      yield* passUntil(() => over !== undefined)
      expect(over).toMatchObject({ _tag: "RequestTimeout" })
      // The second try has had no more than what the first one left.
      expect(yield* Clock.currentTimeMillis).toBeLessThan(61_000)
    }),
  )

  it.effect.each([0, -1, Number.NaN, "60000", null])("V25-TIME-02 takes no deadline of %s", (ms) =>
    Effect.gen(function* () {
      const peer = memoryPeer(eras.legacy())
      const { promises: client } = yield* bothDoors(peer.transport)
      for (const name of ["timeoutMs", "maxTotalTimeoutMs"]) {
        // As a caller without TypeScript would write it.
        const options = { [name]: ms } as unknown as { timeoutMs: number }
        const error = yield* Effect.promise(() => reasonOf(client.callTool({ name: "a" }, options)))
        expect(error).toMatchObject({
          code: "invalid-input",
          message: expect.stringContaining(name),
        })
      }
      expect(peer.methods()).not.toContain("tools/call")
    }),
  )
})

describe("a call whose answer is lost", () => {
  const trusting = tool("a", { annotations: { idempotentHint: true, readOnlyHint: true } })

  it.live.each(everyWireAndEra)(
    "C064 is not repeated because its tool calls itself idempotent; only if the caller says so: over %s, %s",
    ([wire, era]) =>
      Effect.gen(function* () {
        const server = eras[era]({ tools: [trusting] })
        const answers: Rule = {
          when: { method: "tools/call" },
          reply: [{ result: { ...complete[era], content: [] } }],
        }
        const script = withRules(server, { ...cuts, times: 2 }, answers)
        const { peer, transport } = yield* wires[wire](script)
        const { promises: client } = yield* bothDoors(transport, { reconnect: { baseMs: 1 } })
        yield* Effect.promise(() => client.tools.list())

        const lost = yield* Effect.promise(() => reasonOf(client.callTool({ name: "a" })))
        expect(lost).toMatchObject({ _tag: "RequestLost" })
        expect(peer.requests("tools/call")).toHaveLength(1)

        const answer = yield* Effect.promise(() => client.callTool({ name: "a" }, { replay: true }))
        expect(answer).toEqual({ ...complete[era], content: [] })
        const ids = peer.requests("tools/call").map(({ message }) => message.id)
        expect(ids).toHaveLength(3)
        // A process that was started again has seen no id before; this side still uses none twice.
        expect(new Set(ids).size).toBe(3)
      }),
  )
})
