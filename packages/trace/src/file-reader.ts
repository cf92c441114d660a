import { createReadStream } from "node:fs"
import { fileFailure } from "./file-failure.js"
import { TraceDecoder, type TraceLine } from "./jsonl.js"

/** Anything that gives the bytes or the text of a trace. */
export type TraceSource = AsyncIterable<string | Uint8Array>

async function* readFile(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path) as AsyncIterable<Uint8Array> // without an encoding it gives bytes
  } catch (cause) {
    throw fileFailure("read", path, cause)
  }
}

/**
 * Reads a trace line by line, from a file or from any source of bytes, in memory that one line bounds.
 * What cannot be read is among what is given, as a problem with its line number. Leaving the loop closes
 * the file.
 *
 * @throws TraceFileFailed where the file itself cannot be read.
 * @example
 * for await (const line of readTrace("session.jsonl")) if (line.kind === "event") show(line.event)
 */
export async function* readTrace(source: string | TraceSource): AsyncGenerator<TraceLine> {
  const decoder = new TraceDecoder()
  const utf8 = new TextDecoder()
  for await (const chunk of typeof source === "string" ? readFile(source) : source) {
    yield* decoder.push(typeof chunk === "string" ? chunk : utf8.decode(chunk, { stream: true }))
  }
  yield* decoder.push(utf8.decode())
  yield* decoder.end()
}
