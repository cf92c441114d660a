import { TraceDecoder, type TraceEvent, type Unstamped } from "@entente/trace"
import type { LogBook } from "../log-book.js"

/** The line that a recorder begins with. */
export const headerLine = /^\s*\{\s*"format"\s*:\s*"entente-trace"/

/** An event of a trace whose first line was lost. */
export const eventLine = /^\s*\{\s*"(?:type|seq|at)"\s*:.{0,400}"(?:seq|at)"\s*:\s*\d/

/** Where recordings begin: a file that was appended to has several headers. */
const startsOf = (
  text: string,
): ReadonlyArray<{ readonly from: number; readonly line: number }> => {
  const starts: Array<{ readonly from: number; readonly line: number }> = [{ from: 0, line: 0 }]
  let line = 0
  for (let from = 0; from < text.length; line++) {
    const end = text.indexOf("\n", from)
    if (from > 0 && headerLine.test(text.slice(from, from + 200))) starts.push({ from, line })
    from = end < 0 ? text.length : end + 1
  }
  return starts
}

interface Recording {
  readonly events: ReadonlyArray<TraceEvent>
  readonly problems: ReadonlyArray<readonly [line: number, code: string, detail: string]>
}

const decode = (text: string, firstLine: number): Recording => {
  const decoder = new TraceDecoder()
  const events: Array<TraceEvent> = []
  const problems: Array<readonly [number, string, string]> = []
  for (const item of [...decoder.push(text), ...decoder.end()]) {
    const line = item.line + firstLine
    if (item.kind === "event") events.push(item.event)
    else if (item.kind === "problem") problems.push([line, item.code, item.detail])
    else
      problems.push([
        line,
        "unknown-event",
        `An event of the type ${item.event.type} was left out.`,
      ])
  }
  return { events, problems }
}

/**
 * A trace of our own. Of several recordings in one file the last that holds anything counts, as it does for a
 * replay. Its events keep their order and times, and are redacted once more: somebody may have edited it.
 */
export const readOwnTrace = (text: string, book: LogBook): void => {
  const starts = startsOf(text)
  let chosen: Recording = { events: [], problems: [] }
  let index = starts.length
  while (index > 0 && chosen.events.length === 0) {
    const { from = 0, line = 0 } = starts[--index] ?? {}
    chosen = decode(text.slice(from, starts[index + 1]?.from), line)
  }
  if (index > 0) {
    book.problem(
      "earlier-recordings",
      `Recordings before the last one in the file: ${index}. Only the last one counts.`,
      0,
    )
  }
  for (const problem of chosen.problems) book.problem(problem[1], problem[2], problem[0])
  for (const { seq: _, at, ...event } of chosen.events) {
    book.at(at)
    book.tell(event as Unstamped) // an event without its stamp
    if (event.type === "frame") book.counted(1)
  }
}
