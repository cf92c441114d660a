import { explain, ProtocolViolation } from "@entente/protocol"
import type { Receiver, StreamEnd, StreamListener, StreamRequest } from "../transport.js"
import { EventPosition, lastEventIdHeader } from "./event-position.js"
import { Exchange, type BodyReader, type ExchangeContext } from "./exchange.js"
import type { ExchangeFailure } from "./exchange-failure.js"
import { bodyKind, essence } from "./media-type.js"
import { MessageEvents } from "./message-events.js"
import type { HeaderRecord } from "./request-decorator.js"

export interface ListeningOptions {
  readonly maxMessageBytes: number
  readonly receiver: Pick<Receiver, "message" | "note" | "unreadable">
  readonly listener: StreamListener
}

/**
 * A GET whose answer is an event stream: the one stream for what a legacy server says by itself
 * (V25-HTTP-11), or the rest of a stream that broke off (V25-HTTP-18, always by GET). A listener that
 * is told of an end, or that aborted, hears nothing more.
 */
export class Listening {
  readonly #context: ExchangeContext
  readonly #options: ListeningOptions
  readonly #exchange: Exchange
  readonly #number: number
  readonly #from: EventPosition | undefined
  #position: EventPosition | undefined
  #events: MessageEvents | undefined
  #over = false

  constructor(
    context: ExchangeContext,
    request: StreamRequest & { readonly exchange: number },
    options: ListeningOptions,
  ) {
    this.#context = context
    this.#options = options
    this.#number = request.exchange
    this.#from = positionOf(request)
    this.#exchange = new Exchange(
      context,
      {
        exchange: request.exchange,
        method: "GET",
        deadlines: { total: Infinity },
        headers: { ...request.headers, accept: "text/event-stream", ...resumeHeader(this.#from) },
        ...(request.extraHeaders === undefined ? {} : { extraHeaders: request.extraHeaders }),
      },
      {
        answered: (status, headers) => this.#readerOf(status, headers),
        rejected: (rejection) => this.#end({ _tag: "Rejected", rejection }),
        failed: (error, mayHaveArrived) => this.#failed(error, mayHaveArrived),
      },
    )
  }

  start(): void {
    this.#exchange.start()
  }

  abort(): void {
    this.#over = true
    this.#events?.close()
    this.#exchange.close()
  }

  #readerOf(status: number, headers: HeaderRecord): BodyReader {
    const contentType = headers["content-type"]
    if (status === 204 || bodyKind(contentType) !== "event-stream") {
      this.#exchange.close()
      this.#end({ _tag: "NoStream", error: this.#noStream(status, essence(contentType)) })
      return { chunk: () => {}, end: () => {}, broken: () => {} }
    }
    const position = this.#from ?? new EventPosition(headers)
    position.resume()
    this.#position = position
    const { maxMessageBytes, receiver, listener } = this.#options
    const origin = { exchange: this.#number, headers: position.headers }
    const events = new MessageEvents({
      target: this.#context.target,
      maxMessageBytes,
      receiver,
      origin,
      position,
      delivered: listener.delivered,
      unreadable: (error) => {
        this.#exchange.close()
        receiver.unreadable(error, origin)
        this.#end({ _tag: "Dropped", position: new EventPosition(position.headers), error })
      },
    })
    this.#events = events
    listener.opened()
    return {
      chunk: (bytes) => this.#over || events.push(bytes),
      end: () => this.#end({ _tag: "Dropped", position }),
      mayRest: true,
    }
  }

  #failed(error: ExchangeFailure, mayHaveArrived: boolean): void {
    const position = this.#position
    if (position !== undefined) return this.#end({ _tag: "Dropped", position, error })
    if (error._tag === "HttpRejected") return this.#end({ _tag: "NoStream", error })
    this.#end({ _tag: "Failed", error, mayHaveArrived })
  }

  #noStream(status: number, mediaType: string): ProtocolViolation {
    const type = mediaType === "" ? "without a Content-Type" : `with ${mediaType}`
    const what = `The GET for a stream was answered ${status} ${type}, which is no event stream.`
    return new ProtocolViolation(
      explain("unexpected-content", "request", this.#context.target, what),
    )
  }

  #end(end: StreamEnd): void {
    if (this.#over) return
    this.#over = true
    this.#events?.close()
    this.#options.listener.ended(end)
  }
}

/** A position is this transport's own, and comes back to it unchanged. */
const positionOf = ({ from }: StreamRequest): EventPosition | undefined =>
  from instanceof EventPosition ? from : undefined

const resumeHeader = (from: EventPosition | undefined): HeaderRecord =>
  from?.lastEventId === undefined ? {} : { "last-event-id": lastEventIdHeader(from.lastEventId) }
