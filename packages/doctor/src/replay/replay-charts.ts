import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import { explain, InvalidInput } from "@entente/protocol"
import type { TraceEvent, TraceReader } from "@entente/trace"
import { replay, type Transport } from "@entente/transport"
import { recordedRun } from "./recorded-run.js"
import { replayRun } from "./replay-run.js"
import type { ReplayStep } from "./step.js"

export interface ReplayChartsOptions {
  /** Hears the trace of the replay: what a recording of the client that runs would have. */
  readonly trace?: TraceReader
  /**
   * Milliseconds, of the recording's own time, to wait for what comes next in it; then the replay goes on without
   * it. Default 35,000, which is more than any pause of a client that opens a connection again.
   */
  readonly patienceMs?: number
}

/** What is added to the longest silence in the recording before a message is taken to be left out. */
const spareMs = 1_000

const transportOf = (
  events: ReadonlyArray<TraceEvent>,
  patienceMs: number,
): Effect.Effect<Transport, InvalidInput> =>
  Effect.try({
    try: () => replay(events, { speed: 1, patienceMs }),
    catch: (error) =>
      error instanceof InvalidInput
        ? error
        : new InvalidInput(
            explain("invalid-input", "input", "replay", "The recording cannot be read."),
          ),
  })

/**
 * Drives the charts again with what was recorded: a real client over the recording, which does what the recorded
 * one did, on a clock that follows the recording and takes no time. Gives a step for each message, each turn in the
 * life of the channel and the close, with the states of all charts after it. Where the client that runs and the
 * recording part, a step of the kind `diverged` says so, and the replay goes on as far as it can.
 *
 * Fails with `InvalidInput` where the events hold no recording of a transport.
 */
export const replaySteps = (
  events: ReadonlyArray<TraceEvent>,
  { trace, patienceMs = 35_000 }: ReplayChartsOptions = {},
): Stream.Stream<ReplayStep, InvalidInput> =>
  Stream.callback<ReplayStep, InvalidInput>((queue) =>
    Effect.gen(function* () {
      const run = recordedRun(events)
      const transport = yield* transportOf(run.events, run.longestGapMs + spareMs)
      const tell = (step: ReplayStep): void => void Queue.offerUnsafe(queue, step)
      yield* replayRun({ run, transport, patienceMs, trace, tell })
      yield* Queue.end(queue)
    }),
  )

/**
 * The same for everybody else: an iteration that rejects where the stream fails. Leaving it early ends the replay.
 *
 * @example
 * for await (const { number, states } of replayCharts(events)) console.log(number, states.connection)
 */
export const replayCharts = (
  events: ReadonlyArray<TraceEvent>,
  options: ReplayChartsOptions = {},
): AsyncIterable<ReplayStep> => Stream.toAsyncIterable(replaySteps(events, options))
