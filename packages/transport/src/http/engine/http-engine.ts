import type { Timers } from "../../timers.js"

/** One HTTP request as it goes out; nothing is added to it but what HTTP itself needs. */
export interface HttpRequest {
  readonly method: "POST" | "GET" | "DELETE"
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/**
 * Hears of the answer, piece by piece: `written` where the engine knows that, `head` once, any number of
 * `chunk`, then `end`; or `failed` at any point. Callbacks instead of promises and iterators, because a call then costs no turn of the
 * event loop of its own: that is worth a third of the calls per second.
 */
export interface HttpAnswer {
  /** There is a connection, and the request goes out on it now. */
  readonly written?: () => void
  /** Header names are in lower case. */
  readonly head: (status: number, headers: Readonly<Record<string, string>>) => void
  /** Read at once: an answer that is slow to be read slows the sender down. */
  readonly chunk: (bytes: Uint8Array) => void
  readonly end: () => void
  /** @param mayHaveArrived false only if it is certain that the server saw nothing of the request */
  readonly failed: (cause: unknown, mayHaveArrived: boolean) => void
}

/**
 * Ends an exchange; nothing is heard of it from then on. Gives false only if it is certain that the
 * server saw nothing of the request.
 */
export type CancelExchange = () => boolean

/**
 * All that this transport asks of an HTTP client. It must not follow redirects by itself. Deadlines
 * and limits of size are kept above it, except for what only it can see: connecting, and headers.
 */
export interface HttpEngine {
  readonly start: (request: HttpRequest, answer: HttpAnswer) => CancelExchange
  /** Ends every exchange and lets go of every connection. */
  readonly close: () => Promise<void>
}

/** Which proxy is used: what the environment says, none, or this one. */
export type ProxyChoice = "environment" | false | URL

export interface HttpEngineOptions {
  readonly timers: Timers
  /** Milliseconds to connect, proxy and TLS included; Infinity for no limit. */
  readonly connectTimeout: number
  readonly proxy: ProxyChoice
  /** A certificate authority to trust instead of the usual ones, in PEM. */
  readonly certificateAuthority?: string
}

export type OpenHttpEngine = (options: HttpEngineOptions) => HttpEngine
