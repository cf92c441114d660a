import type { TraceEvent } from "./event.js"
import { recognise, type UnknownEvent } from "./event-shape.js"

/** What the first line of a trace says it is. */
const format = "entente-trace"

/** The version that this package writes. It rises when older readers would misread what is new. */
export const traceFormatVersion = 1

/** The first line of a trace, without its line feed. A file that was appended to has several. */
export const traceHeader: string = JSON.stringify({ format, version: traceFormatVersion })

/** One event as one line, without its line feed. */
export const encodeEvent = (event: TraceEvent): string => JSON.stringify(event)

/** What is wrong with a line of a trace. The lines around it are read all the same. */
export type LineProblem =
  /** The first line is no header. */
  | "no-header"
  /** The header names a version that this package does not know; it is read as well as it can be. */
  | "newer-version"
  | "not-json"
  /** JSON, but no event; the detail names the member. */
  | "invalid-event"
  /** Events are missing before this one: the recorder could not keep up. */
  | "gap"
  | "too-long"
  /** The last line breaks off. */
  | "truncated"

/** What a trace holds, with the number of the line, from 1. */
export type TraceLine =
  | { readonly kind: "event"; readonly line: number; readonly event: TraceEvent }
  /** Of a type that this version does not know; nothing of it is lost. */
  | { readonly kind: "unknown"; readonly line: number; readonly event: UnknownEvent }
  | {
      readonly kind: "problem"
      readonly line: number
      readonly code: LineProblem
      readonly detail: string
    }

/** Characters in one line that are read; a longer line is a problem. 64 Mi. */
export const maxLineLength = 64 * 1024 * 1024

const parse = (text: string): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

const headerVersion = (value: unknown): number | undefined => {
  if (typeof value !== "object" || value === null) return undefined
  const header = value as { readonly format?: unknown; readonly version?: unknown } // both are checked
  return header.format === format && typeof header.version === "number" ? header.version : undefined
}

/**
 * Reads a trace as its text arrives, cut anywhere. Nothing in it is fatal: what cannot be read is
 * reported with the number of its line.
 *
 * @example
 * const decoder = new TraceDecoder()
 * const lines = [...decoder.push(text), ...decoder.end()]
 */
export class TraceDecoder {
  #rest = ""
  #line = 0
  #begun = false
  #skipping = false
  #expected: number | undefined

  /** The lines that this text completes. */
  push(text: string): ReadonlyArray<TraceLine> {
    const found: Array<TraceLine> = []
    let from = 0
    for (let to = text.indexOf("\n"); to >= 0; to = text.indexOf("\n", from)) {
      this.#take(text.slice(from, to), found)
      this.#complete(found)
      from = to + 1
    }
    this.#take(text.slice(from), found)
    return found
  }

  /** The last line, where it has no line feed; call it once, after the last text. */
  end(): ReadonlyArray<TraceLine> {
    const found: Array<TraceLine> = []
    const rest = this.#rest.trim()
    if (rest === "") return found
    if (parse(rest) === undefined) {
      this.#line++
      this.#report(found, "truncated", "the last line breaks off")
    } else this.#complete(found)
    return found
  }

  #report(found: Array<TraceLine>, code: LineProblem, detail: string): void {
    found.push({ kind: "problem", line: this.#line, code, detail })
  }

  /** Adds to the line being read, unless it has become too long to keep. */
  #take(text: string, found: Array<TraceLine>): void {
    if (this.#skipping) return
    if (this.#rest.length + text.length <= maxLineLength) {
      this.#rest += text
      return
    }
    this.#skipping = true
    this.#rest = ""
    found.push({
      kind: "problem",
      line: this.#line + 1,
      code: "too-long",
      detail: `a line of more than ${maxLineLength} characters`,
    })
  }

  #complete(found: Array<TraceLine>): void {
    this.#line++
    const text = this.#rest.trim()
    const skipped = this.#skipping
    this.#rest = ""
    this.#skipping = false
    if (skipped || text === "") return
    const parsed = parse(text)
    const version = headerVersion(parsed?.value)
    if (!this.#begun && version === undefined) {
      this.#report(found, "no-header", "the first line does not say that this is a trace")
    }
    this.#begun = true
    if (version !== undefined) this.#begin(version, found)
    else if (parsed === undefined) this.#report(found, "not-json", "the line is not JSON")
    else this.#event(parsed.value, found)
  }

  /** A header: sequence numbers start again. */
  #begin(version: number, found: Array<TraceLine>): void {
    this.#expected = undefined
    if (version <= traceFormatVersion) return
    const detail = `version ${version} is newer than ${traceFormatVersion}`
    this.#report(found, "newer-version", detail)
  }

  #event(value: unknown, found: Array<TraceLine>): void {
    const recognised = recognise(value)
    if (recognised.kind === "invalid") {
      this.#report(found, "invalid-event", recognised.reason)
      return
    }
    const { seq } = recognised.event
    if (this.#expected !== undefined && seq > this.#expected) {
      this.#report(found, "gap", `events ${this.#expected} to ${seq - 1} are missing`)
    }
    this.#expected = seq + 1
    found.push({ ...recognised, line: this.#line })
  }
}
