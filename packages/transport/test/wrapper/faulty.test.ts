import { describe, expect } from "vitest"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { CurrentTrace, Trace, type TraceEvent } from "@entente/trace"
import {
  faulty,
  memory,
  type Channel,
  type Fault,
  type FaultRule,
  type Origin,
  type SendOutcome,
  type Transport,
} from "@entente/transport"
import { Recorder, request } from "../open-channel.js"

/** Answers every request with its own id, in order. */
const echo = () =>
  memory((client) => ({
    message: (message) => {
      if ("id" in message) client.send({ jsonrpc: "2.0", id: message.id, result: {} })
    },
  }))

/** A transport with exchanges, whose server is the test: nothing happens unless it says so. */
const exchanges = () => {
  const calls: Array<{
    readonly settled: (outcome: SendOutcome) => void
    readonly exchange: number
  }> = []
  const aborted: Array<number> = []
  const receiver = new Recorder()
  let target: Pick<Recorder, "message"> = receiver
  const transport: Transport = {
    kind: "streamable-http",
    target: "a scripted place",
    key: "a scripted place",
    open: Effect.sync((): Channel => ({
      exchanges: "per-request",
      listen: (listener) => {
        target = listener
      },
      send: (_, settled) => {
        const exchange = calls.length + 10
        calls.push({ settled, exchange })
        return { exchange, abort: () => void aborted.push(exchange) }
      },
    })),
  }
  return {
    transport,
    calls,
    aborted,
    say: (value: unknown, origin: Origin) => {
      if (!aborted.includes(origin.exchange)) target.message(value, origin)
    },
    end: (call: number, messages = 1) =>
      calls[call]?.settled({ _tag: "Ended", status: 200, messages, streamed: true }),
  }
}

const opened = (
  transport: Transport,
  rules: ReadonlyArray<FaultRule>,
  seed = 1,
): Effect.Effect<
  {
    readonly channel: Channel
    readonly heard: Recorder
    readonly faults: Array<Fault>
    readonly outcomes: Array<SendOutcome["_tag"]>
    readonly send: (id: number, method?: string) => number
  },
  unknown,
  Scope.Scope
> =>
  Effect.gen(function* () {
    const faults: Array<Fault> = []
    const heard = new Recorder()
    const outcomes: Array<SendOutcome["_tag"]> = []
    const onFault = (fault: Fault): void => void faults.push(fault)
    const channel = yield* faulty(transport, { seed, rules, onFault }).open
    channel.listen(heard)
    const send = (id: number, method?: string): number =>
      channel.send({ message: request(id, method) }, ({ _tag }) => outcomes.push(_tag)).exchange
    return { channel, heard, faults, outcomes, send }
  })

const turn = Effect.promise(() => new Promise<void>((resume) => setImmediate(resume)))
const ids = ({ messages }: Recorder) => messages.map((message) => (message as { id: number }).id)

describe("faulty on a shared channel", () => {
  it.effect("changes nothing where no rule strikes", () =>
    Effect.gen(function* () {
      const { heard, outcomes, send, faults } = yield* opened(echo(), [
        { fault: "loss", probability: 0 },
        { fault: "loss", when: { method: "x/other" } },
      ])
      for (const id of [1, 2, 3]) send(id)
      yield* turn
      expect(ids(heard)).toEqual([1, 2, 3])
      expect(outcomes).toEqual(["Written", "Written", "Written"])
      expect(faults).toEqual([])
    }),
  )

  it.effect("V25-CUST-04 delays what comes in and lets nothing overtake it", () =>
    Effect.gen(function* () {
      const { heard, send } = yield* opened(echo(), [
        { fault: "latency", ms: 100, when: { direction: "in", nth: 1 } },
        { fault: "reorder" },
      ])
      for (const id of [1, 2, 3]) send(id)
      yield* turn
      yield* TestClock.adjust(99)
      expect(ids(heard)).toEqual([])
      yield* TestClock.adjust(1)
      expect(ids(heard)).toEqual([1, 2, 3])
    }),
  )

  it.effect("delays what goes out, in order", () =>
    Effect.gen(function* () {
      const { heard, outcomes, send } = yield* opened(echo(), [
        { fault: "latency", ms: 50, when: { direction: "out", nth: 1 } },
      ])
      send(1)
      send(2)
      yield* turn
      expect(outcomes).toEqual([])
      yield* TestClock.adjust(50)
      yield* turn
      expect(ids(heard)).toEqual([1, 2])
    }),
  )

  it.effect("reorders where that is forced", () =>
    Effect.gen(function* () {
      const { heard, send } = yield* opened(echo(), [
        { fault: "reorder", force: true, when: { direction: "in", nth: 1 } },
      ])
      for (const id of [1, 2, 3]) send(id)
      yield* turn
      expect(ids(heard)).toEqual([2, 1, 3])
    }),
  )

  it.effect("does not hold a message back for ever that nothing overtakes", () =>
    Effect.gen(function* () {
      const { heard, send } = yield* opened(echo(), [
        { fault: "reorder", force: true, maxWaitMs: 20, when: { direction: "in" } },
      ])
      send(1)
      yield* turn
      expect(ids(heard)).toEqual([])
      yield* TestClock.adjust(20)
      expect(ids(heard)).toEqual([1])
    }),
  )

  it.effect("loses, doubles and cuts", () =>
    Effect.gen(function* () {
      const { heard, outcomes, send, faults } = yield* opened(echo(), [
        { fault: "loss", when: { direction: "out", nth: 1 } },
        { fault: "loss", when: { direction: "in", nth: 1 } },
        { fault: "duplicate", when: { direction: "in", nth: 2 } },
        { fault: "truncate", when: { method: "x/cut" } },
      ])
      for (const id of [1, 2, 3]) send(id)
      send(4, "x/cut")
      yield* turn
      expect(ids(heard)).toEqual([3, 3])
      expect(heard.notes).toEqual([{ code: "stdout-noise", detail: expect.stringMatching(/^\{/) }])
      expect(outcomes).toEqual(["Written", "Written", "Written", "Written"])
      expect(faults.map(({ fault, direction, method }) => [fault, direction, method])).toEqual([
        ["loss", "out", "tools/list"],
        ["loss", "in", "tools/list"],
        ["duplicate", "in", "tools/list"],
        ["truncate", "in", "x/cut"],
      ])
    }),
  )

  it.effect("stalls for a time, and for good", () =>
    Effect.gen(function* () {
      const { heard, send } = yield* opened(echo(), [
        { fault: "stall", ms: 1_000, when: { direction: "in", nth: 2 } },
        { fault: "stall", when: { direction: "in", nth: 4 } },
      ])
      for (const id of [1, 2, 3, 4, 5]) send(id)
      yield* turn
      expect(ids(heard)).toEqual([1])
      yield* TestClock.adjust(1_000)
      expect(ids(heard)).toEqual([1, 2, 3])
      yield* TestClock.adjust("1 hour")
      expect(ids(heard)).toEqual([1, 2, 3])
    }),
  )

  it.effect("ends the channel after a message, once, and fails what is sent afterwards", () =>
    Effect.gen(function* () {
      const transport = faulty(echo(), {
        seed: 1,
        rules: [{ fault: "disconnect", when: { direction: "in", nth: 2 }, times: 1 }],
      })
      const { heard, outcomes, send } = yield* opened(transport, [])
      for (const id of [1, 2, 3]) send(id)
      yield* turn
      expect(ids(heard)).toEqual([1, 2])
      expect(heard.ends).toMatchObject([{ _tag: "Unreachable" }])
      send(4)
      yield* turn
      expect(outcomes.at(-1)).toBe("Failed")
      const again = yield* opened(transport, [])
      for (const id of [1, 2, 3]) again.send(id)
      yield* turn
      expect(ids(again.heard)).toEqual([1, 2, 3])
    }),
  )

  it.effect("tells the trace of every fault", () =>
    Effect.gen(function* () {
      const trace = new Trace()
      const events: Array<TraceEvent> = []
      trace.subscribe((event) => events.push(event))
      const { send } = yield* opened(echo(), [
        { fault: "loss", when: { direction: "out", nth: 1 } },
      ]).pipe(Effect.provideService(CurrentTrace, trace))
      send(1)
      expect(events).toMatchObject([
        {
          type: "note",
          code: "injected-fault",
          detail: expect.stringContaining("loss, out: tools/list"),
        },
      ])
    }),
  )

  it.effect("chooses by the place of a message, and by nothing else", () =>
    Effect.gen(function* () {
      const rules = [{ fault: "loss", probability: 0.5, when: { direction: "in" } }] as const
      const first = yield* opened(echo(), rules, 42)
      for (let id = 0; id < 40; id++) first.send(id)
      yield* turn
      const second = yield* opened(echo(), rules, 42)
      for (let id = 0; id < 40; id++) {
        second.send(id)
        yield* turn
      }
      const other = yield* opened(echo(), rules, 43)
      for (let id = 0; id < 40; id++) other.send(id)
      yield* turn
      expect(ids(first.heard)).toEqual(ids(second.heard))
      expect(ids(other.heard)).not.toEqual(ids(first.heard))
      expect(first.heard.messages.length).toBeGreaterThan(5)
      expect(first.heard.messages.length).toBeLessThan(35)
    }),
  )

  it.each<[FaultRule, string]>([
    [{ fault: "loss", probability: 2 }, "probability"],
    [{ fault: "loss", when: { nth: 0 } }, "nth"],
    [{ fault: "truncate", when: { direction: "out" } }, "come in"],
    [{ fault: "latency", ms: -1 }, "milliseconds"],
  ])("refuses a rule that makes no sense: %j", (rule, why) => {
    expect(() => faulty(echo(), { seed: 1, rules: [rule] })).toThrow(
      expect.objectContaining({ code: "invalid-input", message: expect.stringContaining(why) }),
    )
  })
})

const answer = (id: number) => ({ jsonrpc: "2.0", id, result: {} })

describe("faulty with exchanges", () => {
  it.effect(
    "lets an answer be overtaken by that of another exchange, and its outcome stays behind it",
    () =>
      Effect.gen(function* () {
        const server = exchanges()
        const { heard, outcomes, send } = yield* opened(server.transport, [
          { fault: "reorder", when: { direction: "in", nth: 1 } },
        ])
        expect([send(1), send(2)]).toEqual([10, 11])
        server.say(answer(1), { exchange: 10 })
        server.end(0)
        expect(ids(heard)).toEqual([])
        expect(outcomes).toEqual([])
        server.say(answer(2), { exchange: 11 })
        expect(ids(heard)).toEqual([2, 1])
        expect(outcomes).toEqual(["Ended"])
      }),
  )

  it.effect("knows a message that is held back by a number of its own", () =>
    Effect.gen(function* () {
      const server = exchanges()
      const { heard, send } = yield* opened(server.transport, [
        { fault: "latency", ms: 30, when: { direction: "out", nth: 1 } },
      ])
      const exchange = send(1)
      expect(server.calls).toEqual([])
      expect(send(2)).toBe(10)
      yield* TestClock.adjust(30)
      server.say(answer(1), { exchange: 11, headers: { "x-a": "1" } })
      expect(heard.origins).toEqual([{ exchange, headers: { "x-a": "1" } }])
    }),
  )

  it.effect("never answers a message that is lost, until it is aborted", () =>
    Effect.gen(function* () {
      const server = exchanges()
      const { channel, outcomes } = yield* opened(server.transport, [{ fault: "loss" }])
      const sent = channel.send({ message: request(1) }, ({ _tag }) => outcomes.push(_tag))
      yield* TestClock.adjust("1 hour")
      expect(outcomes).toEqual([])
      sent.abort()
      sent.abort()
      expect(outcomes).toEqual(["Aborted"])
      expect(server.calls).toEqual([])
    }),
  )

  it.effect("breaks an exchange off, and leaves the others alone", () =>
    Effect.gen(function* () {
      const server = exchanges()
      const { heard, outcomes, send } = yield* opened(server.transport, [
        { fault: "disconnect", when: { direction: "out", nth: 1 } },
      ])
      send(1)
      send(2)
      yield* turn
      expect(outcomes).toEqual(["Failed"])
      expect(server.aborted).toEqual([10])
      server.say(answer(1), { exchange: 10 })
      server.say(answer(2), { exchange: 11 })
      expect(ids(heard)).toEqual([2])
      expect(heard.ends).toEqual([])
    }),
  )

  it.effect("ends the exchange whose answer is cut", () =>
    Effect.gen(function* () {
      const server = exchanges()
      const { heard, outcomes, send } = yield* opened(server.transport, [{ fault: "truncate" }])
      send(1)
      server.say(answer(1), { exchange: 10 })
      expect(heard.errors).toMatchObject([{ code: "invalid-message" }])
      expect(outcomes).toEqual(["Ended"])
    }),
  )

  it.effect("settles everything that is left when its scope closes", () =>
    Effect.gen(function* () {
      const server = exchanges()
      const outcomes = yield* Effect.scoped(
        Effect.gen(function* () {
          const { send, outcomes: seen } = yield* opened(server.transport, [
            { fault: "stall", when: { direction: "out", nth: 2 } },
          ])
          send(1)
          send(2)
          return seen
        }),
      )
      expect(outcomes).toEqual(["Aborted", "Aborted"])
    }),
  )
})
