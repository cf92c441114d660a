import { explain, HttpRejected, type TolerancePolicy } from "@entente/protocol"
import { describe, expect, it } from "vitest"
import {
  createActor,
  fromPromise,
  SimulatedClock,
  toPromise,
  waitFor,
  type SnapshotFrom,
} from "xstate"
import { getShortestPaths } from "xstate/graph"
import {
  httpSessionMachine,
  parseSessionId,
  type HttpSessionInput,
  type Renewal,
  type SessionId,
} from "../src/index.js"
import { Puppets, startReplay, type EventsByState } from "./support/replay.js"
import { Taken } from "./support/transitions.js"

const id = (value: string): SessionId => {
  const parsed = parseSessionId(value)
  if (!parsed) throw new Error("Not a session id")
  return parsed
}

const rejected = (status: number) =>
  new HttpRejected({
    ...explain("http-status", "request", "demo", `HTTP ${status}.`),
    status,
    body: "",
  })

const notFound = rejected(404)
const badRequest = rejected(400)

const missing = (generation: number) => ({ type: "missing", generation, error: notFound }) as const
const shaped400 = (generation: number) =>
  ({ type: "shaped400", generation, error: badRequest }) as const
const answered = (generation: number) => ({ type: "answered", generation }) as const

const start = (input: HttpSessionInput, renewals: ReadonlyArray<Renewal> = []) => {
  const rest = [...renewals]
  const calls: Array<string> = []
  const machine = httpSessionMachine.provide({
    actors: {
      renew: fromPromise<Renewal, undefined>(async () => {
        calls.push("initialize")
        return rest.shift() ?? { _tag: "Failed", error: notFound }
      }),
      endSession: fromPromise<unknown, { readonly sessionId: SessionId | undefined }>(
        async ({ input: { sessionId } }) => calls.push(`DELETE ${sessionId}`),
      ),
    },
  })
  const actor = createActor(machine, { input, clock: new SimulatedClock() })
  actor.start()
  return { actor, calls }
}

type Snapshot = SnapshotFrom<typeof httpSessionMachine>

const held =
  (generation: number) =>
  ({ value, context }: Snapshot): boolean =>
    value === "held" && context.generation === generation

describe("a session of legacy HTTP", () => {
  it("V25-HTTP-37 without an id there is no session: a 404 is an ordinary failure", async () => {
    const { actor, calls } = start({})
    actor.send(missing(1))
    expect(actor.getSnapshot().value).toBe("none")
    actor.send({ type: "end" })
    expect(await toPromise(actor)).toEqual({ reason: "closed" })
    expect(calls).toEqual([])
  })

  it("C019 V25-HTTP-33 many 404s on one session share one initialize", async () => {
    const { actor, calls } = start({ sessionId: id("S1") }, [
      { _tag: "Renewed", sessionId: id("S2") },
    ])
    actor.send(answered(1))
    for (let request = 0; request < 5; request++) actor.send(missing(1))
    await waitFor(actor, held(2))
    expect(calls).toEqual(["initialize"])
    expect(actor.getSnapshot().context).toMatchObject({
      sessionId: "S2",
      proven: false,
      lateFailures: 4,
    })
  })

  it("C019 V25-HTTP-30 the old id is dropped before the new initialize", async () => {
    const { actor } = start({ sessionId: id("S1") }, [])
    actor.send(missing(1))
    expect(actor.getSnapshot().value).toBe("renewing")
    expect(actor.getSnapshot().context.sessionId).toBeUndefined()
  })

  it("C019 a late 404 of the old session changes nothing, and is seen", async () => {
    const { actor, calls } = start({ sessionId: id("S1") }, [
      { _tag: "Renewed", sessionId: id("S2") },
    ])
    actor.send(missing(1))
    await waitFor(actor, held(2))
    actor.send(missing(1))
    actor.send(shaped400(1))
    expect(actor.getSnapshot()).toMatchObject({
      value: "held",
      context: { generation: 2, sessionId: "S2", lateFailures: 2 },
    })
    expect(calls).toEqual(["initialize"])
  })

  it("C019 a 404 on the new session is surfaced: no third initialize", async () => {
    const { actor, calls } = start({ sessionId: id("S1") }, [
      { _tag: "Renewed", sessionId: id("S2") },
    ])
    actor.send(missing(1))
    await waitFor(actor, held(2))
    actor.send(missing(2))
    expect(await toPromise(actor)).toEqual({ reason: "dead", error: notFound })
    expect(calls).toEqual(["initialize"])
  })

  it("a new session that has worked may expire like the first", async () => {
    const { actor, calls } = start({ sessionId: id("S1") }, [
      { _tag: "Renewed", sessionId: id("S2") },
      { _tag: "Renewed", sessionId: id("S3") },
    ])
    actor.send(missing(1))
    await waitFor(actor, held(2))
    actor.send(answered(2))
    actor.send(missing(2))
    await waitFor(actor, held(3))
    expect(calls).toEqual(["initialize", "initialize"])
  })

  it("C022 a stored session is provisional: a 404 on it opens a new one", async () => {
    const { actor, calls } = start({ sessionId: id("S-old") }, [
      { _tag: "Renewed", sessionId: id("S-new") },
    ])
    expect(actor.getSnapshot().context.proven).toBe(false)
    actor.send(missing(1))
    await waitFor(actor, held(2))
    expect(calls).toEqual(["initialize"])
    expect(actor.getSnapshot().context.sessionId).toBe("S-new")
  })

  it("a new initialize may be given no session at all", async () => {
    const { actor } = start({ sessionId: id("S1") }, [{ _tag: "Renewed" }])
    actor.send(missing(1))
    await waitFor(actor, ({ value }) => value === "none")
    expect(actor.getSnapshot().context).toMatchObject({ generation: 2, sessionId: undefined })
  })

  it("a new initialize that fails ends the session with its error", async () => {
    const { actor } = start({ sessionId: id("S1") }, [{ _tag: "Failed", error: badRequest }])
    actor.send(missing(1))
    expect(await toPromise(actor)).toEqual({ reason: "dead", error: badRequest })
  })
})

describe("a 400 that speaks of the session", () => {
  const after = (events: ReadonlyArray<"answered" | "shaped400">, tolerances: TolerancePolicy) => {
    const run = start({ sessionId: id("S1"), tolerances })
    for (const event of events) run.actor.send(event === "answered" ? answered(1) : shaped400(1))
    return run.actor.getSnapshot().value
  }

  it("C020 is a lost session when the id has worked before", () => {
    expect(after(["answered", "shaped400"], {})).toBe("renewing")
  })

  it("C020 V25-HTTP-31 is an ordinary failure when the id has never worked", () => {
    expect(after(["shaped400"], {})).toBe("held")
  })

  it.each([{ strict: true }, { "session-shaped-400": false }])(
    "C020 is an ordinary failure when its rule is off: %j",
    (tolerances) => {
      expect(after(["answered", "shaped400"], tolerances)).toBe("held")
    },
  )

  it("C020 on the fresh session it is surfaced, never looped", async () => {
    const { actor, calls } = start({ sessionId: id("S1") }, [
      { _tag: "Renewed", sessionId: id("S2") },
    ])
    actor.send(answered(1))
    actor.send(shaped400(1))
    await waitFor(actor, held(2))
    actor.send(shaped400(2))
    expect(actor.getSnapshot().value).toBe("held")
    expect(calls).toEqual(["initialize"])
  })
})

describe("the end of a session", () => {
  it("V25-HTTP-34 close sends one DELETE with the id", async () => {
    const { actor, calls } = start({ sessionId: id("S1") })
    actor.send({ type: "end" })
    actor.send({ type: "end" })
    expect(await toPromise(actor)).toEqual({ reason: "closed" })
    expect(calls).toEqual(["DELETE S1"])
  })

  it("V25-HTTP-34 a DELETE that fails ends it just the same", async () => {
    const actor = createActor(
      httpSessionMachine.provide({
        actors: { endSession: fromPromise(() => Promise.reject(badRequest)) },
      }),
      { input: { sessionId: id("S1") } },
    )
    actor.start()
    actor.send({ type: "end" })
    expect(await toPromise(actor)).toEqual({ reason: "closed" })
  })

  it("a DELETE that is never answered holds up the end for two seconds only", async () => {
    const clock = new SimulatedClock()
    const actor = createActor(
      httpSessionMachine.provide({
        actors: { endSession: fromPromise(() => new Promise(() => {})) },
      }),
      { input: { sessionId: id("S1") }, clock },
    )
    actor.start()
    actor.send({ type: "end" })
    clock.increment(1_999)
    expect(actor.getSnapshot().value).toBe("ending")
    clock.increment(1)
    expect(await toPromise(actor)).toEqual({ reason: "closed" })
  })
})

describe("the session chart", () => {
  const renewals: ReadonlyArray<Renewal> = [
    { _tag: "Renewed", sessionId: id("S2") },
    { _tag: "Renewed" },
    { _tag: "Failed", error: badRequest },
  ]
  const requests = [1, 2].flatMap((generation) => [
    answered(generation),
    missing(generation),
    shaped400(generation),
  ])
  const events: EventsByState = {
    none: [...requests, { type: "end" }],
    held: [...requests, { type: "end" }],
    renewing: [
      ...requests,
      { type: "end" },
      ...renewals.map((output) => ({ type: "xstate.done.actor.renew", output })),
    ],
    ending: [
      { type: "xstate.done.actor.endSession", output: 200 },
      { type: "xstate.error.actor.endSession", error: badRequest },
      { type: "xstate.after.endSessionGrace.httpSession.ending" },
    ],
  }
  const inputs: ReadonlyArray<HttpSessionInput> = [
    {},
    { sessionId: id("S1") },
    { sessionId: id("S1"), tolerances: { strict: true } },
  ]

  it("every transition was taken by a running chart, and no renewal follows one that never worked", async () => {
    const taken = new Taken()
    for (const input of inputs) {
      const paths = getShortestPaths(httpSessionMachine, {
        input,
        // The generator wants the declared events only; ends of actors are events all the same.
        events: ({ value }) => (events[String(value)] ?? []) as never,
        serializeState: ({ value, context }, event) =>
          JSON.stringify([
            value,
            Math.min(context.generation, 3),
            context.proven,
            context.lateFailures > 0,
            // Different ways into one state are different paths.
            event?.type,
          ]),
        stopWhen: ({ context }) => context.generation > 2,
      })
      for (const path of paths) {
        const puppets = new Puppets()
        const run = startReplay(
          httpSessionMachine.provide({
            actors: {
              renew: puppets.logic("renew"),
              endSession: puppets.logic("endSession"),
            } as never,
          }),
          input,
          puppets,
          taken,
        )
        for (const { event, state } of path.steps.slice(1)) {
          const { value, context } = run.snapshot()
          await run.step(event)
          expect(run.snapshot().value).toBe(state.value)
          const renews = value === "held" && state.value === "renewing"
          expect(renews && context.generation > 1 && !context.proven).toBe(false)
        }
        expect(run.errors).toEqual([])
      }
    }
    expect(taken.missing(httpSessionMachine)).toEqual([])
  })
})
