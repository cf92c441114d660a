import * as Effect from "effect/Effect"
import { explain, InvalidInput, type ReplayDiverged } from "@entente/protocol"
import { currentTimers } from "../timers.js"
import type { Channel, Transport } from "../transport.js"
import { transportErrorOf } from "./error-record.js"
import { readRecording, type Opening, type Recording, type RecordingSource } from "./recording.js"
import { diverged } from "./divergence.js"
import { ReplayChannel } from "./replay-channel.js"

export interface ReplayOptions {
  /**
   * `instant` (default) makes no pauses; a number is how many times faster than recorded it goes: 1 keeps
   * every pause. Time limits of the client are its own and are not made shorter.
   */
  readonly speed?: "instant" | number
  /**
   * Milliseconds to wait for a message that comes next in the recording, while another one waits for an
   * answer further on; then it is left out. Default 1 000.
   */
  readonly patienceMs?: number
}

let replays = 0

/**
 * A transport that needs no server: it says what `record` heard. A message of the client is matched to a
 * recorded one by method and order, and ids, tokens and exchanges are put in place; what is not in the
 * recording fails with `ReplayDiverged`. Every opening plays the next opening of the recording.
 *
 * Takes the text of a trace, its lines or its events; throws `InvalidInput` where they hold no recording.
 *
 * @example
 * const client = await connect(replay(await readFile("session.jsonl", "utf8")))
 */
export const replay = (source: RecordingSource, options: ReplayOptions = {}): Transport => {
  const recording = readRecording(source)
  const speed = speedOf(options.speed ?? "instant")
  const progress: Progress = { opened: 0, diverged: undefined }
  const key = `replay:${++replays} ${recording.target}`
  const patienceMs = options.patienceMs ?? 1_000
  const playing = ({ kind, target }: Pick<Opening, "kind" | "target">): Transport => ({
    kind,
    target,
    // What is learnt of a recording must not be remembered of the server, nor of another recording.
    key,
    open: Effect.gen(function* () {
      const timers = yield* currentTimers
      const opening = yield* nextOpening(recording, progress, kind)
      const diverging = (error: ReplayDiverged): void => void (progress.diverged ??= error)
      const opened = new ReplayChannel({ opening, timers, speed, patienceMs, diverged: diverging })
      for (const detail of progress.opened === 1 ? recording.problems : []) {
        opened.inbox.note({ code: "recording-damaged", detail })
      }
      return yield* Effect.acquireRelease(
        Effect.sync((): Channel => opened.channel),
        () => Effect.sync(() => opened.release()),
      )
    }),
  })
  const { openings, kind } = recording
  const other = openings.find((opening) => opening.kind !== kind)
  return { ...playing(recording), ...(other && { fallback: playing(other) }) }
}

/** How far the replay of a whole recording has come. */
interface Progress {
  opened: number
  diverged: ReplayDiverged | undefined
}

const nextOpening = ({ openings, target }: Recording, progress: Progress, kind: string) =>
  Effect.suspend(() => {
    const opening: Opening | undefined = openings[progress.opened]
    if (opening?.kind === kind) {
      progress.opened++
      return opening.failure === undefined
        ? Effect.succeed(opening)
        : Effect.fail(transportErrorOf(opening.failure.error, target))
    }
    const last = openings[progress.opened - 1]?.events.at(-1)?.seq ?? 0
    const expected = opening && `an opening of ${opening.kind}`
    const came = `opening ${progress.opened + 1}, of ${kind}`
    const why = `was opened ${openings.length} times in the recording`
    return Effect.fail(progress.diverged ?? diverged(target, last, expected, came, why))
  })

const speedOf = (speed: "instant" | number): number => {
  if (speed === "instant") return Infinity
  if (speed > 0) return speed
  const what = `The speed of a replay is "instant" or a number above zero, not ${speed}.`
  throw new InvalidInput(explain("invalid-input", "input", "replay", what))
}
