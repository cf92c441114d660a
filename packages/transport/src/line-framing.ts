import { GrowingBytes } from "./growing-bytes.js"

/** What a stream of bytes turns out to be made of. */
export interface LineSink {
  /** A line without its end; never blank. */
  readonly line: (text: string) => void
  /** A line passed the limit. It is dropped; the next line is read as usual. */
  readonly oversized: () => void
}

const lineFeed = 0x0a
const carriageReturn = 0x0d

/**
 * Cuts bytes into lines. Framing works on bytes and a line is decoded when it is whole, so that no
 * cut between two chunks can damage a character (V25-STDIO-06, V26-STDIO-03, C044). It needs a byte
 * stream and nothing else, so it serves pipes and sockets alike (V26-CUST-04).
 *
 * @example
 * const decoder = new LineDecoder(1024, { line: (text) => lines.push(text), oversized: () => {} })
 * decoder.push(new TextEncoder().encode("one\ntwo\n"))
 */
export class LineDecoder {
  readonly #maxBytes: number
  readonly #sink: LineSink
  readonly #partial = new GrowingBytes()
  /** Replaces what is no UTF-8, and drops a byte order mark. */
  readonly #text = new TextDecoder()
  /** Whether the line being read is past the limit. */
  #dropping = false

  /** @param maxBytes the longest line accepted, in bytes */
  constructor(maxBytes: number, sink: LineSink) {
    this.#maxBytes = maxBytes
    this.#sink = sink
  }

  /** Takes the next bytes; they must not be written to afterwards. */
  push(chunk: Uint8Array): void {
    let start = 0
    for (;;) {
      const end = chunk.indexOf(lineFeed, start)
      if (end === -1) break
      this.#hold(chunk.subarray(start, end))
      if (this.#dropping) this.#dropping = false
      else this.#emit(this.#partial.take())
      start = end + 1
    }
    this.#hold(chunk.subarray(start))
  }

  /** The stream is over. Returns the last line if it had no end and is not blank. */
  end(): string | undefined {
    const rest = this.#read(this.#partial.take())
    return isBlank(rest) ? undefined : rest
  }

  #hold(piece: Uint8Array): void {
    if (this.#dropping) return
    if (this.#partial.length + piece.length > this.#maxBytes) {
      this.#dropping = true
      this.#partial.take()
      this.#sink.oversized()
      return
    }
    this.#partial.append(piece)
  }

  #emit(bytes: Uint8Array): void {
    const text = this.#read(bytes)
    if (!isBlank(text)) this.#sink.line(text)
  }

  #read(bytes: Uint8Array): string {
    const end = bytes.at(-1) === carriageReturn ? bytes.length - 1 : bytes.length
    return this.#text.decode(bytes.subarray(0, end))
  }
}

const isBlank = (text: string): boolean => text.trim() === ""
