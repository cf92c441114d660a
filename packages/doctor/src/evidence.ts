import { plainText } from "@entente/protocol"
import type { TraceEvent } from "@entente/trace"
import type { Evidence } from "./diagnosis.js"

/** Characters of an excerpt. */
const longest = 240

/** Characters before the marked part that are kept. */
const lead = 60

/** An event in words, on one line: what a person would look for in the trace. */
export const wordsOf = (event: TraceEvent): string => {
  switch (event.type) {
    case "frame":
      return json(event.message)
    case "http":
      return event.status === undefined
        ? `${event.method} ${event.url} ${headers(event.headers)}`
        : `HTTP ${event.status} ${headers(event.headers)}`
    case "process":
      return `${event.event}: ${event.detail}`
    case "transition":
      return `${event.chart}: ${event.from} → ${event.to}`
    case "note":
      return `${event.code}: ${event.detail}`
    case "error":
      return `${event.code}: ${event.message}`
    case "channel":
      return `${event.transport} ${event.event}: ${event.error === undefined ? event.target : json(event.error)}`
    case "outcome":
    case "ask":
      return json(event.outcome)
    case "unreadable":
      return json(event.error)
    case "stream":
      return `stream ${event.event}${event.end === undefined ? "" : `: ${json(event.end)}`}`
    case "experiment":
      return event.name
  }
}

const json = (value: unknown): string => {
  try {
    return JSON.stringify(value) ?? ""
  } catch {
    return "" // a trace is JSON; one that was made by hand may be circular
  }
}

const headers = (lines: Readonly<Record<string, string>>): string =>
  Object.entries(lines)
    .map(([name, value]) => `${name}: ${value}`)
    .join(" · ")

/**
 * Points at an event. The excerpt is cut around what is marked, where that can be found in it.
 *
 * @param marked the part that differs, as it stands in the event's JSON
 */
export const evidence = (
  trace: ReadonlyArray<TraceEvent>,
  frame: number,
  marked?: string,
): Evidence => {
  const event = trace[frame]
  const words = event === undefined ? "" : wordsOf(event)
  const place = marked === undefined || marked === "" ? -1 : words.indexOf(marked)
  const from = place > lead ? place - lead : 0
  const cut = words.slice(from, from + longest)
  const excerpt = plainText(
    `${from > 0 ? "…" : ""}${cut}${from + longest < words.length ? "…" : ""}`,
    longest + 2,
  )
  const shown = marked === undefined ? "" : plainText(marked, longest)
  return place >= 0 && shown !== "" && excerpt.includes(shown)
    ? { frame, excerpt, marked: shown }
    : { frame, excerpt }
}

/** A member as it stands in the JSON of an event: to be marked in it. */
export const member = (name: string, value: unknown): string =>
  `${JSON.stringify(name)}:${json(value)}`
