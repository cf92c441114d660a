import { createReadStream } from "node:fs"
import { addAbortSignal, type Readable } from "node:stream"
import { decodeLog, readLog, type LogReading } from "@entente/doctor"
import type { Io } from "../io.js"
import { UsageError } from "../usage-error.js"

/** Bytes of a log: what is larger does not fit into memory several times. 256 MiB. */
const longestLog = 256 * 1024 * 1024

const reading = (path: string, io: Io): Readable =>
  addAbortSignal(io.signal, path === "-" ? io.stdin : createReadStream(path))

const readBytes = async (path: string, name: string, io: Io): Promise<Uint8Array> => {
  const pieces: Array<Buffer> = []
  let length = 0
  try {
    for await (const piece of reading(path, io)) {
      const bytes = Buffer.from(piece as string | Uint8Array) // a stream gives nothing else
      length += bytes.length
      if (length > longestLog) break
      pieces.push(bytes)
    }
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : "unknown"
    throw new UsageError(`The log cannot be read: ${why}.`, "Give a file, or - for stdin.")
  }
  if (length > longestLog) {
    throw new UsageError(
      `${name} is larger than 256 MiB.`,
      "Cut it to the part that begins with the connection.",
    )
  }
  return Buffer.concat(pieces)
}

/** Reads what was recorded, by us or by another client; of several servers in it the one that is named. */
export const readLogFile = async (
  path: string,
  server: string | undefined,
  io: Io,
): Promise<LogReading> => {
  const name = path === "-" ? "stdin" : path
  const text = decodeLog(await readBytes(path, name, io))
  const log = readLog(text, server === undefined ? {} : { server })
  if (server !== undefined && !log.servers.includes(server)) {
    throw new UsageError(
      `${name} tells of no server ${server}.`,
      log.servers.length === 0 ? "It names none." : `It names ${log.servers.join(", ")}.`,
    )
  }
  if (log.events.length === 0) {
    throw new UsageError(
      `${name} is no log that can be read.`,
      "entente doctor TARGET --trace FILE writes one, and entente tap --trace FILE.",
    )
  }
  return log
}
