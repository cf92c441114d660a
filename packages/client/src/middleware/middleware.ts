import type { JsonObject, JsonRpcNotification, JsonRpcRequest } from "@entente/protocol"
import type * as Effect from "effect/Effect"
import type { EntenteError } from "@entente/protocol"
import type { CallOptions } from "../call/call-options.js"
import type { Answering } from "../question/handlers.js"
import type { ServerAnswer } from "../wire/server-request.js"

/** A request on its way to the server, as middleware sees it. Nothing of the protocol is on it yet. */
export interface OutgoingRequest {
  readonly method: string
  readonly params: JsonObject | undefined
  /** What the caller wished for: headers, `meta`, times, `onProgress`. Change it in what goes on. */
  readonly options: CallOptions
}

/** What a layer knows besides the request. */
export interface MiddlewareContext {
  /**
   * Aborts when nobody waits for the answer any more: the caller cancelled, or the connection ended. What
   * the layer has under way with `next` is cancelled on the wire without its doing.
   */
  readonly signal: AbortSignal
  /** The server, as errors name it; without credentials. */
  readonly target: string
}

/**
 * Goes on: to the next layer, in the end to the server. Without an argument with the request as it came.
 * It may be called not at all (then the layer answers itself), or several times (then each is a request
 * of its own). What is still under way when the layer has answered is cancelled.
 */
export interface Next<Request, Answer> {
  (request?: Request): Promise<Answer>
  /** The same as an effect; interrupting it reaches the wire. */
  readonly effect: (request?: Request) => Effect.Effect<Answer, EntenteError>
}

/** A layer around an exchange. It gives an answer, a promise of one, or an effect. */
export type Around<Request, Answer> = (
  request: Request,
  next: Next<Request, Answer>,
  context: MiddlewareContext,
) => Answering<Answer>

/**
 * Stands between the callers of a connection and its server, and sees JSON-RPC messages: the same over
 * every transport and in both eras. Of several the first is the outermost: it sees a request first, and
 * its answer last; what the server says by itself reaches it last.
 *
 * The handshake and the pings that keep a connection alive are no part of any conversation and pass it by.
 *
 * @example
 * const cached: Middleware = {
 *   request: async (request, next) => {
 *     if (request.method !== "resources/read") return next()
 *     const key = JSON.stringify(request.params)
 *     const known = cache.get(key) ?? (await next())
 *     cache.set(key, known)
 *     return known
 *   },
 * }
 */
export interface Middleware {
  /**
   * Around every request of this side: each call, each page of a list, each round of a request that the
   * server asked in the middle of, each look at a task. What the connection itself sends again, because a
   * session or stream was lost or a header was out of date, is still the same request. An error of Entente
   * reaches the caller as it is; anything else that is thrown becomes `MiddlewareFailed`.
   */
  readonly request?: Around<OutgoingRequest, JsonObject>
  /**
   * Sees every notification of the server before its listeners and lists do; what it returns is heard
   * instead, and with `undefined` nothing. It must be quick, because the next message waits for it. What the
   * protocol itself makes of one is done by then: progress has reached `onProgress`, for example.
   */
  readonly notification?: (notification: JsonRpcNotification) => JsonRpcNotification | undefined
  /**
   * Around every request of a legacy server, `ping` included. A modern server has none: what it asks comes
   * in results, through `request`. A layer that fails is answered for with −32603.
   */
  readonly question?: Around<JsonRpcRequest, ServerAnswer>
}
