import { readFileSync } from "node:fs"
import type { TraceEvent } from "@entente/trace"
import { describe, expect, it } from "vitest"
import { asRecording, diagnose, readLog, replayCharts, type Diagnosis } from "@entente/doctor"
import { fileOf, recorded } from "../traces/recorded.js"
import { variants } from "../variants/all-variants.js"
import { examineVariant } from "../variants/examine-variant.js"

/** What the client did by itself: what was tried out afterwards cannot be replayed. */
const byItself = (events: ReadonlyArray<TraceEvent>): ReadonlyArray<TraceEvent> => {
  const experiment = events.findIndex(({ type }) => type === "experiment")
  return experiment < 0 ? events : events.slice(0, experiment)
}

const replayed = async (events: ReadonlyArray<TraceEvent>): Promise<ReadonlyArray<TraceEvent>> => {
  const seen: Array<TraceEvent> = []
  for await (const _ of replayCharts(asRecording(events), { trace: (event) => seen.push(event) })) {
    // Each step has been taken when it is given.
  }
  return seen
}

const said = ({ verdict, era, protocolVersion, counts, hypotheses }: Diagnosis) => ({
  verdict,
  era,
  protocolVersion,
  counts,
  codes: hypotheses.map(({ code }) => code),
})

describe("a replay is diagnosed as the run that was recorded", () => {
  // The client of family 5 asks for what the server does not offer, which ours never does.
  const ofOurs = recorded.filter(({ family }) => family !== 5)

  it.each(ofOurs)("the recorded trace of family $family", async (row) => {
    const events = byItself(readLog(readFileSync(fileOf(row), "utf8")).events)
    expect(said(diagnose(await replayed(events)))).toEqual(said(diagnose(events)))
  })

  const chosen = variants.filter(
    ({ name, over, client }) =>
      client === undefined &&
      over === "http" &&
      ["empty", "bad-schema", "declared-but-unknown", "session-404"].includes(name),
  )

  it.each(chosen)("$name, $era", async (variant) => {
    const events = byItself((await examineVariant(variant)).trace)
    expect(said(diagnose(await replayed(events)))).toEqual(said(diagnose(events)))
  })
})
