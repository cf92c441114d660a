import { isJsonObject, type JsonObject } from "@entente/protocol"
import { redactEvent, type TraceEvent } from "@entente/trace"
import { partsOf } from "./recorded-message.js"
import { withOutcomes } from "./with-outcomes.js"

/** A message that the recorded client sent. */
export interface Send {
  readonly kind: "send"
  /** Its place among the events of the run. */
  readonly index: number
  readonly id: string | undefined
  readonly method: string | undefined
  readonly params: JsonObject | undefined
}

/** Something the recorded client did. */
export type Deed =
  | Send
  /** It gave up on the message at the place `of`. */
  | { readonly kind: "giveUp"; readonly index: number; readonly of: number }

/** The last recording in a trace, ready to be replayed. */
export interface RecordedRun {
  /** In order; the times never go back and have no gap above an hour. */
  readonly events: ReadonlyArray<TraceEvent>
  /** What the client did, in order. */
  readonly deeds: ReadonlyArray<Deed>
  /** Of these the messages. */
  readonly sends: ReadonlyArray<Send>
  /** Where the answer to the message at a place stands. */
  readonly answers: ReadonlyMap<number, number>
  /** Where it says that the message at a place was given up, also by a client that closed. */
  readonly givenUp: ReadonlyMap<number, number>
  /** The longest time in which nothing happened, in milliseconds. */
  readonly longestGapMs: number
  /** Whether the owner closed the connection in the end. */
  readonly closed: boolean
}

/**
 * Longer than an hour the silence in a recording is not kept: a made-up one could otherwise keep timers busy
 * for years of its own time.
 */
const longestGapMs = 3_600_000

/** What a date can say, with room for all gaps. */
const isMoment = (at: number): boolean => at >= 0 && at < 4e15

/** A client that closes gives up everything at the same moment; that is no deed of its own. */
const momentMs = 5

const isBeginning = (event: TraceEvent): boolean =>
  event.type === "channel" &&
  event.channel === 1 &&
  (event.event === "opened" || event.event === "failed")

/** The events of the last recording, with what was observed before its channel was there. */
const lastRecording = (events: ReadonlyArray<TraceEvent>): ReadonlyArray<TraceEvent> => {
  let start = events.findLastIndex(isBeginning)
  if (start < 0) return events
  // Whoever appends to a file begins to count anew.
  for (; start > 0; start--) {
    const [before, here] = [events[start - 1], events[start]]
    if (before === undefined || here === undefined || before.seq >= here.seq) break
  }
  return events.slice(start)
}

/** Times that never go back, without the gaps that are too long. */
const withEvenTimes = (events: ReadonlyArray<TraceEvent>): ReadonlyArray<TraceEvent> => {
  let before: number | undefined
  let at = 0
  return events.map((event) => {
    const gap = before === undefined ? 0 : Math.min(longestGapMs, Math.max(0, event.at - before))
    at = before === undefined ? (isMoment(event.at) ? event.at : 0) : at + gap
    before = event.at
    return { ...event, at }
  })
}

/** Redacted once more: the file may come from anywhere, and what is too deep is cut by it. */
const safe = (event: TraceEvent): TraceEvent => redactEvent(event, { maxTextLength: Infinity })

/** Where it says that a message was given up, by the place of the message. */
const givenUpIn = (events: ReadonlyArray<TraceEvent>): ReadonlyMap<number, number> => {
  const bySend = new Map<string, number>()
  const givenUp = new Map<number, number>()
  events.forEach((event, index) => {
    if (event.type === "frame" && event.direction === "out" && event.send !== undefined) {
      bySend.set(`${event.channel} ${event.send}`, index)
    }
    if (event.type !== "outcome" || !isAborted(event.outcome)) return
    const of = bySend.get(`${event.channel} ${event.send}`)
    if (of !== undefined) givenUp.set(of, index)
  })
  return givenUp
}

/** What the client did, in order. */
const deedsIn = (
  events: ReadonlyArray<TraceEvent>,
  givenUp: ReadonlyMap<number, number>,
): ReadonlyArray<Deed> => {
  const released = events.findLast(
    (event) => event.type === "channel" && event.event === "released",
  )
  const isLeaving = (index: number): boolean =>
    released !== undefined && released.at - (events[index]?.at ?? 0) <= momentMs
  const sends = events.flatMap((event, index): ReadonlyArray<Deed> => {
    if (event.type !== "frame" || event.direction === "in" || event.channel === undefined) return []
    const { id, method, params } = partsOf(event.message)
    return [{ kind: "send", index, id, method, params }]
  })
  const ends = [...givenUp].flatMap(([of, index]): ReadonlyArray<Deed> =>
    isLeaving(index) ? [] : [{ kind: "giveUp", index, of }],
  )
  return [...sends, ...ends].toSorted((one, other) => one.index - other.index)
}

/** Which event answers which request of the client. */
const answersIn = (events: ReadonlyArray<TraceEvent>): ReadonlyMap<number, number> => {
  const answers = new Map<number, number>()
  const open = new Map<string, number>()
  events.forEach((event, index) => {
    if (event.type !== "frame" || event.channel === undefined) return
    const { id, method } = partsOf(event.message)
    const key = `${event.channel} ${id}`
    if (event.direction === "out" && method !== undefined && id !== undefined) open.set(key, index)
    if (event.direction === "out" || method !== undefined) return
    const request = open.get(key)
    if (request !== undefined && !answers.has(request)) answers.set(request, index)
  })
  return answers
}

const isAborted = (outcome: unknown): boolean =>
  isJsonObject(outcome) && outcome["_tag"] === "Aborted"

/** Reads what is to be replayed out of the events of a trace. */
export const recordedRun = (trace: ReadonlyArray<TraceEvent>): RecordedRun => {
  const events = withOutcomes(withEvenTimes(lastRecording(trace).map(safe)))
  const givenUp = givenUpIn(events)
  const deeds = deedsIn(events, givenUp)
  const gaps = events.map(({ at }, index) => at - (events[index - 1]?.at ?? at))
  const last = events.findLast(({ type }) => type === "channel")
  return {
    events,
    deeds,
    sends: deeds.filter((deed) => deed.kind === "send"),
    answers: answersIn(events),
    givenUp,
    longestGapMs: gaps.reduce((longest, gap) => Math.max(longest, gap), 0),
    closed: last?.type === "channel" && last.event === "released",
  }
}
