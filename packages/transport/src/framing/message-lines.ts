import { explain, plainText, ProtocolViolation, type Note } from "@entente/protocol"
import { redactText } from "@entente/trace"
import {
  contentLengthFraming,
  contentLengthHint,
  isContentLengthHeader,
} from "./content-length-framing.js"
import { LineDecoder } from "./line-framing.js"
import { parseMessage } from "./parse-message.js"
import type { Origin, Receiver } from "../transport.js"

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

/**
 * Whose answer a line begins to be that cannot be read to its end: most servers write the id before the
 * result. Only members before the first object or array are looked at, so it is no id from deep inside.
 */
const originOf = (begun: string): Origin => {
  const flat = /^\s*\{([^{}[\]]*)/.exec(begun)?.[1] ?? ""
  const id = /(?:^|,)\s*"id"\s*:\s*(\d{1,15})\s*[,}]/.exec(flat)?.[1]
  return id === undefined || /"method"\s*:/.test(flat) ? shared : { ...shared, answers: Number(id) }
}

const shown = (sample: string): string => JSON.stringify(plainText(sample, sampleLength + 1))

export interface MessageLinesOptions {
  readonly target: string
  readonly maxMessageBytes: number
  /** `closed` is told when it is certain that no message can ever be read here. */
  readonly receiver: Receiver
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
  /** Whether anything but a Content-Length header has come. */
  #begun = false
  /** Whether a message has come. */
  #heard = false
  #framed = false
  /** How the last line was, if it had no end. */
  #truncated = { bytes: 0, sample: "" }
  /** What came that was no message, as long as none has come. */
  #noise = { lines: 0, first: "" }

  constructor(options: MessageLinesOptions) {
    this.#options = options
    this.#lines = new LineDecoder(options.maxMessageBytes, {
      line: (text, damaged) => this.#read(text, damaged),
      oversized: (begun) => this.#refuse(begun),
    })
  }

  push(chunk: Uint8Array): void {
    this.#lines.push(chunk)
  }

  /** The stream is over. A last line without an end still counts if it is whole. */
  end(): void {
    const { unfinished } = this.#lines
    this.#lines.end((rest, damaged) => {
      const sample = sampleOf(rest)
      this.#truncated = { bytes: unfinished, sample }
      this.#note("truncated-line", `${unfinished} bytes: ${sample}`)
      const value = parseMessage(rest)
      if (value !== undefined) this.#deliver(value, rest, damaged)
    })
  }

  /** Why no message has come so far, if the bytes show it; in plain words. */
  get finding(): string | undefined {
    if (this.#framed) return contentLengthFraming
    const { bytes, sample } = this.#unfinished
    if (bytes > 0) return `A line of ${bytes} bytes has begun and not ended: ${shown(sample)}.`
    const { lines, first } = this.#noise
    if (lines === 0) return undefined
    return lines === 1
      ? `A line came that was no message: ${shown(first)}.`
      : `${lines} lines came that were no messages, the first: ${shown(first)}.`
  }

  get #unfinished(): { readonly bytes: number; readonly sample: string } {
    const { unfinished } = this.#lines
    if (this.#truncated.bytes > 0 || unfinished === 0) return this.#truncated
    return { bytes: unfinished, sample: sampleOf(this.#lines.begun(sampleLength * 10)) }
  }

  #read(line: string, damaged: boolean): void {
    const value = parseMessage(line)
    if (value !== undefined) return this.#deliver(value, line, damaged)
    const sample = sampleOf(line)
    this.#options.noise?.(sample)
    if (isContentLengthHeader(line)) return this.#meetHeader(sample)
    this.#begun = true
    if (!this.#heard) {
      this.#noise.lines += 1
      this.#noise.first ||= sample
    }
    this.#note("stdout-noise", sample)
  }

  #deliver(value: unknown, line: string, damaged: boolean): void {
    this.#begun = true
    this.#heard = true
    this.#noise = { lines: 0, first: "" }
    this.#framed = false
    // A damaged line may still be JSON, and nobody would know that its text is not what was meant.
    if (damaged) this.#note("invalid-utf8", sampleOf(line))
    this.#options.receiver.message(value, shared)
  }

  /**
   * A server that begins with such a header never gets to a message that can be read here, nor reads
   * what it is sent, so waiting for it is in vain. After other lines the header may be part of some log.
   */
  #meetHeader(sample: string): void {
    this.#note("content-length-framing", sample)
    this.#framed = true
    if (this.#begun) return
    const { target, receiver } = this.#options
    const what = `The server cannot be understood. ${contentLengthFraming}`
    const fields = explain("unexpected-content", "negotiate", target, what, contentLengthHint)
    receiver.closed(new ProtocolViolation(fields))
  }

  #refuse(begun: string): void {
    const { target, maxMessageBytes, receiver } = this.#options
    const what = `A line is longer than ${maxMessageBytes} bytes and was dropped.`
    receiver.unreadable(
      new ProtocolViolation(explain("message-too-large", "request", target, what)),
      originOf(begun),
    )
  }

  #note(code: Note["code"], detail: string): void {
    this.#options.receiver.note({ code, detail })
  }
}
