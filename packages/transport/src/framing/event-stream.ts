import { GrowingBytes } from "./growing-bytes.js"

/** One event of a stream, dispatched by its blank line (V25-HTTP-25). */
export interface StreamEvent {
  /** `message` unless the stream names another. */
  readonly type: string
  readonly data: string
  /** The id that its own block gives it. A resumption starts from what `EventStreamSink.id` told last. */
  readonly id: string | undefined
}

export interface EventStreamSink {
  readonly event: (event: StreamEvent) => void
  /**
   * The last event id is now this one: its block has ended, with data or without (V25-HTTP-20). Called
   * before the event of that block; empty where the server takes the id back.
   */
  readonly id?: (lastEventId: string) => void
  /** Milliseconds to wait before a reconnection (V25-HTTP-22). As long as the server likes: cap it. */
  readonly retry?: (ms: number) => void
  /** An event passed the limit. The stream can't be read any further. */
  readonly oversized: () => void
}

const lineFeed = 0x0a
const carriageReturn = 0x0d
const space = 0x20
const colon = 0x3a
const byteOrderMark = [0xef, 0xbb, 0xbf]
const aLineFeed = Uint8Array.of(lineFeed)

const fields = ["data", "event", "id", "retry"] as const
type Field = (typeof fields)[number]

const encoded = fields.map((name) => [name, new TextEncoder().encode(name)] as const)
const longestName = Math.max(...fields.map((name) => name.length))

/** What stands before the data on its line and is no part of the event. */
const dataPrefix = "data: ".length

/**
 * Reads bytes as server-sent events, by the grammar of the HTML standard. Lines are cut from bytes and
 * decoded when they are whole, so no split between two chunks can damage a character or hold back an
 * event (C038, C040), and nothing counts that has not been ended by its blank line (V25-HTTP-25).
 */
export class EventStream {
  readonly #maxBytes: number
  readonly #sink: EventStreamSink
  /** The mark is only one at the very start of the stream, which a decoder of single lines can't know. */
  readonly #text = new TextDecoder("utf-8", { ignoreBOM: true })
  readonly #line = new GrowingBytes()
  /** The line being read is a comment: nothing of it is kept, however long it is. */
  #comment = false
  /** The last byte was a carriage return: a line feed right after it belongs to the same line end. */
  #afterReturn = false
  #firstLine = true
  #stopped = false

  readonly #data = new GrowingBytes()
  #hasData = false
  #type = ""
  #id: string | undefined

  /** @param maxBytes the largest event accepted */
  constructor(maxBytes: number, sink: EventStreamSink) {
    this.#maxBytes = maxBytes
    this.#sink = sink
  }

  /** Takes the next bytes; they must not be written to afterwards. */
  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return
    let start = this.#afterReturn && chunk[0] === lineFeed ? 1 : 0
    this.#afterReturn = false
    let feed = chunk.indexOf(lineFeed, start)
    let turn = chunk.indexOf(carriageReturn, start)
    while (!this.#stopped) {
      const end = turn === -1 || (feed !== -1 && feed < turn) ? feed : turn
      if (end === -1) return this.#hold(chunk, start, chunk.length)
      this.#endLine(chunk, start, end)
      start = end + 1
      if (end === turn) {
        if (chunk[start] === lineFeed) start++
        else this.#afterReturn = start === chunk.length
        turn = chunk.indexOf(carriageReturn, start)
      }
      if (feed !== -1 && feed < start) feed = chunk.indexOf(lineFeed, start)
    }
  }

  /** Bytes of an event that has begun and not ended; its data first, then the line that is being read. */
  get unfinished(): number {
    return this.#data.length + this.#line.length
  }

  /** How that event begins. */
  begun(most: number): string {
    const [data, line] = [this.#data.head(most), this.#line.head(most)]
    return this.#text.decode(data.length > 0 ? data : line)
  }

  /** Nothing more is heard of the stream. */
  close(): void {
    this.#stopped = true
  }

  #stop(): void {
    if (this.#stopped) return
    this.#stopped = true
    this.#sink.oversized()
  }

  /** Keeps a part of a line, in case its end is still to come. */
  #hold(bytes: Uint8Array, from: number, to: number): void {
    if (this.#line.length === 0 && bytes[from] === colon) this.#comment = true
    if (this.#comment || this.#stopIfLonger(to - from)) return
    this.#line.append(bytes.subarray(from, to))
  }

  /** A line is over. Mostly it lies in one chunk and is read where it is. */
  #endLine(bytes: Uint8Array, from: number, to: number): void {
    if (this.#line.length === 0) this.#readLine(bytes, from, to)
    else {
      this.#hold(bytes, from, to)
      const whole = this.#line.take()
      this.#readLine(whole, 0, whole.length)
    }
    this.#comment = false
    this.#firstLine = false
  }

  #readLine(bytes: Uint8Array, from: number, to: number): void {
    if (this.#comment || this.#stopped) return
    const start =
      this.#firstLine && startsWithMark(bytes, from) ? from + byteOrderMark.length : from
    if (start === to) return this.#endBlock()
    if (bytes[start] === colon || this.#stopIfLonger(to - start)) return
    const end = nameEnd(bytes, start, to)
    const field = fieldAt(bytes, start, end)
    if (field === undefined) return
    const valueStart = bytes[end + 1] === space && end < to ? end + 2 : end + 1
    this.#readField(field, bytes.subarray(Math.min(valueStart, to), to))
  }

  /** Together with what the event has so far. */
  #stopIfLonger(length: number): boolean {
    if (this.#data.length + this.#line.length + length <= this.#maxBytes + dataPrefix) return false
    this.#stop()
    return true
  }

  #readField(field: Field, value: Uint8Array): void {
    switch (field) {
      case "data":
        return this.#addData(value)
      case "event":
        this.#type = this.#text.decode(value)
        return
      case "id":
        if (!value.includes(0)) this.#id = this.#text.decode(value)
        return
      case "retry":
        return this.#readRetry(this.#text.decode(value))
    }
  }

  #addData(value: Uint8Array): void {
    if (this.#hasData) this.#data.append(aLineFeed)
    this.#data.append(value)
    this.#hasData = true
    if (this.#data.length > this.#maxBytes) this.#stop()
  }

  #readRetry(digits: string): void {
    if (/^[0-9]+$/.test(digits)) {
      this.#sink.retry?.(Math.min(Number(digits), Number.MAX_SAFE_INTEGER))
    }
  }

  #endBlock(): void {
    const [id, type, hasData] = [this.#id, this.#type || "message", this.#hasData]
    const data = this.#data.take()
    this.#id = undefined
    this.#type = ""
    this.#hasData = false
    if (id !== undefined) this.#sink.id?.(id)
    if (hasData && !this.#stopped) this.#sink.event({ type, data: this.#text.decode(data), id })
  }
}

const startsWithMark = (bytes: Uint8Array, from: number): boolean =>
  byteOrderMark.every((byte, at) => bytes[from + at] === byte)

/** Where the name of a field ends; no further than a known name may reach. */
const nameEnd = (bytes: Uint8Array, from: number, to: number): number => {
  const limit = Math.min(to, from + longestName + 1)
  let at = from
  while (at < limit && bytes[at] !== colon) at++
  return at
}

const fieldAt = (bytes: Uint8Array, from: number, to: number): Field | undefined => {
  for (const [name, letters] of encoded) {
    if (
      letters.length === to - from &&
      letters.every((letter, at) => bytes[from + at] === letter)
    ) {
      return name
    }
  }
  return undefined
}
