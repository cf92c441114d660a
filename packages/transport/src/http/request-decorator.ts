import type { HttpRejection } from "../transport.js"
import type { HttpRequest } from "./engine/http-engine.js"

/** The request as a supplier of headers sees it. */
export type RequestHead = Pick<HttpRequest, "method" | "url">

export type HeaderRecord = Readonly<Record<string, string>>

/** Gives the headers of one request; asked anew for every HTTP request, repetitions included (C128). */
export type HeaderSupplier = (request: RequestHead) => HeaderRecord | Promise<HeaderRecord>

/**
 * The port through which authorization reaches HTTP, so that neither knows the other's insides. It
 * adds headers to each request and is asked what to do when the server refuses them.
 */
export interface RequestDecorator {
  readonly headers: HeaderSupplier
  /**
   * What tells the authorization that it would add now from any other: a fingerprint of the token, never the
   * token. Without it no private result is kept, because the next request may come with another token
   * (V26-CACHE-08, V26-AUTH-36).
   */
  readonly credentials?: () => string | undefined
  /**
   * The server answered 401 or 403. `retry` sends the same message again, with headers asked for
   * anew, at most three times in a row (V26-HTTP-16); `give-up` lets the refusal stand. Not asked
   * where a server without a challenge refuses what it may do without: the GET for a stream, DELETE (C049).
   */
  readonly refused: (
    rejection: HttpRejection,
    request: RequestHead,
  ) => "retry" | "give-up" | Promise<"retry" | "give-up">
}
