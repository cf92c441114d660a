/** One HTTP request as it goes out; nothing is added to it but what HTTP itself needs. */
export interface HttpRequest {
  readonly method: "POST" | "GET" | "DELETE"
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/**
 * Hears of the answer, piece by piece: `head` once, any number of `chunk`, then `end`; or `failed` at
 * any point. Callbacks instead of promises and iterators, because a call then costs no turn of the
 * event loop of its own: that is worth a third of the calls per second.
 */
export interface HttpAnswer {
  /** Header names are in lower case. */
  readonly head: (status: number, headers: Readonly<Record<string, string>>) => void
  /** Read at once: an answer that is slow to be read slows the sender down. */
  readonly chunk: (bytes: Uint8Array) => void
  readonly end: () => void
  /** @param mayHaveArrived false only if it is certain that no byte of the request was sent */
  readonly failed: (cause: unknown, mayHaveArrived: boolean) => void
}

/** All that this transport asks of an HTTP client. It must not follow redirects by itself. */
export interface HttpEngine {
  /** Starts a request. The function returned ends the exchange; nothing is heard of it from then on. */
  readonly start: (request: HttpRequest, answer: HttpAnswer) => () => void
  /** Ends every exchange and lets go of every connection. */
  readonly close: () => Promise<void>
}

export interface HttpEngineOptions {
  /** Milliseconds to connect, TLS included. Engines that can't see the connection ignore it. */
  readonly connectTimeout: number
}

export type OpenHttpEngine = (options: HttpEngineOptions) => HttpEngine
