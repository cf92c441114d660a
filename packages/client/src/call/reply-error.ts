import {
  AuthorizationRequired,
  HttpRejected,
  PeerError,
  RequestAborted,
  RequestLost,
  RequestTimeout,
  Unreachable,
  explain,
  parseChallenges,
  type EntenteError,
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

/** What an HTTP status without JSON-RPC means, whoever asked. */
export const rejectionError = (rejection: HttpRejection, target: string): TransportError => {
  const { status, text } = rejection
  if (status === 401 || status === 403) return authorizationRequired(rejection, target)
  if (status === 429 || status >= 500) {
    const what = `${target} answered HTTP ${status}: ${excerpt(text) || "no body"}.`
    return new Unreachable({ ...explain("outage", "request", target, what), status })
  }
  const what = `${target} answered HTTP ${status}: ${excerpt(text) || "no body"}.`
  return new HttpRejected({
    ...explain("http-status", "request", target, what),
    status,
    body: excerpt(text),
  })
}

/** Turns a reply that is no result into the error its caller gets. */
export const replyError = (
  reply: Exclude<Reply, { readonly _tag: "Result" }>,
  request: { readonly method: string; readonly id: number; readonly target: string },
): EntenteError => {
  const { method, id, target } = request
  switch (reply._tag) {
    case "Failure": {
      const { code, message, data } = reply.error
      const what = `${method} was answered with error ${code}: ${excerpt(message)}.`
      return new PeerError({
        ...explain("peer-error", "request", target, what),
        method,
        rpcCode: code,
        rpcMessage: message,
        ...(data === undefined ? {} : { data }),
        ...(reply.status === undefined ? {} : { status: reply.status }),
      })
    }
    case "Rejected":
      return rejectionError(reply.rejection, target)
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
