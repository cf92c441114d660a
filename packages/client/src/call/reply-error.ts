import {
  AuthorizationRequired,
  HttpRejected,
  PeerError,
  RequestAborted,
  RequestLost,
  RequestTimeout,
  Unreachable,
  classify,
  explain,
  parseChallenges,
  type EntenteError,
  type JsonRpcErrorObject,
  type TransportError,
} from "@entente/protocol"
import type { HttpRejection } from "@entente/transport"
import { excerpt } from "./foreign-text.js"
import type { Reply } from "../wire/request-table.js"

/** A 401 or 403 that no header supplier could answer (V26-AUTH-02, V26-AUTH-05). */
const authorizationRequired = (rejection: HttpRejection, target: string): AuthorizationRequired => {
  const { status } = rejection
  const challenges = parseChallenges(rejection.headers["www-authenticate"] ?? "")
  const [code, what] =
    status === 401
      ? (["authorization-required", `${target} wants authorization (HTTP 401).`] as const)
      : (["forbidden", `${target} refuses this request (HTTP 403).`] as const)
  return new AuthorizationRequired({
    ...explain(code, "request", target, what),
    status,
    challenges,
  })
}

const peerError = (
  { code, message, data }: JsonRpcErrorObject,
  status: number | undefined,
  { method, target }: { readonly method: string; readonly target: string },
): PeerError => {
  const what = `${method} was answered with error ${code}: ${excerpt(message)}.`
  return new PeerError({
    ...explain("peer-error", "request", target, what),
    method,
    rpcCode: code,
    rpcMessage: message,
    ...(data === undefined ? {} : { data }),
    ...(status === undefined ? {} : { status }),
  })
}

/**
 * The server's own words in a refusal whose id fits no request, such as "server-error": no answer to
 * the request, but the reason why it got none (C121).
 */
const spokenReason = (
  { json, status }: HttpRejection,
  request: { readonly method: string; readonly target: string },
): { readonly cause?: PeerError } => {
  const body = classify(json)
  return body.kind === "failure" ? { cause: peerError(body.message.error, status, request) } : {}
}

/** What an HTTP status without an answer in JSON-RPC means, whoever asked. */
export const rejectionError = (
  rejection: HttpRejection,
  target: string,
  method = "The request",
): TransportError => {
  const { status, text } = rejection
  const reason = spokenReason(rejection, { method, target })
  if (status === 401 || status === 403) return authorizationRequired(rejection, target)
  if (status === 429 || status >= 500) {
    const what = `${target} answered HTTP ${status}: ${excerpt(text) || "no body"}.`
    return new Unreachable({ ...explain("outage", "request", target, what), status, ...reason })
  }
  const what = `${target} answered HTTP ${status}: ${excerpt(text) || "no body"}.`
  return new HttpRejected({
    ...explain("http-status", "request", target, what),
    status,
    body: excerpt(text),
    ...reason,
  })
}

/** Turns a reply that is no result into the error its caller gets. */
export const replyError = (
  reply: Exclude<Reply, { readonly _tag: "Result" }>,
  request: { readonly method: string; readonly id: number; readonly target: string },
): EntenteError => {
  const { method, id, target } = request
  switch (reply._tag) {
    case "Failure":
      return peerError(reply.error, reply.status, { method, target })
    case "Rejected":
      return rejectionError(reply.rejection, target, method)
    case "Failed":
      return reply.error
    case "Lost":
      return new RequestLost({
        ...explain("lost", "request", target, `The answer to ${method} was lost.`),
        method,
        id,
        ...(reply.cause === undefined ? {} : { cause: reply.cause }),
      })
    case "TimedOut": {
      const what = `${method} got no answer within ${reply.afterMs} ms.`
      return new RequestTimeout({
        ...explain("timeout", "request", target, what),
        method,
        timeoutMs: reply.afterMs,
      })
    }
    case "Aborted":
      return new RequestAborted({
        ...explain("aborted", "request", target, `${method} was cancelled by the caller.`),
        method,
      })
  }
}
