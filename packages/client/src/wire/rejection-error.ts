import {
  AuthorizationRequired,
  HttpRejected,
  Unreachable,
  explain,
  parseChallenges,
  type TransportError,
} from "@entente/protocol"
import type { HttpRejection } from "@entente/transport"
import { excerpt } from "./foreign-text.js"

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
