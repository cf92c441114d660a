import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { asRecording, readLog, replayCharts, stepsOf, type ReplayStep } from "@entente/doctor"
import { fileOf, recorded } from "../traces/recorded.js"

const what = (step: ReplayStep): string =>
  step.kind === "frame" ? JSON.stringify(step.frame.message) : step.kind

describe("a list whose second page was asked for after the first one", () => {
  it("is read again in the recorded order, and no later than it was", async () => {
    const row = recorded.find(({ code }) => code === "cursor-ignored")
    if (row === undefined) throw new Error("The recorded traces have no cursor-ignored.")
    const { events } = readLog(readFileSync(fileOf(row), "utf8"))
    const experiment = events.findIndex(({ type }) => type === "experiment")
    const live = stepsOf(events.slice(0, experiment))
    const steps: Array<ReplayStep> = []
    for await (const step of replayCharts(asRecording(events.slice(0, experiment))))
      steps.push(step)
    expect(steps.map(what)).toEqual(live.map(what))
    expect(steps.at(-1)?.sinceStartMs).toBeLessThanOrEqual(live.at(-1)?.sinceStartMs ?? 0)
  })
})
