import { setTimeout as sleep } from "node:timers/promises"
import { asRecording, replayCharts, type ReplayStep } from "@entente/doctor"
import type { TraceEvent } from "@entente/trace"
import { readLogFile } from "../doctor/read-log-file.js"
import { exitCodes, type ExitCode } from "../exit-code.js"
import type { Io } from "../io.js"
import { isTerminal, KeyPresses } from "../key-presses.js"
import { jsonLine } from "../render/json-line.js"
import { replayStepLines } from "../render/replay-step.js"
import { styleOf } from "../render/style.js"
import { widthFor } from "../render/table.js"
import { oneLine } from "../render/visible-text.js"
import type { ReplayInvocation } from "../replay-arguments.js"
import { UsageError } from "../usage-error.js"

/** What was recorded, by us or by another client, as a replay needs it; what cannot be read of it is a warning. */
const readEvents = async (
  { path, json }: ReplayInvocation,
  io: Io,
): Promise<ReadonlyArray<TraceEvent>> => {
  const { events, problems } = await readLogFile(path, undefined, io)
  for (const { line, code, detail } of problems) {
    const place = line === 0 ? "" : `line ${line}: `
    io.stderr.write(
      json
        ? `${jsonLine({ warning: { line, code, detail } })}\n`
        : `warning: ${place}${oneLine(detail)}\n`,
    )
  }
  // What was only tried out is no part of the conversation.
  const experiment = events.findIndex(({ type }) => type === "experiment")
  return asRecording(experiment < 0 ? events : events.slice(0, experiment))
}

/** Waits before a step is shown; says how it ends where it is not to be shown any more. */
type Pace = (step: ReplayStep) => Promise<"show" | "quit" | "interrupted">

const paceOf = ({ pace }: ReplayInvocation, keys: KeyPresses | undefined, io: Io): Pace => {
  let shownMs = 0
  return async ({ sinceStartMs }) => {
    if (io.signal.aborted) return "interrupted"
    if (keys !== undefined) {
      const key = await keys.next()
      return key === "next" ? "show" : key
    }
    if (typeof pace === "number") {
      const ms = (sinceStartMs - shownMs) / pace
      shownMs = sinceStartMs
      // An abort is told by the signal when the wait is over.
      await sleep(Math.min(ms, longestMs), undefined, { signal: io.signal }).catch(() => {})
      if (io.signal.aborted) return "interrupted"
    }
    return "show"
  }
}

/** The longest that a timer can wait. */
const longestMs = 2 ** 31 - 1

const count = (amount: number, one: string): string => `${amount} ${one}${amount === 1 ? "" : "s"}`

const endLine = (steps: number, diverged: number, quit: boolean): string => {
  if (diverged > 0) {
    return `${count(steps, "step")}: the replay and the recording parted ${count(diverged, "time")}.`
  }
  return quit
    ? `${count(steps, "step")} shown.`
    : `${count(steps, "step")}: the replay came to the end of the recording.`
}

/** Replays a trace and shows the states of the charts after each step. */
export const replay = async (invocation: ReplayInvocation, io: Io): Promise<ExitCode> => {
  if (invocation.pace === "step" && !isTerminal(io.stdin)) {
    throw new UsageError("--step waits for keys, but stdin is no terminal.", "Leave --step out.")
  }
  const events = await readEvents(invocation, io)
  const style = styleOf(io.stdout, io, invocation.color)
  const keys = invocation.pace === "step" ? new KeyPresses(io.stdin, io.signal) : undefined
  const pace = paceOf(invocation, keys, io)
  let before: ReplayStep["states"] = {}
  let steps = 0
  let diverged = 0
  let quit = false
  if (keys !== undefined) io.stderr.write("Enter or space: the next step; q: the end.\n")
  try {
    for await (const step of replayCharts(events)) {
      const next = await pace(step)
      if (next === "interrupted") return exitCodes.interrupted
      quit = next === "quit"
      if (quit) break
      steps++
      // What had to be assumed is told, and is no other way.
      if (step.kind === "diverged" && step.reason !== "assumed") diverged++
      const lines = invocation.json
        ? [jsonLine(step)]
        : replayStepLines(step, before, widthFor(io.stdout), style)
      io.stdout.write(`${lines.join("\n")}\n`)
      before = step.states
    }
  } finally {
    keys?.close()
  }
  if (!invocation.json) io.stderr.write(`${endLine(steps, diverged, quit)}\n`)
  return diverged === 0 ? exitCodes.ok : exitCodes.protocol
}
