import { isJsonObject } from "@entente/protocol"
import type { TraceEvent } from "@entente/trace"
import type { Evidence } from "../diagnosis.js"
import { EventReader, type Arrow } from "./event-summary.js"

/** One event of an exchange, as a line. */
export interface ExchangeLine {
  readonly kind: "line"
  /** The number of the event in the trace, from 0. */
  readonly frame: number
  /** Milliseconds since the first event. */
  readonly offsetMs: number
  readonly arrow: Arrow
  /** One line, of which nothing steers a terminal. */
  readonly summary: string
  /** What differs here from a right exchange; empty for the lines around it. */
  readonly evidence: ReadonlyArray<Evidence>
}

/** Lines that are left out. */
export interface ExchangeGap {
  readonly kind: "gap"
  readonly lines: number
}

export type ExchangeItem = ExchangeLine | ExchangeGap

export interface ExchangeOptions {
  /** Lines before the first piece of evidence; 3 by default. */
  readonly before?: number
  /** Lines after it; 2 by default. */
  readonly after?: number
  /** Pieces of evidence that are shown; 4 by default. The others have one line on each side. */
  readonly most?: number
}

/** Whether an event is part of what was said, or of what ended it; the rest is how the client came to say it. */
const isSaid = (event: TraceEvent, isRecording: boolean): boolean => {
  switch (event.type) {
    case "frame":
    case "process":
    case "experiment":
    case "unreadable":
      return true
    case "channel":
      return event.event === "failed" || event.event === "closed"
    case "outcome":
      return (
        isJsonObject(event.outcome) &&
        (event.outcome["_tag"] === "Rejected" || event.outcome["_tag"] === "Failed")
      )
    case "http":
      // A recording tells of a refusal with its text, as an outcome.
      return !isRecording && event.status !== undefined && event.status >= 400
    default:
      return false
  }
}

/**
 * The part of an exchange around what differs in it: a few lines before and after, and the number of those between
 * that are left out.
 *
 * @example
 * const { trace, diagnosis } = await examine(patient)
 * exchangeAround(trace, diagnosis.hypotheses[0]?.evidence ?? [])
 */
export const exchangeAround = (
  trace: ReadonlyArray<TraceEvent>,
  evidence: ReadonlyArray<Evidence>,
  { before = 3, after = 2, most = 4 }: ExchangeOptions = {},
): ReadonlyArray<ExchangeItem> => {
  const shown = evidence.filter(({ frame }) => trace[frame] !== undefined).slice(0, most)
  if (shown.length === 0) return []
  const marked = new Map<number, ReadonlyArray<Evidence>>()
  for (const one of shown) marked.set(one.frame, [...(marked.get(one.frame) ?? []), one])
  const isRecording = trace.some(({ type }) => type === "outcome")
  const said = trace.flatMap((event, frame) =>
    marked.has(frame) || isSaid(event, isRecording) ? [frame] : [],
  )
  const wanted = new Set<number>()
  shown.forEach(({ frame }, nth) => {
    const place = said.indexOf(frame)
    const from = Math.max(0, place - (nth === 0 ? before : 1))
    for (const near of said.slice(from, place + 1 + (nth === 0 ? after : 1))) wanted.add(near)
  })
  return itemsOf(trace, said, wanted, marked)
}

const itemsOf = (
  trace: ReadonlyArray<TraceEvent>,
  said: ReadonlyArray<number>,
  wanted: ReadonlySet<number>,
  marked: ReadonlyMap<number, ReadonlyArray<Evidence>>,
): ReadonlyArray<ExchangeItem> => {
  const items: Array<ExchangeItem> = []
  const places = new Set(said)
  const reader = new EventReader()
  const start = trace[0]?.at ?? 0
  let left = 0
  trace.forEach((event, frame) => {
    const { arrow, text } = reader.read(event)
    if (!wanted.has(frame)) {
      if (places.has(frame)) left++
      return
    }
    if (left > 0) items.push({ kind: "gap", lines: left })
    left = 0
    const offsetMs = event.at - start
    const found = marked.get(frame) ?? []
    items.push({ kind: "line", frame, offsetMs, arrow, summary: text, evidence: found })
  })
  if (left > 0) items.push({ kind: "gap", lines: left })
  return items
}
