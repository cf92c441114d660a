import { open, readFile } from "node:fs/promises"
import { Trace, type TraceReader } from "@entente/trace"
import { FileRecorder } from "@entente/trace/file"
import type { Io } from "./io.js"
import { oneLine } from "./render/visible-text.js"
import { UsageError } from "./usage-error.js"

/** A trace that is written to a file until it is closed. */
export interface TraceFile {
  /** Everything in it is written. */
  readonly trace: Trace
  /** For a client over a recorded transport: what it tells is written, but for the messages. */
  readonly observed: Trace
  readonly close: () => Promise<void>
}

/** A file that cannot be written is found before anything is sent, not after. */
const checkWritable = async (path: string): Promise<void> => {
  try {
    const handle = await open(path, "a", 0o600)
    await handle.close()
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : "unknown"
    throw new UsageError(`The trace cannot be written: ${why}.`, "Write --trace FILE.")
  }
}

/** The text of a file that `--trace` wrote. */
export const readTraceFile = async (path: string): Promise<string> => {
  try {
    return await readFile(path, "utf8")
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : "unknown"
    throw new UsageError(`The recording cannot be read: ${why}.`, "Use replay:FILE.")
  }
}

/** A file that events are written to until it is closed. */
export interface EventFile {
  readonly read: TraceReader
  /** Everything that was heard is written. */
  readonly close: () => Promise<void>
}

/** Opens a file for events that are redacted already. */
export const openEventFile = async (path: string, io: Io): Promise<EventFile> => {
  await checkWritable(path)
  const recorder = new FileRecorder(path, {
    onFailure: ({ message }) => io.stderr.write(`warning: ${oneLine(message)}\n`),
  })
  return {
    read: recorder.read,
    close: async () => {
      const { dropped } = await recorder.close()
      if (dropped > 0) io.stderr.write(`warning: the trace lacks ${dropped} events\n`)
    },
  }
}

/**
 * Records everything that happens to a file. The values of the given headers are hidden, whatever
 * their names: they come from the command line and may be secrets.
 */
export const openTraceFile = async (
  path: string,
  headerNames: ReadonlyArray<string>,
  io: Io,
): Promise<TraceFile> => {
  const file = await openEventFile(path, io)
  // Long texts are kept whole: the file can be replayed.
  const policy = { names: headerNames, maxTextLength: Infinity }
  const trace = new Trace(policy)
  const observed = new Trace(policy)
  observed.subscribe(({ seq: _seq, at: _at, ...event }) => {
    // The recorded transport tells of messages itself, with more to go by.
    if (event.type !== "frame") trace.emit(event)
  })
  const stop = trace.subscribe(file.read)
  return {
    trace,
    observed,
    close: async () => {
      stop()
      await file.close()
    },
  }
}
