import { readdirSync, readFileSync } from "node:fs"
import type { TraceEvent } from "@entente/trace"
import { readLog, type LogOptions, type LogReading } from "../../src/index.js"

const folder = new URL("./fixtures/", import.meta.url)

/** The names of all logs that are kept as fixtures. */
export const fixtures: ReadonlyArray<string> = readdirSync(folder)

export const fixture = (name: string): string => readFileSync(new URL(name, folder), "utf8")

export const readFixture = (name: string, options: LogOptions = {}): LogReading =>
  readLog(fixture(name), options)

/** What secrets in the fixtures look like: none may be in an event. */
export const planted = /SECRET|secret-?[0-9]|secretTOKEN|hunter2|sess-|751acae5|HARsecret/

/** A message as one word: `initialize`, `=2` for the answer to 2, `!2` for its refusal. */
export const short = (message: unknown): string => {
  if (typeof message !== "object" || message === null) return "?"
  const { method, id, error } = message as { method?: string; id?: unknown; error?: unknown } // only shown
  return method ?? `${error === undefined ? "=" : "!"}${String(id)}`
}

/** The messages of a reading, with their direction: `> initialize`, `< =0`. */
export const messages = ({ events }: Pick<LogReading, "events">): ReadonlyArray<string> =>
  events.flatMap((event) =>
    event.type === "frame"
      ? [`${event.direction === "out" ? ">" : "<"} ${short(event.message)}`]
      : [],
  )

/** The events that are no messages, each as one line. */
export const others = ({ events }: Pick<LogReading, "events">): ReadonlyArray<string> =>
  events.flatMap((event) => {
    const line = otherLine(event)
    return line === undefined ? [] : [line]
  })

const otherLine = (event: TraceEvent): string | undefined => {
  switch (event.type) {
    case "process":
      return `${event.event}: ${event.detail}`
    case "error":
      return `error ${event.code}`
    case "note":
      return event.code === "client-said" ? undefined : `note ${event.code}: ${event.detail}`
    case "http":
      return event.status === undefined ? undefined : `${event.method} ${event.status}`
    case "unreadable":
      return "unreadable"
    default:
      return undefined
  }
}

/** What the client itself says. */
export const said = ({ events }: Pick<LogReading, "events">): ReadonlyArray<string> =>
  events.flatMap((event) =>
    event.type === "note" && event.code === "client-said" ? [event.detail] : [],
  )

export const codes = ({ problems }: Pick<LogReading, "problems">): ReadonlyArray<string> =>
  problems.map(({ code }) => code)
