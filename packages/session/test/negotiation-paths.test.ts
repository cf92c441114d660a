import { beforeAll, describe, expect, it } from "vitest"
import type { SnapshotFrom } from "xstate"
import {
  negotiationMachine,
  readVerdict,
  type NegotiationInput,
  type NegotiationOutcome,
} from "../src/index.js"
import { beginnings, pathsFrom, type NegotiationPath } from "./support/negotiation-paths.js"
import { Puppets, startReplay } from "./support/replay.js"
import { Taken } from "./support/transitions.js"

const taken = new Taken()

const actors = ["probe", "initialize", "confirm", "reopen", "fallBack"]

/** What a running chart did when the events of a path happened to it. */
interface Run {
  readonly events: ReadonlyArray<string>
  /** The snapshot before the first event, and after each. */
  readonly snapshots: ReadonlyArray<SnapshotFrom<typeof negotiationMachine>>
  readonly started: ReadonlyArray<string>
  readonly outcome: NegotiationOutcome
}

const replay = async (path: NegotiationPath, input: NegotiationInput): Promise<Run> => {
  const puppets = new Puppets()
  const logic = Object.fromEntries(actors.map((id) => [id, puppets.logic(id)]))
  // Puppets take the place of every actor, whatever its output.
  const machine = negotiationMachine.provide({ actors: logic as never })
  const run = startReplay(machine, input, puppets, taken)
  const snapshots = [run.snapshot()]
  for (const { event, state } of path.steps.slice(1)) {
    await run.step(event)
    snapshots.push(run.snapshot())
    if (run.snapshot().value !== state.value) throw new Error(`Not in ${String(state.value)}`)
  }
  const outcome = run.snapshot().output
  if (!outcome || run.errors.length > 0) throw new Error("The chart did not end well")
  return {
    events: path.steps.slice(1).map(({ event }) => event.type),
    snapshots,
    started: puppets.started.map(({ id }) => id),
    outcome,
  }
}

const count = (list: ReadonlyArray<string>, what: string): number =>
  list.filter((one) => one === what).length

describe.each(Object.entries(beginnings))("negotiation over every path: %s", (_, input) => {
  const runs: Array<Run> = []

  beforeAll(async () => {
    for (const path of pathsFrom(input)) runs.push(await replay(path, input))
  }, 60_000)

  /** The attempts of the first few runs for which something does not hold. */
  const exceptions = (holds: (run: Run) => boolean) =>
    runs
      .filter((run) => !holds(run))
      .slice(0, 3)
      .map(({ snapshots }) => snapshots.at(-1)?.context.attempts)

  it("has somewhere to go", () => {
    expect(runs.length).toBeGreaterThan(0)
  })

  it("every actor that starts ends, and nothing starts after the end", () => {
    expect(
      exceptions(({ started, events }) =>
        actors.every((id) => count(started, id) === count(events, `xstate.done.actor.${id}`)),
      ),
    ).toEqual([])
  })

  it("V26-VER-05 every step is bounded", () => {
    expect(
      exceptions(
        ({ started }) =>
          count(started, "probe") <= 3 &&
          count(started, "initialize") <= 5 &&
          count(started, "confirm") <= 1 &&
          count(started, "reopen") <= 1 &&
          count(started, "fallBack") <= 1,
      ),
    ).toEqual([])
  })

  it("V25-LIFE-09 notifications/initialized follows an accepted initialize, and nothing follows it", () => {
    expect(
      exceptions(({ started, snapshots, outcome }) => {
        const confirmed = started.includes("confirm")
        const asked = snapshots.find(({ value }) => value === "confirming")
        return (
          confirmed === (asked?.context.initialize?.kind === "accepted") &&
          (!confirmed || started.at(-1) === "confirm") &&
          (outcome._tag === "Refused" || outcome.agreement.era === "modern" || confirmed)
        )
      }),
    ).toEqual([])
  })

  it("V25-LIFE-13 initialize is only ever left by its answer", () => {
    expect(
      exceptions(({ snapshots, events }) =>
        events.every(
          (event, index) =>
            snapshots[index]?.value !== "initializing" ||
            snapshots[index + 1]?.value === "initializing" ||
            event === "xstate.done.actor.initialize",
        ),
      ),
    ).toEqual([])
  })

  it("no initialize follows a proof of the modern era, but for a list of legacy versions (T-03)", () => {
    expect(
      exceptions(({ snapshots }) =>
        snapshots.every(({ value, context: { probe } }, index) => {
          if (value !== "initializing" || !snapshots[index - 1]?.context.modernProved) return true
          return (
            probe !== undefined && "supported" in probe && probe.supported.includes("2025-11-25")
          )
        }),
      ),
    ).toEqual([])
  })

  it("the first failure stays the primary cause, and every attempt is kept in order", () => {
    expect(
      exceptions(({ snapshots, events, outcome }) => {
        const last = snapshots.at(-1)?.context
        const accepted = last?.agreement?.era === "legacy" ? 1 : 0
        const answers = events.filter((event) => event.startsWith("xstate.done.actor.")).length
        const known = input.contradiction ? 1 : 0
        if (last?.attempts.length !== known + answers - accepted) return false
        if (outcome._tag === "Agreed") return true
        const firsts = new Set(snapshots.flatMap(({ context }) => context.first ?? []))
        const [first] = firsts
        const { error } = outcome
        return (
          firsts.size <= 1 &&
          (error.cause === first || (error._tag === first?._tag && error.code === first.code)) &&
          outcome.attempts === last.attempts &&
          error.attempts === last.attempts
        )
      }),
    ).toEqual([])
  })

  it("V26-HDR-11 a session id never appears beside the modern era", () => {
    expect(
      exceptions(({ outcome }) => {
        if (outcome._tag === "Refused") return true
        return outcome.agreement.era === "modern"
          ? !("sessionId" in outcome.agreement) && outcome.agreement.discover !== undefined
          : outcome.agreement.sessionId === "session-1"
      }),
    ).toEqual([])
  })

  it("only an agreement carries a verdict, and it survives a file", () => {
    expect(
      exceptions(({ outcome }) => {
        if (outcome._tag === "Refused") return !("verdict" in outcome)
        const written = JSON.stringify(outcome.agreement.verdict)
        return JSON.stringify(readVerdict(JSON.parse(written))) === written
      }),
    ).toEqual([])
  })
})

describe("negotiation", () => {
  it("every transition of the chart was taken by a running chart", () => {
    expect(taken.missing(negotiationMachine)).toEqual([])
  })
})
