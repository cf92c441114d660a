import { createReadStream } from "node:fs"
import { addAbortSignal, type Readable } from "node:stream"
import { redactEvent, TraceDecoder, type TraceEvent, type TraceLine } from "@entente/trace"
import type { Io } from "../io.js"
import { UsageError } from "../usage-error.js"

/** What a log holds, as far as it can be read. */
export interface LogFile {
  /** In which form it is written. */
  readonly format: string
  readonly events: ReadonlyArray<TraceEvent>
  /** What of it could not be read, with numbers of lines from 1. */
  readonly problems: ReadonlyArray<{ readonly line: number; readonly detail: string }>
  /** How many tools the client says it has, where the log tells. */
  readonly shown?: number
}

/** Characters of a log: what is larger does not fit into memory several times. 256 Mi. */
const longestLog = 256 * 1024 * 1024

const reading = (path: string, io: Io): Readable =>
  addAbortSignal(io.signal, path === "-" ? io.stdin : createReadStream(path))

const readText = async (path: string, io: Io): Promise<string> => {
  const name = path === "-" ? "stdin" : path
  const pieces: Array<string> = []
  let length = 0
  try {
    for await (const piece of reading(path, io).setEncoding("utf8")) {
      const text = String(piece)
      length += text.length
      if (length > longestLog) break
      pieces.push(text)
    }
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : "unknown"
    throw new UsageError(`The log cannot be read: ${why}.`, "Give a file, or - for stdin.")
  }
  if (length > longestLog) {
    throw new UsageError(
      `${name} is larger than 256 Mi characters.`,
      "Cut it to the part that begins with the connection.",
    )
  }
  return pieces.join("")
}

/** A file that was appended to holds several recordings, each numbered from 0: the last one counts. */
const lastRecording = (events: ReadonlyArray<TraceEvent>): ReadonlyArray<TraceEvent> => {
  const start = events.findLastIndex(
    ({ seq }, index) => index > 0 && seq <= (events[index - 1]?.seq ?? -1),
  )
  return start < 0 ? events : events.slice(start)
}

const decode = (text: string): ReadonlyArray<TraceLine> => {
  const decoder = new TraceDecoder()
  return [...decoder.push(text), ...decoder.end()]
}

/** Reads what was recorded: our own traces. */
export const readLogFile = async (path: string, io: Io): Promise<LogFile> => {
  const lines = decode(await readText(path, io))
  const events = lines.flatMap((line) =>
    // Somebody else may have written or changed the file: what is shown of it is redacted here.
    line.kind === "event" ? [redactEvent(line.event, { maxTextLength: Infinity })] : [],
  )
  if (events.length === 0) {
    throw new UsageError(
      `${path === "-" ? "stdin" : path} is no log that can be read.`,
      "entente doctor TARGET --trace FILE writes one.",
    )
  }
  const counted = lastRecording(events)
  return {
    format: "entente-trace",
    events: counted,
    problems: [
      ...(counted === events
        ? []
        : [{ line: 1, detail: "the file holds several recordings; the last one is diagnosed" }]),
      ...lines.flatMap((line) =>
        line.kind === "problem" ? [{ line: line.line, detail: line.detail }] : [],
      ),
    ],
  }
}
