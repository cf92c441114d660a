import { explain, ProtocolViolation, Unreachable, type TransportError } from "@entente/protocol"
import { GrowingBytes } from "../growing-bytes.js"
import { sampleOf } from "../message-lines.js"
import { EventStream, type StreamEvent } from "../streamable-http/event-stream.js"
import type { ExchangeFailure } from "../streamable-http/exchange-failure.js"
import { Exchange, type BodyReader, type ExchangeContext } from "../streamable-http/exchange.js"
import { bodyKind, essence } from "../streamable-http/media-type.js"
import type { HeaderRecord } from "../streamable-http/request-decorator.js"
import { noEndpoint, noEventStream, notAsked, streamRefused } from "./opening-failure.js"

export interface ServerStreamOwner {
  /** The server names the address for messages, as a reference. */
  readonly endpoint: (reference: string) => void
  readonly message: (value: unknown) => void
  /** Something that can't be read; its message is gone. */
  readonly unreadable: (error: ProtocolViolation) => void
  /** There is no stream, or none any more. Called once at most, and nothing after it. */
  readonly over: (cause: TransportError) => void
}

/** How much of an answer that is no stream is read, to show its beginning. */
const sampleBytes = 1024

const utf8 = new TextDecoder()

/**
 * The one stream on which a server of 2024-11-05 says everything: where messages go, and all messages
 * of its own (V25-SSE-01, V25-SSE-02). It cannot be resumed (V25-SSE-04).
 */
export class ServerStream {
  readonly #target: string
  readonly #maxMessageBytes: number
  readonly #owner: ServerStreamOwner
  readonly #exchange: Exchange
  #began = false
  #over = false

  constructor(context: ExchangeContext, maxMessageBytes: number, owner: ServerStreamOwner) {
    this.#target = context.target
    this.#maxMessageBytes = maxMessageBytes
    this.#owner = owner
    const request = {
      exchange: 1,
      method: "GET",
      headers: { accept: "text/event-stream" },
      deadlines: { total: Infinity },
    } as const
    this.#exchange = new Exchange(context, request, {
      answered: (status, headers) => this.#readerOf(status, headers),
      rejected: (rejection) => this.#end(streamRefused(rejection, this.#target)),
      failed: (error) => this.#end(notAsked(error, this.#target)),
    })
  }

  /** Asks for the stream. */
  open(): void {
    this.#exchange.start()
  }

  /** Lets the stream go; nothing is heard of it from now on. */
  close(): void {
    this.#over = true
    this.#exchange.close()
  }

  #end(cause: TransportError): void {
    if (this.#over) return
    this.close()
    this.#owner.over(cause)
  }

  #readerOf(status: number, headers: HeaderRecord): BodyReader {
    const contentType = headers["content-type"]
    return bodyKind(contentType) === "event-stream"
      ? this.#events()
      : this.#somethingElse(status, essence(contentType))
  }

  #events(): BodyReader {
    const events = new EventStream(this.#maxMessageBytes, {
      event: (event) => this.#over || this.#receive(event),
      oversized: () => {
        const what = `An event is longer than ${this.#maxMessageBytes} bytes.`
        const fields = explain("message-too-large", "request", this.#target, what)
        const error = new ProtocolViolation(fields)
        // The parser cannot tell where the event after it begins.
        if (this.#began) this.#owner.unreadable(error)
        this.#end(error)
      },
    })
    return {
      chunk: (bytes) => events.push(bytes),
      end: () => this.#gone("ended"),
      broken: (cause) => this.#gone("broke off", cause),
      mayRest: true,
    }
  }

  #receive({ type, data }: StreamEvent): void {
    if (type === "endpoint") {
      this.#began = true
      return this.#owner.endpoint(data)
    }
    // Other types are not for us.
    if (type !== "message" || data.trim() === "") return
    // V25-DET-03: a stream that speaks before it has said where it listens is of another transport.
    if (!this.#began) return this.#end(noEndpoint("a message came first", this.#target))
    let value: unknown
    try {
      value = JSON.parse(data)
    } catch {
      const what = `An event of the stream is not JSON: ${JSON.stringify(sampleOf(data))}.`
      const fields = explain("invalid-message", "request", this.#target, what)
      return this.#owner.unreadable(new ProtocolViolation(fields))
    }
    this.#owner.message(value)
  }

  /** The session is over with its stream (V25-SSE-04). */
  #gone(how: "ended" | "broke off", cause?: ExchangeFailure): void {
    const before = this.#began || how === "broke off"
    if (!before) return this.#end(noEndpoint(`it ${how} before that`, this.#target))
    const what = `The event stream ${how}, and the session with it.`
    const stage = this.#began ? "request" : "open"
    const fields = explain("unreachable", stage, this.#target, what)
    this.#end(new Unreachable(cause === undefined ? fields : { ...fields, cause }))
  }

  /** A page, JSON, or nothing at all: shown as far as it helps to recognise it. */
  #somethingElse(status: number, mediaType: string): BodyReader {
    const sample = new GrowingBytes()
    const decide = (): void => {
      this.#end(noEventStream(status, mediaType, utf8.decode(sample.take()), this.#target))
    }
    return {
      chunk: (bytes) => {
        if (this.#over) return
        sample.append(bytes.subarray(0, sampleBytes - sample.length))
        if (sample.length === sampleBytes) decide()
      },
      end: decide,
      broken: decide,
    }
  }
}
