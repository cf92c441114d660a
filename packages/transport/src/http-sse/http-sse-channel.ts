import * as Effect from "effect/Effect"
import { classify, explain, Unreachable, type TransportError } from "@entente/protocol"
import { redactUrl } from "@entente/trace"
import { encodeMessage } from "../framing/encode-message.js"
import { Inbox } from "../inbox.js"
import type { ExchangeContext } from "../http/exchange.js"
import type { Channel, HttpRejection, Outgoing, SendOutcome, Sent } from "../transport.js"
import { insteadOf, resolveAddress, withLostPrefix } from "./message-address.js"
import { MessagePost } from "./message-post.js"
import { endpointRefused } from "./opening-failure.js"
import { ServerStream } from "./server-stream.js"

/** Every message of the server comes on the one stream. */
const shared = { exchange: 0 } as const

/** How many acknowledgements may still be under way after their status; more are cut off. */
const maxUnread = 16

/** An event stream and the address for messages to it, as one pipe. */
export class HttpSseChannel implements Channel {
  readonly exchanges = "shared"
  readonly #context: ExchangeContext
  readonly #messageUrl: URL | undefined
  readonly #inbox = new Inbox()
  readonly #stream: ServerStream
  readonly #live = new Set<MessagePost>()
  readonly #unread = new Set<MessagePost>()
  /** Where messages go; redirects change it too. Undefined until the stream has named it. */
  #post: ExchangeContext | undefined
  /** The other place for messages, as long as none has been answered (C092). */
  #elsewhere: URL | undefined
  /** The context of the message that tries that place. */
  #trying: ExchangeContext | undefined
  /** Why nothing can be sent any more. */
  #cause: TransportError | undefined
  #opened: (failure: TransportError | undefined) => void = () => {}
  #exchanges = 1

  constructor(context: ExchangeContext, messageUrl: URL | undefined) {
    this.#context = context
    this.#messageUrl = messageUrl
    this.#stream = new ServerStream(context, {
      endpoint: (reference) =>
        this.#post === undefined ? this.#begin(reference) : this.#announcedAgain(reference),
      message: (value) => this.#inbox.message(value, shared),
      unreadable: (error) => this.#inbox.unreadable(error, shared),
      over: (cause) => this.#end(cause),
    })
  }

  /** Asks for the stream, and succeeds when it has named the address for messages (V25-SSE-03). */
  get opened(): Effect.Effect<void, TransportError> {
    return Effect.callback((resume) => {
      this.#opened = (failure) => resume(failure === undefined ? Effect.void : Effect.fail(failure))
      this.#stream.open()
      return Effect.sync(() => this.#stream.close())
    })
  }

  readonly listen = this.#inbox.listen

  readonly send = (
    { message, headers, extraHeaders }: Outgoing,
    settled: (outcome: SendOutcome) => void,
  ): Sent => {
    const { target } = this.#context
    const context = this.#post
    const body = this.#cause ?? encodeMessage(message, target)
    if (typeof body !== "string" || context === undefined) {
      const error = typeof body === "string" ? closed(target) : body
      queueMicrotask(() => settled({ _tag: "Failed", error, mayHaveArrived: false }))
      return { exchange: 0, abort: () => {} }
    }
    const post = new MessagePost(
      {
        exchange: ++this.#exchanges,
        method: "POST",
        body,
        headers: { ...headers, "content-type": "application/json" },
        ...(extraHeaders === undefined ? {} : { extraHeaders }),
      },
      {
        elsewhere: (rejection) => this.#tryElsewhere(rejection),
        arrived: (where) => this.#arrived(post, where),
        settled: (outcome) => {
          this.#live.delete(post)
          settled(outcome)
        },
        over: () => {
          this.#unread.delete(post)
        },
      },
    )
    this.#live.add(post)
    post.start(context)
    // POSTs are not sent one after another, so that one could overtake another.
    const overtakable = (): number => post.overtakable
    return { exchange: 0, abort: () => post.close({ _tag: "Aborted" }), overtakable }
  }

  /** Lets go of the stream and of everything under way. */
  release(): void {
    this.#inbox.shut()
    this.#cause ??= closed(this.#context.target)
    this.#stream.close()
    this.#abandon({ _tag: "Aborted" })
  }

  #begin(reference: string): void {
    const { endpoint: stream, target } = this.#context
    const named = resolveAddress(reference, stream)
    if (this.#messageUrl !== undefined) {
      this.#post = this.#at(insteadOf(reference, stream, this.#messageUrl))
    } else if (named.kind === "Use") {
      this.#post = this.#at(named.url)
      this.#elsewhere = withLostPrefix(reference, stream)
    } else {
      this.#stream.close()
      return this.#end(endpointRefused(reference, named.reason, target))
    }
    this.#opened(undefined)
  }

  /** V25-SSE-05: what that means is not defined; nothing is followed to another origin. */
  #announcedAgain(reference: string): void {
    const named = resolveAddress(reference, this.#context.endpoint)
    const ignored =
      named.kind === "Refuse" ? named.reason : this.#messageUrl && "messageUrl is given"
    if (named.kind === "Use" && ignored === undefined) {
      this.#post = this.#at(named.url)
      this.#elsewhere = undefined
      this.#trying = undefined
    }
    const place = redactUrl(named.kind === "Use" ? named.url.href : reference.slice(0, 200))
    const detail =
      ignored === undefined ? `messages go to ${place}` : `${place} is ignored: ${ignored}`
    this.#inbox.note({ code: "endpoint-repeated", detail })
  }

  #at(endpoint: URL): ExchangeContext {
    return { ...this.#context, endpoint }
  }

  /** C092: one try, and only if no server of JSON-RPC has said the 404 itself. */
  #tryElsewhere({ status, json }: HttpRejection): ExchangeContext | undefined {
    const elsewhere = this.#elsewhere
    this.#elsewhere = undefined
    if (status !== 404 || elsewhere === undefined) return undefined
    if (classify(json).kind === "failure") return undefined
    this.#trying = this.#at(elsewhere)
    return this.#trying
  }

  #arrived(post: MessagePost, where: ExchangeContext): void {
    this.#elsewhere = undefined
    this.#unread.add(post)
    const [oldest] = this.#unread
    if (this.#unread.size > maxUnread) oldest?.close({ _tag: "Aborted" })
    if (where !== this.#trying) return
    this.#trying = undefined
    this.#post = where
    const detail = `messages go to ${redactUrl(where.endpoint.href)}`
    this.#inbox.note({ code: "endpoint-prefix-lost", detail })
  }

  #end(cause: TransportError): void {
    if (this.#cause !== undefined) return
    this.#cause = cause
    if (this.#post === undefined) return this.#opened(cause)
    this.#inbox.closed(cause)
    // What is under way may have arrived, but the answer would have come on the stream.
    this.#abandon({ _tag: "Failed", error: cause, mayHaveArrived: true })
  }

  #abandon(outcome: SendOutcome): void {
    for (const post of [...this.#live, ...this.#unread]) post.close(outcome)
  }
}

const closed = (target: string): Unreachable =>
  new Unreachable(explain("unreachable", "request", target, "The channel was closed before."))
