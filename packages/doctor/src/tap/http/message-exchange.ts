import { explain, isJsonObject, ProtocolViolation, type Unreachable } from "@entente/protocol"
import type { SendOutcome, StreamPosition } from "@entente/transport"
import {
  essence,
  EventPosition,
  GrowingBytes,
  kindOf,
  MessageEvents,
  rejectionBody,
  sampleOf,
  sniffingReader,
  type BodyKind,
  type BodyReader,
} from "@entente/transport/tapping"
import { openingOf, type Conversation } from "./conversations.js"
import { ignored, isRefusal, type ObservedExchange } from "./observed-exchange.js"
import { sessionIdOf, type ObservedRequest, type Watch } from "./watch.js"

type Headers = Readonly<Record<string, string>>

const utf8 = new TextDecoder()

/** How much of an answer that is no message is shown, in bytes. */
const sampleBytes = 1024

/** The id of a message that wants an answer. */
const awaitedBy = (message: unknown): string | number | undefined => {
  if (!isJsonObject(message) || !("method" in message)) return undefined
  const { id } = message
  return typeof id === "string" || typeof id === "number" ? id : undefined
}

/** A message of the client and what came back in the same exchange, told as the transports tell it. */
export class MessageExchange implements ObservedExchange {
  readonly #watch: Watch
  readonly #request: ObservedRequest
  readonly #message: unknown
  readonly #conversation: Conversation
  readonly #send: number
  #headers: Headers = {}
  #status = 0
  #streamed = false
  #messages = 0
  #position: EventPosition | undefined
  #events: MessageEvents | undefined
  #settled = false
  #accepted = false

  constructor(watch: Watch, request: ObservedRequest, message: unknown) {
    this.#watch = watch
    this.#request = request
    this.#message = message
    const { conversations } = watch
    const { url, headers } = request
    this.#conversation = conversations.ofMessage(message, url.href, sessionIdOf(headers))
    const { log } = this.#conversation
    this.#send = log.nextSend()
    log.sent(this.#send, this.#exchange, message)
  }

  answered(status: number, headers: Headers): BodyReader {
    this.#status = status
    this.#headers = headers
    if (isRefusal(status)) return this.#refusal(status, headers)
    if (this.#conversation.shared) {
      this.#settle({ _tag: "Written" })
      return ignored
    }
    const id = sessionIdOf(headers)
    if (id !== undefined) this.#watch.conversations.named(this.#conversation, id)
    return this.#guarded(this.#bodyReader(status, headers))
  }

  failed(error: Unreachable): void {
    this.#settle({ _tag: "Failed", error, mayHaveArrived: true, ...this.#resumable })
  }

  aborted(): void {
    // A client that lets go of a stream after its answer has missed nothing.
    if (this.#events?.answered === true) this.#end()
    else this.#settle({ _tag: "Aborted" })
  }

  unreadable(what: string): void {
    const [status, headers] = [this.#status, this.#headers]
    const rejection = { status, headers, text: "", json: undefined }
    if (isRefusal(status)) this.#settle({ _tag: "Rejected", rejection })
    else this.#refuse("unexpected-content", what)
  }

  /** 0 where the answers of all messages share a stream. */
  get #exchange(): number {
    return this.#conversation.shared ? 0 : this.#request.exchange
  }

  get #origin() {
    return { exchange: this.#exchange, headers: this.#headers }
  }

  #settle(outcome: SendOutcome): void {
    if (this.#settled) return
    this.#settled = true
    this.#events?.close()
    const { log } = this.#conversation
    log.settled(this.#send, this.#exchange, outcome)
    const opening = openingOf(this.#message)
    if (opening !== undefined && !this.#conversation.shared) {
      this.#conversation.opening(opening, this.#accepted ? "accepted" : "refused")
    }
  }

  #refusal(status: number, headers: Headers): BodyReader {
    return rejectionBody(
      status,
      headers,
      (rejection) => {
        this.#settle({ _tag: "Rejected", rejection })
        const inSession = sessionIdOf(this.#request.headers) !== undefined
        if (status === 404 && inSession) this.#watch.conversations.expired(this.#conversation)
      },
      this.#watch.maxMessageBytes,
    )
  }

  /** Nothing is read any more once the outcome is told; where the body breaks off, that is it. */
  #guarded(reader: BodyReader): BodyReader {
    return {
      chunk: (bytes) => {
        if (!this.#settled) reader.chunk(bytes)
      },
      end: () => {
        if (!this.#settled) reader.end()
      },
    }
  }

  #bodyReader(status: number, headers: Headers): BodyReader {
    const mediaType = essence(headers["content-type"])
    const kind = kindOf(mediaType)
    if (status === 202 || status === 204 || awaitedBy(this.#message) === undefined) {
      return { chunk: () => {}, end: () => this.#end() }
    }
    if (kind !== "unsaid") return this.#readerFor(kind, mediaType)
    return sniffingReader(
      (shown) => {
        if (shown !== "other") this.#noteSniffed(shown, mediaType)
        return this.#readerFor(shown, mediaType)
      },
      () => this.#end(),
    )
  }

  #readerFor(kind: Exclude<BodyKind, "unsaid">, mediaType: string): BodyReader {
    switch (kind) {
      case "json":
        return this.#json()
      case "event-stream":
        return this.#stream()
      case "other":
        return this.#unexpected(mediaType)
    }
  }

  #noteSniffed(shown: "json" | "event-stream", mediaType: string): void {
    const said = mediaType === "" ? "without a Content-Type" : `called ${mediaType}`
    const detail = `an answer ${said} was read as ${shown === "json" ? "JSON" : "an event stream"}`
    this.#conversation.log.note({ code: "content-type-sniffed", detail })
  }

  #json(): BodyReader {
    const body = new GrowingBytes()
    return {
      chunk: (bytes) => {
        if (body.length + bytes.length <= this.#watch.maxMessageBytes) body.append(bytes)
        else this.#tooLarge()
      },
      end: () => {
        const text = utf8.decode(body.take())
        if (text.trim() !== "") this.#read(text)
        this.#end()
      },
    }
  }

  #read(text: string): void {
    try {
      this.#receive(JSON.parse(text))
    } catch {
      const sample = JSON.stringify(sampleOf(text))
      this.#refuse("invalid-message", `The answer is announced as JSON, but is not: ${sample}.`)
    }
  }

  #receive(value: unknown): void {
    this.#messages += 1
    const awaited = awaitedBy(this.#message)
    this.#accepted ||=
      isJsonObject(value) && "result" in value && String(value["id"]) === String(awaited)
    this.#conversation.log.received(value, this.#origin)
  }

  #stream(): BodyReader {
    const { target, maxMessageBytes } = this.#watch
    const { log, events: remembered } = this.#conversation
    const position = new EventPosition(this.#headers)
    this.#streamed = true
    this.#position = position
    const events = new MessageEvents({
      target,
      maxMessageBytes,
      receiver: {
        message: (value) => this.#receive(value),
        note: (note) => log.note(note),
      },
      origin: this.#origin,
      position,
      awaits: awaitedBy(this.#message),
      delivered: () => {
        const { lastEventId } = position
        if (lastEventId !== undefined) remembered.set(lastEventId, this.#exchange)
      },
      unreadable: (error) => this.#unread(error),
    })
    this.#events = events
    return { chunk: (bytes) => events.push(bytes), end: () => this.#end() }
  }

  get #resumable(): { readonly position?: StreamPosition } {
    const position = this.#events?.answered === true ? undefined : this.#position
    return position?.lastEventId === undefined ? {} : { position }
  }

  #unexpected(mediaType: string): BodyReader {
    const sample = new GrowingBytes()
    const end = (): void => {
      const text = utf8.decode(sample.take())
      if (text.trim() === "") return this.#end()
      const what = mediaType === "" ? "has no Content-Type" : `is ${mediaType}`
      const said = JSON.stringify(sampleOf(text))
      this.#refuse(
        "unexpected-content",
        `The answer ${what}, not JSON and no event stream: ${said}.`,
      )
    }
    return {
      chunk: (bytes) => {
        sample.append(bytes.subarray(0, sampleBytes - sample.length))
        if (sample.length === sampleBytes) end()
      },
      end,
    }
  }

  #tooLarge(): void {
    const what = `A message is longer than ${this.#watch.maxMessageBytes} bytes.`
    this.#refuse("message-too-large", what)
  }

  #refuse(
    code: "unexpected-content" | "invalid-message" | "message-too-large",
    what: string,
  ): void {
    this.#unread(new ProtocolViolation(explain(code, "request", this.#watch.target, what)))
  }

  #unread(error: ProtocolViolation): void {
    if (this.#settled) return
    // What cannot be read would be the same when it is replayed.
    this.#position = undefined
    this.#conversation.log.unreadable(error, this.#origin)
    this.#end()
  }

  #end(): void {
    this.#settle({
      _tag: "Ended",
      status: this.#status,
      messages: this.#messages,
      streamed: this.#streamed,
      ...this.#resumable,
    })
  }
}
