import { explain, ProtocolViolation, type Unreachable } from "@entente/protocol"
import type { HttpRejection, StreamEnd } from "@entente/transport"
import {
  essence,
  EventPosition,
  EventStream,
  kindOf,
  MessageEvents,
  rejectionBody,
  unreachable,
  type BodyReader,
} from "@entente/transport/tapping"
import type { Conversation } from "./conversations.js"
import { ignored, isRefusal, type ObservedExchange } from "./observed-exchange.js"
import { sessionIdOf, type ObservedRequest, type Watch } from "./watch.js"

type Headers = Readonly<Record<string, string>>

/** How a stream of the conversation is told: where, and under which numbers. */
interface Told {
  readonly conversation: Conversation
  readonly send: number
  readonly exchange: number
}

/**
 * A GET for an event stream: the one for what a server says by itself, the rest of one that broke off, or
 * the one stream of 2024-11-05, which shows by its first event.
 */
export class StreamExchange implements ObservedExchange {
  readonly #watch: Watch
  readonly #request: ObservedRequest
  #told: Told | undefined
  /** The conversation of 2024-11-05 that this stream carries. */
  #old: Conversation | undefined
  #headers: Headers = {}
  #status = 0
  #position: EventPosition | undefined
  #detector: EventStream | undefined
  #events: MessageEvents | undefined
  #over = false

  constructor(watch: Watch, request: ObservedRequest) {
    this.#watch = watch
    this.#request = request
    if (!watch.conversations.mayBeOld(sessionIdOf(request.headers))) this.#tell()
  }

  answered(status: number, headers: Headers): BodyReader {
    this.#headers = headers
    this.#status = status
    if (isRefusal(status)) {
      const { maxMessageBytes } = this.#watch
      const read = (rejection: HttpRejection): void => this.#end({ _tag: "Rejected", rejection })
      return rejectionBody(status, headers, read, maxMessageBytes)
    }
    const mediaType = essence(headers["content-type"])
    if (kindOf(mediaType) !== "event-stream") {
      this.#end({ _tag: "NoStream", error: this.#noStream(status, mediaType) })
      return ignored
    }
    return this.#reader(headers)
  }

  failed(error: Unreachable): void {
    if (this.#position === undefined) this.#end({ _tag: "Failed", error, mayHaveArrived: true })
    else this.#end({ _tag: "Dropped", position: this.#position, error })
  }

  /** Whoever lets go of a stream hears nothing of it any more. */
  aborted(): void {
    if (this.#over) return
    this.#over = true
    this.#close()
    if (this.#old === undefined) this.#tell()
    else this.#old.released()
  }

  unreadable(what: string): void {
    const [status, headers] = [this.#status, this.#headers]
    const rejection = { status, headers, text: "", json: undefined }
    const error = this.#violation("unexpected-content", what)
    this.#end(isRefusal(status) ? { _tag: "Rejected", rejection } : { _tag: "NoStream", error })
  }

  /** The stream belongs to the conversation, under the exchange that it goes on with. */
  #tell(): Told {
    if (this.#told !== undefined) return this.#told
    const { headers, exchange } = this.#request
    const conversation = this.#watch.conversations.ofStream(sessionIdOf(headers))
    const resumed = conversation.events.get(headers["last-event-id"] ?? "")
    const send = conversation.log.nextSend()
    this.#told = { conversation, send, exchange: resumed ?? exchange }
    conversation.log.stream(send, this.#told.exchange, "asked")
    return this.#told
  }

  #reader(headers: Headers): BodyReader {
    const { target, maxMessageBytes } = this.#watch
    const position = new EventPosition(headers)
    this.#position = position
    const undecided = this.#told === undefined
    if (undecided) {
      this.#detector = new EventStream(maxMessageBytes, {
        event: ({ type, data }) => this.#decide(type, data),
        oversized: () => {},
      })
    } else this.#say("opened")
    const events = new MessageEvents({
      target,
      maxMessageBytes,
      receiver: {
        message: (value) => this.#receive(value),
        note: (note) => this.#log.note(note),
      },
      origin: { exchange: this.#request.exchange, headers },
      position,
      delivered: () => this.#delivered(position),
      unreadable: (error) => {
        this.#log.unreadable(error, { exchange: this.#exchange })
        this.#end({ _tag: "Dropped", position: new EventPosition(headers), error })
      },
    })
    this.#events = events
    return {
      chunk: (bytes) => {
        if (this.#over) return
        this.#detector?.push(bytes)
        events.push(bytes)
      },
      end: () => this.#end({ _tag: "Dropped", position }),
    }
  }

  #decide(type: string, data: string): void {
    this.#detector?.close()
    this.#detector = undefined
    if (type !== "endpoint") return this.#say("opened")
    const { conversations, wayPast } = this.#watch
    wayPast.endpoint(data)
    const { href } = this.#request.url
    const address = URL.canParse(data, href) ? new URL(data, href).href : href
    this.#old = conversations.ofOldStream(address)
  }

  #receive(value: unknown): void {
    const old = this.#old
    if (old !== undefined) return old.log.received(value, { exchange: 0 })
    this.#log.received(value, { exchange: this.#exchange, headers: this.#headers })
  }

  #delivered({ lastEventId }: EventPosition): void {
    if (this.#old !== undefined || this.#detector !== undefined) return
    const { conversation, exchange } = this.#tell()
    if (lastEventId !== undefined) conversation.events.set(lastEventId, exchange)
    this.#say("delivered")
  }

  #say(event: "opened" | "delivered"): void {
    const { conversation, send, exchange } = this.#tell()
    conversation.log.stream(send, exchange, event)
  }

  get #log() {
    return (this.#old ?? this.#tell().conversation).log
  }

  get #exchange(): number {
    return this.#old === undefined ? this.#tell().exchange : 0
  }

  #end(end: StreamEnd): void {
    if (this.#over) return
    this.#over = true
    this.#close()
    const old = this.#old
    if (old !== undefined) {
      const error = "error" in end ? end.error : undefined
      const { target } = this.#watch
      const why = new Error("the event stream ended, and the session with it")
      old.log.closed(error ?? unreachable(target, this.#request.url, why))
      return old.released()
    }
    const { conversation, send, exchange } = this.#tell()
    conversation.log.streamEnded(send, exchange, end)
  }

  #close(): void {
    this.#detector?.close()
    this.#events?.close()
  }

  #noStream(status: number, mediaType: string): ProtocolViolation {
    const type = mediaType === "" ? "without a Content-Type" : `with ${mediaType}`
    const what = `The GET for a stream was answered ${status} ${type}, which is no event stream.`
    return this.#violation("unexpected-content", what)
  }

  #violation(code: "unexpected-content", what: string): ProtocolViolation {
    return new ProtocolViolation(explain(code, "request", this.#watch.target, what))
  }
}
