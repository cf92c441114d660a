import { type FileHandle, open } from "node:fs/promises"
import type { TraceEvent } from "./event.js"
import { fileFailure, type TraceFileFailed } from "./file-failure.js"
import { encodeEvent, traceHeader } from "./jsonl.js"
import type { TraceReader } from "./trace.js"

export interface FileRecorderOptions {
  /**
   * Characters that may wait to be written; default 8 Mi. Events beyond are dropped and counted, and a
   * reader of the file sees the gap.
   */
  readonly maxQueued?: number
  /** Is told, once, that the file could not be used. From then on every event is dropped. */
  readonly onFailure?: (failure: TraceFileFailed) => void
}

/** What became of the events. */
export interface Recording {
  readonly written: number
  readonly dropped: number
}

/** For the owner alone. */
const ownerOnly = 0o600
const lineFeed = 0x0a

/** An event as a line; nothing where it holds what JSON cannot say. */
const lineOf = (event: TraceEvent): string | undefined => {
  try {
    return `${encodeEvent(event)}\n`
  } catch {
    return undefined
  }
}

/** Opens a file at its end, for the owner alone; `preface` begins a trace there on a line of its own. */
const openForAppending = async (path: string) => {
  const handle = await open(path, "a+", ownerOnly)
  try {
    const stats = await handle.stat()
    const last = new Uint8Array([lineFeed])
    if (stats.isFile()) {
      // A file that was there has the mode it had. Devices and pipes are left alone.
      if ((stats.mode & 0o077) !== 0) await handle.chmod(ownerOnly)
      if (stats.size > 0) await handle.read(last, 0, 1, stats.size - 1)
    }
    return { handle, preface: `${last[0] === lineFeed ? "" : "\n"}${traceHeader}\n` }
  } catch (cause) {
    await handle.close()
    throw cause
  }
}

/**
 * Records a trace to a file, one line per event. It appends, creates the file for its owner alone, and
 * never makes the connection wait: events queue up in bounded memory and are written in the background.
 *
 * @example
 * const recorder = new FileRecorder("session.jsonl")
 * const stop = trace.subscribe(recorder.read)
 * // … later
 * stop()
 * await recorder.close()
 */
export class FileRecorder implements AsyncDisposable {
  readonly #path: string
  readonly #maxQueued: number
  readonly #onFailure: (failure: TraceFileFailed) => void
  #queue: Array<string> = []
  /** Characters in the queue and in the write under way. */
  #queued = 0
  #written = 0
  #dropped = 0
  /** Whether events are still taken. */
  #open = true
  #failed = false
  #handle: FileHandle | undefined
  #writing: Promise<void> | undefined
  #closing: Promise<Recording> | undefined

  /** The file is opened at once, in the background; what fails is told to `onFailure`. */
  constructor(path: string, options: FileRecorderOptions = {}) {
    this.#path = path
    this.#maxQueued = options.maxQueued ?? 8 * 1024 * 1024
    this.#onFailure = options.onFailure ?? (() => {})
    this.#writing = this.#write()
  }

  /** The reader to subscribe with. */
  readonly read: TraceReader = (event) => {
    const line = this.#open ? lineOf(event) : undefined
    if (line === undefined || this.#queued + line.length > this.#maxQueued) {
      this.#dropped++
      return
    }
    this.#queue.push(line)
    this.#queued += line.length
    this.#writing ??= this.#write()
  }

  /** How many events were dropped so far. */
  get dropped(): number {
    return this.#dropped
  }

  /** Writes what is queued and closes the file. It never rejects; calling it again changes nothing. */
  close(): Promise<Recording> {
    this.#open = false
    this.#closing ??= this.#finish()
    return this.#closing
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  /** Writes until nothing is queued; what arrives meanwhile goes into the next batch. */
  async #write(): Promise<void> {
    let batch: ReadonlyArray<string> = []
    try {
      const handle = this.#handle ?? (await this.#begin())
      while (this.#queue.length > 0) {
        batch = this.#queue
        this.#queue = []
        const text = batch.join("")
        await handle.appendFile(text)
        this.#written += batch.length
        this.#queued -= text.length
      }
    } catch (cause) {
      this.#dropped += batch.length + this.#queue.length
      this.#queue = []
      this.#fail(this.#handle === undefined ? "open" : "write", cause)
    }
    this.#writing = undefined
  }

  async #begin(): Promise<FileHandle> {
    const { handle, preface } = await openForAppending(this.#path)
    this.#handle = handle
    await handle.appendFile(preface)
    return handle
  }

  async #finish(): Promise<Recording> {
    await this.#writing
    try {
      await this.#handle?.close()
    } catch (cause) {
      this.#fail("write", cause)
    }
    return { written: this.#written, dropped: this.#dropped }
  }

  #fail(operation: TraceFileFailed["operation"], cause: unknown): void {
    this.#open = false
    if (this.#failed) return
    this.#failed = true
    try {
      this.#onFailure(fileFailure(operation, this.#path, cause))
    } catch {
      // As with a reader of the trace: what it throws is its own loss.
    }
  }
}
