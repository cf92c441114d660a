import { replayCharts } from "@entente/doctor"
import type { TraceEvent } from "@entente/trace"
import { readTrace } from "@entente/trace/file"

/** What the charts made of a recording, one line for each step. */
export const storyOf = async (path: string): Promise<ReadonlyArray<string>> => {
  const events: Array<TraceEvent> = []
  for await (const line of readTrace(path)) if (line.kind === "event") events.push(line.event)
  const story: Array<string> = []
  for await (const step of replayCharts(events)) {
    const about = step.kind === "diverged" ? step.detail : step.kind
    story.push(`${step.number} ${about}: ${step.states["connection"]}`)
  }
  return story
}
