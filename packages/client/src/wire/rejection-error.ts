import {
  AuthorizationRequired,
  HttpRejected,
  Unreachable,
  classify,
  explain,
  parseChallenges,
  type PeerError,
  type TransportError,
} from "@entente/protocol"
import type { HttpRejection } from "@entente/transport"
import { excerpt } from "./foreign-text.js"
import { peerError } from "./peer-error.js"

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
  if (status === 401 || status === 403) return authorizationRequired(rejection, target)
  const reason = spokenReason(rejection, { method, target })
  const what = `${target} answered HTTP ${status}: ${excerpt(text) || "no body"}.`
  if (status === 429 || status >= 500) {
    return new Unreachable({ ...explain("outage", "request", target, what), status, ...reason })
  }
  return new HttpRejected({
    ...explain("http-status", "request", target, what),
    status,
    body: excerpt(text),
    ...reason,
  })
}
