import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { explain, InvalidInput, Unreachable } from "@entente/protocol"
import { CurrentTrace, redactUrl } from "@entente/trace"
import { encodeMessage } from "../framing/encode-message.js"
import { Inbox } from "../inbox.js"
import { defaultMaxMessageBytes } from "../framing/message-limit.js"
import { currentTimers, type Timers } from "../timers.js"
import { isLoopback } from "../loopback.js"
import type {
  Channel,
  Outgoing,
  Reach,
  SendOutcome,
  Sent,
  StreamListener,
  StreamRequest,
  Transport,
} from "../transport.js"
import { httpCredentials } from "../http/http-credentials.js"
import { takeCredentials } from "../http/url-credentials.js"
import { endpointKey } from "../http/endpoint-key.js"
import { Exchange, type ExchangeContext } from "../http/exchange.js"
import type { ExchangeFailure } from "../http/exchange-failure.js"
import { fetchEngine, type Fetch } from "../http/engine/fetch-engine.js"
import type { HttpEngine, ProxyChoice } from "../http/engine/http-engine.js"
import { Listening } from "./listening.js"
import { awaitedBy } from "./message-events.js"
import { Post } from "./post.js"
import type { HeaderRecord, HeaderSupplier, RequestDecorator } from "../http/request-decorator.js"
import { RequestHeaders } from "../http/request-headers.js"

export interface HttpOptions {
  /**
   * How errors and traces name the server. Default: the URL, without what looks like a secret. For a URL with
   * a secret in it that does not look it.
   */
  readonly target?: string
  /**
   * Sent with every request. Headers of the protocol (`Accept`, `Content-Type`, `Mcp-*`) are not the
   * user's to give and are left out here and below.
   */
  readonly headers?: HeaderRecord
  /** Asked for headers before every HTTP request; they win over fixed ones (C128). */
  readonly requestHeaders?: HeaderSupplier
  /** Adds authorization to every request and is asked when the server refuses it; wins over both. */
  readonly authorization?: RequestDecorator
  /** The largest message accepted, in bytes. Default 16 MiB. */
  readonly maxMessageBytes?: number
  readonly timeouts?: HttpTimeouts
  /**
   * The proxy on the way to the server. Default `"environment"`: HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and
   * NO_PROXY, in lower case too, but never for this machine itself. `false` goes without, a URL is used
   * for everything; its name and password are sent to it alone. On Node only, and not together with
   * `fetch` or `engine`.
   */
  readonly proxy?: ProxyChoice
  /**
   * HTTP+SSE: where messages go, relative to the stream, whatever address the stream names: for proxies
   * that strip a prefix the server knows nothing of (C092). Without a query of its own it takes the
   * one that was named, because the session is in there.
   */
  readonly messageUrl?: string | URL
  /**
   * Repeat a message when the server redirects from http to https on the same host and path. Default
   * `false`: the error names the address to use (C095).
   */
  readonly upgradeToHttps?: boolean
  /** Speaks HTTP through this function. */
  readonly fetch?: Fetch
  /** Speaks HTTP through this engine, which is not closed with the channel. */
  readonly engine?: HttpEngine
}

/**
 * How long the steps of an exchange may take, in milliseconds, on the clock of whoever opens the
 * transport; `Infinity` for no limit. One that passes is an `Unreachable` with the code
 * `deadline-passed`, which says which it was and how long. The deadline of a call is the client's.
 */
export interface HttpTimeouts {
  /** To connect, proxy and TLS included. Default 10 000. `fetch` does not show it. */
  readonly connect?: number
  /** From a request to the head of its answer. Default: none; a server may think as long as its caller waits. */
  readonly firstByte?: number
  /**
   * Between two pieces of a body. Default 60 000, and none for event streams, where silence is legal
   * (V26-HTTP-13); a number counts for both, but never for `subscriptions/listen`.
   */
  readonly idle?: number
  /**
   * From the start of an exchange to the end of its answer, redirects and repetitions included. Default:
   * none. Streams that are opened with GET, and `subscriptions/listen`, have none in any case.
   */
  readonly total?: number
  /** HTTP+SSE: until the stream has named the address for messages. Default 10 000. */
  readonly endpoint?: number
}

const defaultConnectTimeout = 10_000

const postHeaders = {
  accept: "application/json, text/event-stream",
  "content-type": "application/json",
} as const

/** An endpoint and everything that exchanges with it need, taken from the options once. */
export const httpEndpoint = (url: string | URL, options: HttpOptions) => {
  const { endpoint, credentials } = parseEndpoint(url)
  const target = options.target ?? redactUrl(endpoint.href)
  const fixed = { ...credentials, ...options.headers }
  const headers = new RequestHeaders({
    target,
    fixed,
    suppliers: [options.requestHeaders, options.authorization?.headers].filter(
      (supplier) => supplier !== undefined,
    ),
  })
  if (options.proxy instanceof URL) checkProxy(options.proxy, options, target)
  const { firstByte = Infinity, idle, total = Infinity } = options.timeouts ?? {}
  /** Held by one channel; what it opens goes with its scope. */
  const context: Effect.Effect<ExchangeContext, never, Scope.Scope> = Effect.gen(function* () {
    const trace = yield* CurrentTrace
    const timers = yield* currentTimers
    const { engine } = yield* Effect.acquireRelease(
      openEngine(options, timers),
      (opened) => opened.close,
    )
    return {
      target,
      engine,
      headers,
      authorization: options.authorization,
      redirects: { upgradeToHttps: options.upgradeToHttps ?? false },
      deadlines: { firstByte, idle, total },
      maxMessageBytes: options.maxMessageBytes ?? defaultMaxMessageBytes,
      timers,
      trace,
      endpoint,
    }
  })
  const reach: Reach = isLoopback(endpoint.hostname) ? "machine" : "anywhere"
  const place = { target, key: endpointKey(endpoint, target), reach }
  return { place, endpoint, context, credentials: httpCredentials(endpoint, fixed, options) }
}

/**
 * A server behind a URL, spoken to by Streamable HTTP and nothing else: each message is a POST, and its
 * answer is JSON or a stream of events (V25-HTTP-01, V26-HTTP-01). On Node it uses a connection pool,
 * elsewhere `fetch`. Throws `InvalidInput` for a URL or a header that can't be one.
 *
 * @example
 * streamableHttp("https://example.com/mcp", { headers: { Authorization: "Bearer …" } })
 */
export const streamableHttp = (url: string | URL, options: HttpOptions = {}): Transport => {
  const { place, context, credentials } = httpEndpoint(url, options)
  return {
    kind: "streamable-http",
    ...place,
    credentials,
    open: Effect.flatMap(context, (shared) =>
      Effect.acquireRelease(
        Effect.sync(() => new HttpChannel(shared)),
        (channel) => Effect.sync(() => channel.release()),
      ),
    ),
  }
}

interface OpenedEngine {
  readonly engine: HttpEngine
  readonly close: Effect.Effect<void>
}

/** The engine that the options ask for. */
const openEngine = (options: HttpOptions, timers: Timers): Effect.Effect<OpenedEngine> => {
  const { engine, fetch, timeouts, proxy = "environment" } = options
  if (engine !== undefined) return Effect.succeed({ engine, close: Effect.void })
  const own =
    fetch === undefined
      ? Effect.promise(async () => {
          const { openHttpEngine } = await import("#http-engine")
          const connectTimeout = timeouts?.connect ?? defaultConnectTimeout
          return openHttpEngine({ timers, connectTimeout, proxy })
        })
      : Effect.sync(() => fetchEngine(fetch))
  return Effect.map(own, (opened) => ({
    engine: opened,
    close: Effect.promise(() => opened.close()),
  }))
}

class HttpChannel implements Channel {
  readonly exchanges = "per-request"
  readonly #context: ExchangeContext
  readonly #inbox = new Inbox()
  readonly #live = new Set<Post | Listening>()
  #exchanges = 0
  #released = false

  constructor(context: ExchangeContext) {
    this.#context = context
  }

  readonly listen = this.#inbox.listen

  readonly send = (outgoing: Outgoing, settled: (outcome: SendOutcome) => void): Sent => {
    const { message, headers, extraHeaders, standing } = outgoing
    const exchange = ++this.#exchanges
    const { target } = this.#context
    const body = this.#released ? closed(target) : encodeMessage(message, target)
    if (typeof body !== "string") {
      queueMicrotask(() => settled({ _tag: "Failed", error: body, mayHaveArrived: false }))
      return { exchange, abort: () => {} }
    }
    const post = new Post(
      this.#context,
      {
        exchange,
        method: "POST",
        body,
        headers: { ...headers, ...postHeaders },
        ...(extraHeaders === undefined ? {} : { extraHeaders }),
        ...(standing === true ? { deadlines: { idle: Infinity, total: Infinity } } : {}),
      },
      {
        maxMessageBytes: this.#context.maxMessageBytes,
        receiver: this.#inbox,
        awaits: awaitedBy(message),
        settled: (outcome) => {
          this.#live.delete(post)
          settled(outcome)
        },
      },
    )
    this.#live.add(post)
    post.start()
    return { exchange, abort: post.abort, overtakable: post.overtakable }
  }

  readonly openStream = (request: StreamRequest, listener: StreamListener): Sent => {
    const exchange = request.exchange ?? ++this.#exchanges
    const listening = new Listening(
      this.#context,
      { ...request, exchange },
      {
        maxMessageBytes: this.#context.maxMessageBytes,
        receiver: this.#inbox,
        listener: {
          opened: listener.opened,
          delivered: listener.delivered,
          ended: (end) => {
            this.#live.delete(listening)
            listener.ended(end)
          },
        },
      },
    )
    this.#live.add(listening)
    listening.start()
    const abort = (): void => {
      this.#live.delete(listening)
      listening.abort()
    }
    return { exchange, abort }
  }

  readonly endSession = (headers: HeaderRecord): Effect.Effect<number, ExchangeFailure> =>
    Effect.callback((resume) => {
      const exchangeNumber = ++this.#exchanges
      const request = {
        exchange: exchangeNumber,
        method: "DELETE",
        headers,
        optional: true,
      } as const
      const exchange = new Exchange(this.#context, request, {
        answered: (status) => {
          resume(Effect.succeed(status))
          return ignored
        },
        rejected: ({ status }) => resume(Effect.succeed(status)),
        failed: (error) => resume(Effect.fail(error)),
      })
      exchange.start()
      return Effect.sync(() => exchange.close())
    })

  /** Aborts whatever is under way. */
  release(): void {
    this.#released = true
    this.#inbox.shut()
    for (const live of this.#live) live.abort()
  }
}

const closed = (target: string): Unreachable =>
  new Unreachable(explain("unreachable", "request", target, "The channel was closed before."))

const ignored = { chunk: () => {}, end: () => {}, broken: () => {} }

const parseEndpoint = (url: string | URL) => {
  const endpoint = URL.canParse(String(url)) ? new URL(url) : undefined
  if (endpoint === undefined || !/^https?:$/.test(endpoint.protocol)) {
    const what = `${JSON.stringify(redactUrl(String(url)))} is no http or https URL.`
    throw new InvalidInput(explain("invalid-input", "input", redactUrl(String(url)), what))
  }
  return { endpoint, credentials: takeCredentials(endpoint) }
}

const checkProxy = (proxy: URL, { fetch, engine }: HttpOptions, target: string): void => {
  const refuse = (what: string): never => {
    throw new InvalidInput(explain("invalid-input", "input", target, what))
  }
  if (!/^https?:$/.test(proxy.protocol)) {
    refuse(`The option proxy takes an http or https URL, not ${proxy.protocol}//${proxy.host}.`)
  }
  if (fetch !== undefined || engine !== undefined) {
    refuse("The option proxy has no say where fetch or engine brings its own connections.")
  }
}
