import { GrowingBytes } from "./growing-bytes.js"

/** What a stream of bytes turns out to be made of. */
export interface LineSink {
  /** A line without its end; never blank. `damaged`: bytes that are no UTF-8 were replaced in it. */
  readonly line: (text: string, damaged: boolean) => void
  /** A line passed the limit. It is dropped; the next line is read as usual. `begun`: how it begins. */
  readonly oversized: (begun: string) => void
}

/** How much of a dropped line is still looked at, in bytes. */
const beginning = 256

const lineFeed = 0x0a
const carriageReturn = 0x0d

/**
 * Cuts bytes into lines. Framing works on bytes and a line is decoded when it is whole, so that no
 * cut between two chunks can damage a character (V25-STDIO-06, V26-STDIO-03, C044). It needs a byte
 * stream and nothing else, so it serves pipes and sockets alike (V26-CUST-04).
 *
 * A line ends with a line feed, and a carriage return before it belongs to the end. A carriage return
 * alone ends nothing: between the tokens of JSON it is white space.
 *
 * @example
 * const decoder = new LineDecoder(1024, { line: (text) => lines.push(text), oversized: () => {} })
 * decoder.push(new TextEncoder().encode("one\ntwo\n"))
 */
export class LineDecoder {
  readonly #maxBytes: number
  readonly #sink: LineSink
  readonly #partial = new GrowingBytes()
  /** Both drop a byte order mark; the second replaces what is no UTF-8. */
  readonly #exact = new TextDecoder("utf-8", { fatal: true })
  readonly #replacing = new TextDecoder()
  /** Whether the line being read is past the limit. */
  #dropping = false

  /** @param maxBytes the longest line accepted, in bytes */
  constructor(maxBytes: number, sink: LineSink) {
    this.#maxBytes = maxBytes
    this.#sink = sink
  }

  /** How many bytes of a line have come whose end has not. */
  get unfinished(): number {
    return this.#partial.length
  }

  /** How such a line begins, in at most so many bytes. */
  begun(most: number): string {
    return this.#replacing.decode(this.#partial.head(most))
  }

  /** Takes the next bytes; they must not be written to afterwards. */
  push(chunk: Uint8Array): void {
    let start = 0
    for (;;) {
      const end = chunk.indexOf(lineFeed, start)
      if (end === -1) break
      this.#hold(chunk.subarray(start, end))
      if (this.#dropping) this.#dropping = false
      else this.#emit(this.#partial.take(), this.#sink.line)
      start = end + 1
    }
    this.#hold(chunk.subarray(start))
  }

  /** The stream is over. `last` gets the last line if it had no end and is not blank. */
  end(last: LineSink["line"] = this.#sink.line): void {
    this.#dropping = false
    this.#emit(this.#partial.take(), last)
  }

  #hold(piece: Uint8Array): void {
    if (this.#dropping) return
    if (this.#partial.length + piece.length > this.#maxBytes) {
      this.#dropping = true
      const begun = this.begun(beginning) || this.#replacing.decode(piece.subarray(0, beginning))
      this.#partial.take()
      this.#sink.oversized(begun)
      return
    }
    this.#partial.append(piece)
  }

  #emit(bytes: Uint8Array, to: LineSink["line"]): void {
    const end = bytes.at(-1) === carriageReturn ? bytes.length - 1 : bytes.length
    const line = bytes.subarray(0, end)
    let damaged = false
    let text: string
    try {
      text = this.#exact.decode(line)
    } catch {
      damaged = true
      text = this.#replacing.decode(line)
    }
    if (!isBlank(text)) to(text, damaged)
  }
}

const isBlank = (text: string): boolean => text.trim() === ""
