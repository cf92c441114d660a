import { GrowingBytes } from "../growing-bytes.js"

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
const nothing = new Uint8Array(0)
const aLineFeed = Uint8Array.of(lineFeed)

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
      if (end === -1) return this.#hold(chunk.subarray(start))
      this.#hold(chunk.subarray(start, end))
      this.#endLine()
      start = end + 1
      if (end === turn) {
        if (chunk[start] === lineFeed) start++
        else this.#afterReturn = start === chunk.length
        turn = chunk.indexOf(carriageReturn, start)
      }
      if (feed !== -1 && feed < start) feed = chunk.indexOf(lineFeed, start)
    }
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

  #hold(piece: Uint8Array): void {
    if (this.#line.length === 0 && piece[0] === colon) this.#comment = true
    if (this.#comment) return
    const held = this.#data.length + this.#line.length + piece.length
    if (held > this.#maxBytes + dataPrefix) this.#stop()
    else this.#line.append(piece)
  }

  #endLine(): void {
    if (this.#stopped) return
    const whole = this.#line.take()
    const line = this.#firstLine ? withoutMark(whole) : whole
    this.#firstLine = false
    if (this.#comment) this.#comment = false
    else if (line.length === 0) this.#endBlock()
    else this.#readField(line)
  }

  #readField(line: Uint8Array): void {
    const at = line.indexOf(colon)
    const nameEnd = at === -1 ? line.length : at
    const value = at === -1 ? nothing : line.subarray(line[at + 1] === space ? at + 2 : at + 1)
    if (nameEnd > longestName) return
    switch (String.fromCharCode(...line.subarray(0, nameEnd))) {
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

const longestName = "event".length

const withoutMark = (line: Uint8Array): Uint8Array =>
  byteOrderMark.every((byte, at) => line[at] === byte) ? line.subarray(3) : line
