import { describe, expect, it } from "vitest"
import type { TraceEvent } from "@entente/trace"
import { replayCharts, stepsOf, type ReplayStep } from "@entente/doctor"
import { recordOf, runs } from "./runs.js"

const replayed = async (events: ReadonlyArray<TraceEvent>) => {
  const trace: Array<TraceEvent> = []
  const steps: Array<ReplayStep> = []
  for await (const step of replayCharts(events, { trace: (event) => trace.push(event) }))
    steps.push(step)
  return { steps, trace }
}

/** What a step is about, without what differs from run to run. */
const told = (step: ReplayStep) => {
  const { states, status, transitions } = step
  const about =
    step.kind === "frame"
      ? { direction: step.frame.direction, message: step.frame.message }
      : step.kind === "channel"
        ? { event: step.event.event }
        : step.kind === "diverged"
          ? { detail: step.detail }
          : {}
  const moves = transitions.map(({ chart, event, from, to }) => ({ chart, event, from, to }))
  return { kind: step.kind, ...about, status, states, moves }
}

const withoutStamp = ({ seq: _seq, at: _at, ...event }: TraceEvent) => event

describe("a replay of a real run", () => {
  for (const [name, run] of Object.entries(runs)) {
    it(`has the states of the live run after each frame: ${name}`, async () => {
      const events = await recordOf(run)
      const { steps } = await replayed(events)
      expect(steps.map(told)).toEqual(stepsOf(events).map(told))
    })

    it(`tells the same frames, statuses, notes and errors in the same order: ${name}`, async () => {
      const events = await recordOf(run)
      const { trace } = await replayed(events)
      // When an exchange ends, after its answer, is nothing that a client waits for.
      const seen = (all: ReadonlyArray<TraceEvent>) =>
        all.filter(({ type }) => type !== "transition" && type !== "outcome").map(withoutStamp)
      expect(seen(trace)).toEqual(seen(events))
      const outcomes = (all: ReadonlyArray<TraceEvent>) =>
        all
          .filter((event) => event.type === "outcome")
          .toSorted((one, other) => one.send - other.send)
          .map(withoutStamp)
      expect(outcomes(trace)).toEqual(outcomes(events))
    })
  }
})
