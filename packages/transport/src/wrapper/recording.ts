import { explain, InvalidInput } from "@entente/protocol"
import {
  TraceDecoder,
  type AskEvent,
  type ChannelEvent,
  type FrameEvent,
  type NoteEvent,
  type OutcomeEvent,
  type StreamEvent,
  type TraceEvent,
  type TraceLine,
  type UnreadableEvent,
} from "@entente/trace"

/** A recording: the text of a trace file, the lines a reader made of it, or the events themselves. */
export type RecordingSource = string | Iterable<TraceLine | TraceEvent>

/** What was recorded of a channel. Events that others put into the same trace have no channel. */
export type RecordedEvent =
  | (FrameEvent & { readonly channel: number })
  | (NoteEvent & { readonly channel: number })
  | ChannelEvent
  | OutcomeEvent
  | UnreadableEvent
  | StreamEvent
  | AskEvent

/** One opening of the recorded transport, and everything on the channel it gave. */
export interface Opening {
  readonly kind: string
  readonly target: string
  readonly exchanges: "shared" | "per-request"
  /** Why it could not be opened; nothing else is in it then. */
  readonly failure?: { readonly error: unknown }
  readonly events: ReadonlyArray<RecordedEvent>
}

export interface Recording {
  readonly kind: string
  readonly target: string
  readonly openings: ReadonlyArray<Opening>
  /** What was wrong with the trace, in words. */
  readonly problems: ReadonlyArray<string>
}

const decoded = (text: string): ReadonlyArray<TraceLine> => {
  const decoder = new TraceDecoder()
  return [...decoder.push(text), ...decoder.end()]
}

const isRecorded = (event: TraceEvent): event is RecordedEvent =>
  "channel" in event && event.channel !== undefined

/**
 * Reads what was recorded of a transport out of a trace. A file that was appended to holds several
 * recordings; the last one counts. Throws `InvalidInput` where there is none.
 */
export const readRecording = (source: RecordingSource): Recording => {
  let openings: Array<Opening & { readonly events: Array<RecordedEvent> }> = []
  let byChannel = new Map<number, Array<RecordedEvent>>()
  let problems: Array<string> = []
  const begin = (event: ChannelEvent): void => {
    if (event.channel === 1) {
      openings = []
      byChannel = new Map()
      problems = []
    }
    const { transport, target, exchanges = "shared" } = event
    const events: Array<RecordedEvent> = []
    byChannel.set(event.channel, events)
    openings.push({
      kind: transport,
      target,
      exchanges,
      events,
      ...(event.event === "failed" ? { failure: { error: event.error } } : {}),
    })
  }
  for (const item of typeof source === "string" ? decoded(source) : source) {
    if ("kind" in item && item.kind === "problem") {
      problems.push(`line ${item.line}, ${item.code}: ${item.detail}`)
      continue
    }
    const event = "type" in item ? item : item.kind === "event" ? item.event : undefined
    if (event === undefined || !isRecorded(event)) continue
    if (event.type === "channel" && (event.event === "opened" || event.event === "failed")) {
      begin(event)
    }
    byChannel.get(event.channel)?.push(event)
  }
  const [first] = openings
  if (first === undefined) {
    const what = "This trace holds no recording of a transport: record() makes one."
    throw new InvalidInput(explain("invalid-input", "input", "replay", what))
  }
  return { kind: first.kind, target: first.target, openings, problems }
}
