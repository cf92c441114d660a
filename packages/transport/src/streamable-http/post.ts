import { explain, ProtocolViolation } from "@entente/protocol"
import { GrowingBytes } from "../framing/growing-bytes.js"
import { sampleOf } from "../framing/message-lines.js"
import type { RequestId } from "@entente/protocol"
import type { Timer } from "../timers.js"
import type { Origin, Receiver, SendOutcome, StreamPosition } from "../transport.js"
import { EventPosition } from "./event-position.js"
import {
  Exchange,
  type BodyReader,
  type ExchangeContext,
  type ExchangeRequest,
} from "../http/exchange.js"
import { essence, kindOf, type BodyKind } from "../http/media-type.js"
import { MessageEvents } from "./message-events.js"
import type { HeaderRecord } from "../http/request-decorator.js"
import { sniffingReader } from "../http/sniffing-reader.js"

export interface PostOptions {
  readonly maxMessageBytes: number
  readonly receiver: Pick<Receiver, "message" | "note" | "unreadable">
  /** The request that the answer belongs to; to other messages none means anything (C052). */
  readonly awaits: RequestId | undefined
  /** Called exactly once. */
  readonly settled: (outcome: SendOutcome) => void
}

/** How much of an answer that is not MCP is read, to show its beginning. */
const sampleBytes = 1024

/** Milliseconds that a stream may stay open after its answer (V25-HTTP-08): then it is closed from here. */
const lingerMs = 5_000

const utf8 = new TextDecoder()

/**
 * A message on its way and the answer to it: one JSON value, a stream of events, or nothing
 * (V25-HTTP-06, V26-HTTP-02). Every message in the answer reaches the receiver before the outcome is told.
 */
export class Post {
  readonly #options: PostOptions
  readonly #target: string
  readonly #exchange: Exchange
  readonly #number: number
  #origin: Origin
  #messages = 0
  #settled = false
  #position: EventPosition | undefined
  #events: MessageEvents | undefined
  #lingering: Timer
  readonly #timers: ExchangeContext["timers"]

  constructor(context: ExchangeContext, request: ExchangeRequest, options: PostOptions) {
    this.#options = options
    this.#target = context.target
    this.#timers = context.timers
    this.#number = request.exchange
    this.#origin = { exchange: request.exchange }
    this.#exchange = new Exchange(context, request, {
      answered: (status, headers) => this.#readerOf(status, headers),
      rejected: (rejection) => this.#settle({ _tag: "Rejected", rejection }),
      failed: (error, mayHaveArrived) =>
        this.#settle({ _tag: "Failed", error, mayHaveArrived, ...this.#resumable }),
    })
  }

  start(): void {
    this.#exchange.start()
  }

  /** Closes the exchange, whatever it was waiting for (V26-HTTP-10, V26-HTTP-11). */
  readonly abort = (): void => {
    this.#exchange.close()
    this.#settle({ _tag: "Aborted" })
  }

  /** See `Sent.overtakable`. */
  readonly overtakable = (): number => this.#exchange.overtakable

  #settle(outcome: SendOutcome): void {
    if (this.#settled) return
    this.#settled = true
    this.#events?.close()
    this.#timers.clear(this.#lingering)
    this.#options.settled(outcome)
  }

  #readerOf(status: number, headers: HeaderRecord): BodyReader {
    this.#origin = { exchange: this.#number, headers }
    const mediaType = essence(headers["content-type"])
    const kind = kindOf(mediaType)
    if (status === 202 || status === 204 || this.#options.awaits === undefined) {
      return this.#nothing(status, kind)
    }
    if (kind !== "unsaid") return this.#readerFor(kind, status, mediaType)
    return sniffingReader(
      (shown) => {
        if (shown !== "other") this.#noteSniffed(shown, mediaType)
        return this.#readerFor(shown, status, mediaType)
      },
      () => this.#end(status, false),
    )
  }

  #readerFor(kind: Exclude<BodyKind, "unsaid">, status: number, mediaType: string): BodyReader {
    switch (kind) {
      case "json":
        return this.#json(status)
      case "event-stream":
        return this.#stream(status)
      case "other":
        return this.#unexpected(status, mediaType)
    }
  }

  #noteSniffed(shown: "json" | "event-stream", mediaType: string): void {
    const said = mediaType === "" ? "without a Content-Type" : `called ${mediaType}`
    const detail = `an answer ${said} was read as ${shown === "json" ? "JSON" : "an event stream"}`
    this.#options.receiver.note({ code: "content-type-sniffed", detail }, this.#origin)
  }

  /** Accepted: whatever stands in the body means nothing (V25-HTTP-05, C052). */
  #nothing(status: number, kind: BodyKind): BodyReader {
    let left = sampleBytes
    const end = (): void => this.#end(status, false)
    if (kind === "event-stream") {
      // It may never end.
      this.#exchange.close()
      end()
    }
    const chunk = (bytes: Uint8Array): void => {
      left -= bytes.length
      if (left >= 0) return
      this.#exchange.close()
      end()
    }
    return { chunk, end, broken: end }
  }

  #json(status: number): BodyReader {
    const { maxMessageBytes } = this.#options
    const body = new GrowingBytes()
    return {
      chunk: (bytes) => {
        if (body.length + bytes.length > maxMessageBytes) this.#tooLarge(status, false)
        else body.append(bytes)
      },
      end: () => {
        const text = utf8.decode(body.take())
        if (text.trim() !== "") this.#receive(text, status, false)
        this.#end(status, false)
      },
    }
  }

  #stream(status: number): BodyReader {
    const { maxMessageBytes, receiver, awaits } = this.#options
    const position = new EventPosition(this.#origin.headers ?? {})
    this.#position = position
    const events = new MessageEvents({
      target: this.#target,
      maxMessageBytes,
      receiver,
      origin: this.#origin,
      position,
      awaits,
      unreadable: (error) => this.#refuse(error, status, true),
    })
    this.#events = events
    return {
      chunk: (bytes) => {
        if (this.#settled) return
        events.push(bytes)
        if (events.answered) this.#linger(status)
      },
      end: () => {
        events.end()
        this.#end(status, true)
      },
      mayRest: true,
    }
  }

  /** The answer is here; what the server still holds open is of no use to anybody. */
  #linger(status: number): void {
    this.#lingering ??= this.#timers.set(() => {
      this.#exchange.close()
      this.#end(status, true)
    }, lingerMs)
  }

  get #resumable(): { readonly position?: StreamPosition } {
    const position = this.#events?.answered === true ? undefined : this.#position
    return position?.lastEventId === undefined ? {} : { position }
  }

  #unexpected(status: number, mediaType: string): BodyReader {
    const sample = new GrowingBytes()
    const decide = (): void => {
      const text = utf8.decode(sample.take())
      if (text.trim() === "") return this.#end(status, false)
      const what = mediaType === "" ? "has no Content-Type" : `is ${mediaType}`
      const said = `The answer ${what}, not JSON and no event stream: ${JSON.stringify(sampleOf(text))}.`
      this.#unreadable("unexpected-content", said, status, false)
    }
    return {
      chunk: (bytes) => {
        if (this.#settled) return
        sample.append(bytes.subarray(0, sampleBytes - sample.length))
        if (sample.length === sampleBytes) decide()
      },
      end: () => this.#settled || decide(),
    }
  }

  #receive(text: string, status: number, streamed: boolean): void {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      const what = `The answer is announced as JSON, but is not: ${JSON.stringify(sampleOf(text))}.`
      return this.#unreadable("invalid-message", what, status, streamed)
    }
    this.#messages += 1
    this.#options.receiver.message(value, this.#origin)
  }

  #tooLarge(status: number, streamed: boolean): void {
    const what = `A message is longer than ${this.#options.maxMessageBytes} bytes.`
    this.#unreadable("message-too-large", what, status, streamed)
  }

  #unreadable(
    code: "unexpected-content" | "invalid-message" | "message-too-large",
    what: string,
    status: number,
    streamed: boolean,
  ): void {
    const error = new ProtocolViolation(explain(code, "request", this.#target, what))
    this.#refuse(error, status, streamed)
  }

  #refuse(error: ProtocolViolation, status: number, streamed: boolean): void {
    if (this.#settled) return
    this.#exchange.close()
    // What can't be read would be the same when it is replayed.
    this.#position = undefined
    this.#options.receiver.unreadable(error, this.#origin)
    this.#end(status, streamed)
  }

  #end(status: number, streamed: boolean): void {
    const messages = this.#messages + (this.#events?.messages ?? 0)
    this.#settle({ _tag: "Ended", status, messages, streamed, ...this.#resumable })
  }
}
