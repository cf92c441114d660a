import { explain, HttpRejected, Unreachable } from "@entente/protocol"
import { describe, expect, it } from "vitest"
import { createActor, fromCallback, SimulatedClock } from "xstate"
import {
  defaultSubscription,
  reopenDelay,
  subscriptionMachine,
  type Drop,
  type SubscriptionEvent,
  type SubscriptionPolicy,
} from "../src/index.js"
import { Taken } from "./support/transitions.js"

const taken = new Taken()

const refused = new HttpRejected({
  ...explain("http-status", "request", "demo", "HTTP 405."),
  status: 405,
  body: "",
})
const outage = new Unreachable(explain("outage", "request", "demo", "HTTP 503."))

/** A subscription whose stream is played by the test. */
const start = (policy: Partial<SubscriptionPolicy> = {}) => {
  const clock = new SimulatedClock()
  const opens: Array<number> = []
  const closes: Array<number> = []
  const missed: Array<Drop> = []
  let tell: (event: SubscriptionEvent) => void = () => {}
  const machine = subscriptionMachine.provide({
    actors: {
      stream: fromCallback<SubscriptionEvent>(({ sendBack }) => {
        opens.push(clock.now())
        tell = sendBack
        return () => closes.push(clock.now())
      }),
    },
    actions: { markStale: (_, drop) => missed.push(drop) },
  })
  const actor = createActor(machine, {
    input: { policy, random: () => 0 },
    clock,
    inspect: taken.inspect,
  })
  actor.start()
  return {
    actor,
    clock,
    opens,
    closes,
    missed,
    tell: (event: SubscriptionEvent) => tell(event),
    state: () => actor.getSnapshot().value,
    output: () => actor.getSnapshot().output,
  }
}

const acknowledged = { type: "acknowledged", filter: "everything" } as const
const dropped = (drop: Partial<Drop> = {}) =>
  ({ type: "dropped", resumable: false, ...drop }) as const

describe("a subscription", () => {
  it("opens one stream when it is wanted, and closes it when it is not", () => {
    const { actor, tell, opens, closes, state, output } = start()
    expect(state()).toBe("closed")
    expect(opens).toEqual([])
    actor.send({ type: "want" })
    expect(state()).toEqual({ streaming: "opening" })
    tell(acknowledged)
    tell({ type: "delivered" })
    expect(state()).toEqual({ streaming: "acknowledged" })
    expect(actor.getSnapshot().context.filter).toBe("everything")
    actor.send({ type: "release" })
    expect(output()).toEqual({ reason: "released", error: undefined })
    expect([opens.length, closes.length]).toEqual([1, 1])
  })

  it("V25-HTTP-12 a server without the stream is not asked again", () => {
    const { actor, tell, output, opens } = start()
    actor.send({ type: "want" })
    tell({ type: "refused", error: refused })
    expect(output()).toEqual({ reason: "unsupported", error: refused })
    expect(opens).toHaveLength(1)
  })

  it("C049 an outage is tried once more, after a pause, and then the stream is unavailable", () => {
    const { actor, tell, clock, opens, output } = start()
    actor.send({ type: "want" })
    tell({ type: "outage", error: outage })
    clock.increment(999)
    expect(opens).toHaveLength(1)
    clock.increment(1)
    expect(opens).toHaveLength(2)
    tell({ type: "outage", error: outage })
    expect(output()).toEqual({ reason: "unavailable", error: outage })
  })

  it("C050 no head of an answer within 10 s ends the stream alone, as unavailable", () => {
    const { actor, clock, closes, state, output } = start()
    actor.send({ type: "want" })
    clock.increment(9_999)
    expect(state()).toEqual({ streaming: "opening" })
    clock.increment(1)
    expect(output()).toEqual({ reason: "unavailable", error: undefined })
    expect(closes).toHaveLength(1)
  })

  it("C019 a session that is unknown to the server is the owner's to renew", () => {
    const { actor, tell, output } = start()
    actor.send({ type: "want" })
    tell({ type: "expired", error: refused })
    expect(output()).toEqual({ reason: "expired", error: refused })
  })

  it("C047 pauses grow while streams end at once with nothing, and then it gives up", () => {
    const { actor, tell, clock, opens, output } = start({ maxFruitless: 4 })
    actor.send({ type: "want" })
    for (let open = 1; open <= 4; open++) {
      tell(acknowledged)
      tell(dropped())
      while (opens.length === open && output() === undefined) clock.increment(1)
    }
    expect(opens).toEqual([0, 1_000, 3_000, 7_000])
    expect(output()).toEqual({ reason: "unavailable", error: undefined })
  })

  it("V25-HTTP-22 the server's retry is kept to the millisecond, our own pauses are spread", () => {
    const { actor, tell, clock, opens } = start()
    actor.send({ type: "want" })
    tell(acknowledged)
    tell({ type: "delivered" })
    tell(dropped({ retryMs: 750, resumable: true }))
    clock.increment(749)
    expect(opens).toHaveLength(1)
    clock.increment(1)
    expect(opens).toHaveLength(2)
    const policy = defaultSubscription
    const delay = (retryMs: number | undefined, fruitless: number, chance = 0.999) =>
      reopenDelay({ policy, retryMs, fruitless, random: () => chance })
    expect(delay(60_000, 0)).toBe(60_000)
    expect(delay(60_000, 4)).toBe(60_000)
    expect(delay(0, 0)).toBe(100)
    expect(delay(1e15, 0)).toBe(2 ** 31 - 1)
    expect(delay(undefined, 1, 0)).toBe(1_000)
    expect(delay(undefined, 1)).toBeGreaterThan(1_200)
    expect(delay(undefined, 3, 0)).toBe(4_000)
    expect(delay(undefined, 50, 0)).toBe(30_000)
    expect(delay(500, 3, 0)).toBe(2_000)
  })

  it("V26-SUB-11 after an end in due form it comes back more slowly than after a cut", () => {
    const { actor, tell, clock, opens } = start()
    actor.send({ type: "want" })
    tell(acknowledged)
    tell({ type: "delivered" })
    tell(dropped({ graceful: true }))
    clock.increment(4_999)
    expect(opens).toEqual([0])
    clock.increment(1)
    expect(opens).toEqual([0, 5_000])
    tell(acknowledged)
    tell({ type: "delivered" })
    tell(dropped())
    clock.increment(1_000)
    expect(opens).toEqual([0, 5_000, 6_000])
  })

  it.each([{}, { toolsListChanged: false, resourceSubscriptions: [] }])(
    "V26-SUB-04 C037 a filter that came back empty (%j) ends it as unsupported, and the stream is closed",
    (filter) => {
      const { actor, tell, output, closes } = start()
      actor.send({ type: "want" })
      tell({ type: "acknowledged", filter })
      expect(output()).toEqual({ reason: "unsupported", error: undefined })
      expect(actor.getSnapshot().context.filter).toEqual(filter)
      expect(closes).toHaveLength(1)
    },
  )

  it("V26-SUB-03 keeps what the server has agreed to, which is what counts", () => {
    const { actor, tell, state } = start()
    actor.send({ type: "want" })
    tell({ type: "acknowledged", filter: { toolsListChanged: true } })
    expect(state()).toEqual({ streaming: "acknowledged" })
    expect(actor.getSnapshot().context.filter).toEqual({ toolsListChanged: true })
  })

  it("V25-HTTP-14 a stream that brought something, or lasted, starts the count anew", () => {
    const { actor, tell, clock, opens } = start({ maxFruitless: 2 })
    actor.send({ type: "want" })
    for (let round = 0; round < 10; round++) {
      tell(acknowledged)
      if (round % 2 === 0) tell({ type: "delivered" })
      else clock.increment(10_000)
      tell(dropped())
      clock.increment(1_000)
    }
    expect(opens).toHaveLength(11)
  })

  it("says what was missed with every drop, also one before the stream was open", () => {
    const { actor, tell, clock, missed, state } = start()
    actor.send({ type: "want" })
    tell(dropped({ error: outage }))
    clock.increment(1_000)
    tell(acknowledged)
    tell(dropped({ resumable: true }))
    expect(missed).toMatchObject([{ resumable: false }, { resumable: true }])
    expect(state()).toBe("backingOff")
    actor.send({ type: "release" })
    expect(actor.getSnapshot().output).toEqual({ reason: "released", error: outage })
  })

  it("a session may be found expired while its stream is open", () => {
    const { actor, tell, output } = start()
    actor.send({ type: "want" })
    tell(acknowledged)
    tell({ type: "expired", error: refused })
    expect(output()?.reason).toBe("expired")
  })

  it("an actor that was not provided breaks the chart at once, and says which one it was", async () => {
    const actor = createActor(subscriptionMachine, { input: { random: () => 0 } })
    const error = new Promise((resolve) => actor.subscribe({ error: resolve }))
    actor.start()
    actor.send({ type: "want" })
    expect(await error).toMatchObject({ message: expect.stringContaining('"stream"') })
  })

  it("every transition was taken by a running chart", () => {
    expect(taken.missing(subscriptionMachine)).toEqual([])
  })
})
