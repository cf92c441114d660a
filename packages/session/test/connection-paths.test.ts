import { explain, HandshakeFailed } from "@entente/protocol"
import { beforeAll, describe, expect, it } from "vitest"
import type { SnapshotFrom } from "xstate"
import { getShortestPaths } from "xstate/graph"
import { connectionMachine, type ConnectionInput, type NegotiationOutcome } from "../src/index.js"
import { legacyAgreement, modernAgreement } from "./support/agreements.js"
import * as answers from "./support/answers.js"
import { Puppets, startReplay, type EventsByState } from "./support/replay.js"
import { Taken } from "./support/transitions.js"

const input: ConnectionInput = {
  negotiation: { dialect: "http", target: answers.target, now: () => Date.UTC(2026, 7, 2) },
  reconnect: { maxAttempts: 2 },
  random: () => 0,
}

const refused: NegotiationOutcome = {
  _tag: "Refused",
  error: new HandshakeFailed(explain("handshake-refused", "negotiate", "demo", "No.")),
  attempts: [{ what: "initialize", outcome: "HTTP 400" }],
}

const unanswered: NegotiationOutcome = {
  _tag: "Refused",
  error: new HandshakeFailed(explain("handshake-timeout", "negotiate", "demo", "Silence.")),
  attempts: [{ what: "initialize", outcome: "no answer" }],
}

const agreed = (agreement: typeof modernAgreement | ReturnType<typeof legacyAgreement>) =>
  ({ _tag: "Agreed", agreement, reopened: 0 }) as const

const lost = { type: "channelLost", error: answers.processExited, restart: true }
const lostForGood = { type: "channelLost", error: answers.processExited, restart: false }
const close = { type: "close" }
const sessionDead = { type: "sessionDead", error: answers.unreachable }

const openings = [
  { type: "xstate.done.actor.open", output: { ok: true } },
  { type: "xstate.done.actor.open", output: { ok: false, error: answers.unreachable } },
  {
    type: "xstate.done.actor.open",
    output: {
      ok: false,
      error: answers.unauthorized._tag === "Unauthorized" && answers.unauthorized.error,
    },
  },
]

const negotiations = [
  agreed(modernAgreement),
  agreed(legacyAgreement("S1")),
  refused,
  unanswered,
].map((output) => ({ type: "xstate.done.actor.negotiate", output }))

const events: EventsByState = {
  idle: [{ type: "open" }, close],
  opening: [...openings, lost, close],
  negotiating: [...negotiations, lost, lostForGood, close],
  "ready.modern": [
    lost,
    lostForGood,
    close,
    { type: "xstate.after.steadyTime.connection.ready" },
    {
      type: "verdictContradicted",
      attempt: { what: "tools/list", outcome: "HTTP 404" },
      error: answers.unreachable,
    },
  ],
  "ready.legacy": [lost, lostForGood, close, sessionDead, { type: "sessionExpired" }],
  "recovering.backingOff": [
    { type: "xstate.after.backoff.connection.recovering.backingOff" },
    lost,
    lostForGood,
    close,
  ],
  "recovering.reopening": [...openings, lost, close],
  "recovering.renegotiating": [...negotiations, lost, lostForGood, close],
  "recovering.renewingSession": [
    { type: "sessionRenewed", agreement: legacyAgreement("S2") },
    sessionDead,
    lost,
    lostForGood,
    close,
  ],
  closing: [
    { type: "xstate.done.actor.close", output: undefined },
    { type: "xstate.error.actor.close", error: new Error("the channel was gone already") },
    close,
  ],
}

type Snapshot = SnapshotFrom<typeof connectionMachine>

const nameOf = (value: Snapshot["value"]): string =>
  typeof value === "string"
    ? value
    : Object.entries(value)
        .map(([outer, inner]) => `${outer}.${String(inner)}`)
        .join()

const paths = getShortestPaths(connectionMachine, {
  input,
  // The generator wants the declared events only; ends of actors are events all the same.
  events: ({ value }) => (events[nameOf(value)] ?? []) as never,
  serializeState: ({ value, context }, event, before) =>
    JSON.stringify([
      value,
      context.recoveries,
      Math.min(context.losses, 1),
      context.lost?.restart,
      context.wasContradicted,
      context.failure?.code,
      // Different ways into one state are different paths.
      before?.value,
      event?.type,
    ]),
})

const taken = new Taken()

/** What a running chart did when the events of a path happened to it, and then `close`. */
interface Run {
  readonly snapshots: ReadonlyArray<Snapshot>
  readonly afterClose: { readonly last: Snapshot; readonly started: ReadonlyArray<string> }
}

const replay = async (path: (typeof paths)[number]): Promise<Run> => {
  const puppets = new Puppets()
  const logic = Object.fromEntries(
    ["open", "negotiate", "close"].map((id) => [id, puppets.logic(id)]),
  )
  // Puppets take the place of every actor, whatever its output.
  const provided = connectionMachine.provide({ actors: logic as never })
  const run = startReplay(provided, input, puppets, taken)
  const snapshots = [run.snapshot()]
  for (const { event, state } of path.steps.slice(1)) {
    await run.step(event)
    snapshots.push(run.snapshot())
    if (nameOf(run.snapshot().value) !== nameOf(state.value)) throw new Error("Another way")
  }
  const before = puppets.started.length
  if (run.snapshot().status !== "done") {
    await run.step({ type: "close" })
    await run.step({ type: "xstate.after.anything" })
    if (run.snapshot().value === "closing") await run.step({ type: "xstate.done.actor.close" })
  }
  if (run.errors.length > 0) throw run.errors[0]
  const started = puppets.started.slice(before).map(({ id }) => id)
  return { snapshots, afterClose: { last: run.snapshot(), started } }
}

describe("connection over every path", () => {
  const runs: Array<Run> = []

  beforeAll(async () => {
    for (const path of paths) runs.push(await replay(path))
  }, 60_000)

  it("close wins in every state: nothing is opened or negotiated after it", () => {
    for (const { snapshots, afterClose } of runs) {
      if (snapshots.at(-1)?.status === "done") continue
      expect(afterClose.last).toMatchObject({ status: "done", output: { _tag: "Closed" } })
      expect(afterClose.started.filter((id) => id !== "close")).toEqual([])
    }
  })

  it("ready always carries an agreement of its own era, and nothing else but a renewal keeps one", () => {
    const eras = (state: string) =>
      new Set(
        runs
          .flatMap(({ snapshots }) => snapshots)
          .filter(({ value }) => nameOf(value) === state)
          .map(({ context }) => context.agreement?.era),
      )
    expect(eras("ready.modern")).toEqual(new Set(["modern"]))
    expect(eras("ready.legacy")).toEqual(new Set(["legacy"]))
    expect(eras("recovering.renewingSession")).toEqual(new Set(["legacy"]))
    for (const state of ["backingOff", "reopening", "renegotiating"]) {
      expect(eras(`recovering.${state}`)).toEqual(new Set([undefined]))
    }
  })

  it("a failure keeps its first cause, and every attempt", () => {
    const failures = runs.flatMap(({ snapshots }) => {
      const last = snapshots.at(-1)
      return last?.output?._tag === "Failed" ? [{ ...last.output, first: last.context.first }] : []
    })
    expect(failures.length).toBeGreaterThan(10)
    for (const { error, attempts, first } of failures) {
      expect(attempts.length).toBeGreaterThan(0)
      expect(error.attempts).toBe(attempts)
      expect(error.cause === first || error.code === first?.code).toBe(true)
    }
  })

  it("recoveries are bounded", () => {
    expect(Math.max(...paths.map(({ state }) => state.context.recoveries))).toBe(2)
  })

  it("every transition of the chart was taken by a running chart", () => {
    expect(taken.missing(connectionMachine)).toEqual([])
  })
})
