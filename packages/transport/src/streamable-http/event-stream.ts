import { createParser, type EventSourceParser } from "eventsource-parser"

/** One event of a stream, dispatched by its blank line (V25-HTTP-25). */
export interface StreamEvent {
  /** `message` unless the stream names another. */
  readonly type: string
  readonly data: string
  /** The id that a resumption would start from. */
  readonly id: string | undefined
}

export interface EventStreamSink {
  readonly event: (event: StreamEvent) => void
  /** An event passed the limit. The stream can't be read any further. */
  readonly oversized: () => void
}

/**
 * Reads bytes as server-sent events: decodes UTF-8 across chunks, accepts every kind of line end at
 * every split, and dispatches nothing that has not been ended by its blank line (V25-HTTP-25).
 */
export class EventStream {
  readonly #sink: EventStreamSink
  readonly #text = new TextDecoder()
  readonly #parser: EventSourceParser
  #afterReturn = false
  #stopped = false

  /** @param maxBytes the largest event accepted */
  constructor(maxBytes: number, sink: EventStreamSink) {
    this.#sink = sink
    this.#parser = createParser({
      onEvent: ({ event = "message", data, id }) => {
        if (this.#stopped) return
        if (isLonger(data, maxBytes)) this.#stop()
        else sink.event({ type: event, data, id })
      },
      onError: ({ type }) => {
        // Unknown fields and broken `retry` values are to be ignored.
        if (type === "max-buffer-size-exceeded") this.#stop()
      },
      maxBufferSize: maxBytes,
    })
  }

  push(bytes: Uint8Array): void {
    if (this.#stopped) return
    const text = this.#text.decode(bytes, { stream: true })
    if (text !== "") this.#parser.feed(this.#withLineFeeds(text))
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

  /**
   * A carriage return at the end of a chunk may be half a line end. The parser would wait for the other
   * half, and a complete event with it; here the return counts at once and a line feed after it is skipped.
   */
  #withLineFeeds(text: string): string {
    const whole = this.#afterReturn && text.startsWith("\n") ? text.slice(1) : text
    this.#afterReturn = text.endsWith("\r")
    return whole.includes("\r") ? whole.replace(/\r\n?/g, "\n") : whole
  }
}

const isLonger = (text: string, maxBytes: number): boolean =>
  // A UTF-16 code unit takes at most three bytes of UTF-8: shorter texts need no counting.
  text.length * 3 > maxBytes && new TextEncoder().encode(text).length > maxBytes
