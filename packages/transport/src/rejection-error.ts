import {
  AuthorizationRequired,
  HttpRejected,
  Unreachable,
  explain,
  parseChallenges,
  type Stage,
  type TransportError,
} from "@entente/protocol"
import { excerpt } from "./foreign-text.js"
import type { HttpRejection } from "./transport.js"

/** A 401 or 403 that no header supplier could answer (V26-AUTH-02, V26-AUTH-05). */
const authorizationRequired = (
  rejection: HttpRejection,
  target: string,
  stage: Stage,
): AuthorizationRequired => {
  const { status } = rejection
  const challenges = parseChallenges(rejection.headers["www-authenticate"] ?? "")
  const [code, what] =
    status === 401
      ? (["authorization-required", `${target} wants authorization (HTTP 401).`] as const)
      : (["forbidden", `${target} refuses this request (HTTP 403).`] as const)
  return new AuthorizationRequired({ ...explain(code, stage, target, what), status, challenges })
}

/**
 * What an HTTP status without JSON-RPC means, whoever asked. `hint` is for a status that has no
 * meaning of its own, `cause` for what the server itself said about it.
 */
export const rejectionError = (
  rejection: HttpRejection,
  target: string,
  stage: Stage = "request",
  hint?: string,
  cause?: unknown,
): TransportError => {
  const { status, text } = rejection
  const reason = cause === undefined ? {} : { cause }
  if (status === 401 || status === 403) return authorizationRequired(rejection, target, stage)
  const body = excerpt(text)
  const what = `${target} answered HTTP ${status}: ${body || "no body"}.`
  return status === 429 || status >= 500
    ? new Unreachable({ ...explain("outage", stage, target, what), status, ...reason })
    : new HttpRejected({
        ...explain("http-status", stage, target, what, hint),
        status,
        body,
        ...reason,
      })
}
