import { explain, ProtocolViolation } from "@entente/protocol"
import { redactText } from "@entente/trace"
import { LineDecoder } from "./line-framing.js"
import { parseMessage } from "./parse-message.js"
import type { Receiver } from "./transport.js"

/** On a shared channel every message has this origin. */
const shared = { exchange: 0 } as const

/** How much of a line a note or trace may show, in UTF-16 code units. */
const sampleLength = 200

/** A line of somebody else's text, fit to be shown: redacted, then shortened. */
export const sampleOf = (line: string): string => {
  // Redaction sees more than is shown, so that a secret at the edge is not cut out of recognition.
  const redacted = redactText(line.slice(0, sampleLength * 10))
  return redacted.length > sampleLength ? `${redacted.slice(0, sampleLength)}…` : redacted
}

export interface MessageLinesOptions {
  readonly target: string
  readonly maxMessageBytes: number
  readonly receiver: Pick<Receiver, "message" | "note" | "unreadable">
  /** Hears of every line that is no message, as a sample. */
  readonly noise?: (sample: string) => void
}

/**
 * Reads a byte stream as one JSON value a line. What is no JSON is noise: it is noted and skipped,
 * line by line, so a message right after it is still found (V25-STDIO-04, V26-STDIO-03, C046).
 */
export class MessageLines {
  readonly #options: MessageLinesOptions
  readonly #lines: LineDecoder

  constructor(options: MessageLinesOptions) {
    this.#options = options
    this.#lines = new LineDecoder(options.maxMessageBytes, {
      line: (text) => this.#read(text),
      oversized: () => this.#refuse(),
    })
  }

  push(chunk: Uint8Array): void {
    this.#lines.push(chunk)
  }

  /** The stream is over. A last line without an end still counts if it is whole. */
  end(): void {
    const rest = this.#lines.end()
    if (rest === undefined) return
    this.#options.receiver.note({ code: "truncated-line", detail: sampleOf(rest) })
    const value = parseMessage(rest)
    if (value !== undefined) this.#options.receiver.message(value, shared)
  }

  #read(line: string): void {
    const value = parseMessage(line)
    if (value !== undefined) return this.#options.receiver.message(value, shared)
    const sample = sampleOf(line)
    this.#options.noise?.(sample)
    this.#options.receiver.note({ code: "stdout-noise", detail: sample })
  }

  #refuse(): void {
    const { target, maxMessageBytes, receiver } = this.#options
    const what = `A line is longer than ${maxMessageBytes} bytes and was dropped.`
    receiver.unreadable(
      new ProtocolViolation(explain("message-too-large", "request", target, what)),
      shared,
    )
  }
}
