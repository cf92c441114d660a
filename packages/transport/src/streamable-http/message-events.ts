import { explain, ProtocolViolation, type JsonRpcMessage, type RequestId } from "@entente/protocol"
import { sampleOf } from "../framing/message-lines.js"
import type { Origin, Receiver } from "../transport.js"
import { EventStream } from "../framing/event-stream.js"
import type { EventPosition } from "./event-position.js"

export interface MessageEventsOptions {
  readonly target: string
  readonly maxMessageBytes: number
  readonly receiver: Pick<Receiver, "message" | "note">
  readonly origin: Origin
  readonly position: EventPosition
  /** The request whose answer the stream is to bring, if it is one. */
  readonly awaits?: RequestId | undefined
  /** An event was dispatched, with data or without. */
  readonly delivered?: () => void
  /** The stream can't be read any further. */
  readonly unreadable: (error: ProtocolViolation) => void
}

/** How much of an event without an end is looked at, to show its beginning. */
const sampledBytes = 2_000

/**
 * Reads an event stream as messages. Events of other types and those without data are none
 * (V25-HTTP-20, C041); what a resumed stream replays is dropped with a note (V25-HTTP-26).
 */
export class MessageEvents {
  messages = 0
  /** Whether the answer has come: the stream has done its work then, however it ends (V25-HTTP-08). */
  answered = false
  readonly #options: MessageEventsOptions
  readonly #events: EventStream

  constructor(options: MessageEventsOptions) {
    this.#options = options
    const { position } = options
    this.#events = new EventStream(options.maxMessageBytes, {
      event: ({ type, data, id }) => {
        options.delivered?.()
        if (id !== undefined && position.isReplay(id)) return this.#replayed(id)
        if (type === "message" && data.trim() !== "") this.#read(data)
      },
      id: (id) => {
        position.reach(id)
        options.delivered?.()
      },
      retry: (ms) => {
        position.retryMs = ms
      },
      oversized: () => {
        const what = `A message is longer than ${options.maxMessageBytes} bytes.`
        this.#refuse("message-too-large", what)
      },
    })
  }

  push(bytes: Uint8Array): void {
    this.#events.push(bytes)
  }

  /** The stream is over. An event without its blank line does not count (V25-HTTP-25); it is noted. */
  end(): void {
    const { unfinished } = this.#events
    if (unfinished === 0 || this.answered) return
    const sample = sampleOf(this.#events.begun(sampledBytes))
    const { receiver, origin } = this.#options
    receiver.note({ code: "truncated-line", detail: `${unfinished} bytes: ${sample}` }, origin)
  }

  /** Nothing more is read. */
  close(): void {
    this.#events.close()
  }

  #replayed(id: string): void {
    const detail = `event ${JSON.stringify(sampleOf(id))}`
    this.#options.receiver.note({ code: "event-replayed", detail })
  }

  #read(text: string): void {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      const sample = JSON.stringify(sampleOf(text))
      if (/^\s*[[{]/.test(text)) {
        return this.#refuse(
          "invalid-message",
          `An event is announced as JSON, but is not: ${sample}.`,
        )
      }
      // Chatter was never meant to be a message, so the answer is still to come (V25-RPC-10).
      const detail = `an event that is no JSON: ${sample}`
      return this.#options.receiver.note({ code: "invalid-message", detail })
    }
    this.messages += 1
    if (answers(value, this.#options.awaits)) this.answered = true
    this.#options.receiver.message(value, this.#options.origin)
  }

  #refuse(code: "message-too-large" | "invalid-message", what: string): void {
    this.close()
    this.#options.unreadable(
      new ProtocolViolation(explain(code, "request", this.#options.target, what)),
    )
  }
}

/** Whether a value is the answer to a request, its id perhaps echoed as a string (C053). */
const answers = (value: unknown, awaits: RequestId | undefined): boolean =>
  awaits !== undefined &&
  typeof value === "object" &&
  value !== null &&
  "id" in value &&
  !("method" in value) &&
  String(value.id) === String(awaits)

/** The id of a message that wants an answer. */
export const awaitedBy = (message: JsonRpcMessage): RequestId | undefined =>
  "method" in message && "id" in message ? message.id : undefined
