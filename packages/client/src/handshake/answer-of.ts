import {
  ProtocolViolation,
  Unreachable,
  explain,
  type EntenteError,
  type TransportError,
} from "@entente/protocol"
import type { Answer } from "@entente/session"
import { redactText } from "@entente/trace"
import { rejectionError, type HttpRejection } from "@entente/transport"
import type { Reply } from "../wire/reply.js"

const violation = (target: string, what: string) =>
  new ProtocolViolation(explain("invalid-message", "negotiate", target, what))

/**
 * What a reply means to the handshake. Every reply is an answer there, also silence and the end of the
 * process: the chart decides what follows from it.
 */
export const answerOf = (reply: Reply, target: string): Answer => {
  switch (reply._tag) {
    case "Result": {
      const sessionId = reply.origin.headers?.["mcp-session-id"]
      return sessionId === undefined
        ? { _tag: "Result", result: reply.result }
        : { _tag: "Result", result: reply.result, sessionId }
    }
    case "Failure": {
      const error = { ...reply.error, message: redactText(reply.error.message) }
      return reply.status === undefined
        ? { _tag: "Error", error }
        : { _tag: "Error", error, status: reply.status }
    }
    case "Rejected":
      return refused(reply.rejection, target)
    case "Failed":
      return failed(reply.error, target)
    case "Lost":
      return reply.cause === undefined
        ? { _tag: "Invalid", error: violation(target, "The answer ended before its message.") }
        : lost(reply.cause, target)
    case "TimedOut":
      return { _tag: "Silence", afterMs: reply.afterMs }
    case "Aborted":
      return { _tag: "Gone", error: closedMeanwhile(target) }
  }
}

/** An HTTP status without JSON-RPC, to a request or to a notification. */
export const refused = (rejection: HttpRejection, target: string): Answer => {
  const error = rejectionError(rejection, target)
  if (error._tag === "AuthorizationRequired") return { _tag: "Unauthorized", error }
  const { status, text, headers } = rejection
  const retryAfterMs = retryAfter(headers["retry-after"])
  const answer = { _tag: "Status", status, text: redactText(text) } as const
  return retryAfterMs === undefined ? answer : { ...answer, retryAfterMs }
}

/** Milliseconds that `Retry-After` asks for; its other form, a date, is rare and left alone. */
const retryAfter = (header: string | undefined): number | undefined =>
  header !== undefined && /^\d{1,6}$/.test(header.trim()) ? Number(header) * 1_000 : undefined

/** The channel itself is gone, so whatever ended it is not about this one answer. */
const lost = (cause: EntenteError, target: string): Answer =>
  cause._tag === "ProtocolViolation" ? { _tag: "Gone", error: cause } : failed(cause, target)

const failed = (error: Extract<Reply, { _tag: "Failed" }>["error"], target: string): Answer => {
  switch (error._tag) {
    case "AuthorizationRequired":
      return { _tag: "Unauthorized", error }
    case "ProtocolViolation":
      return { _tag: "Invalid", error }
    case "Unreachable":
    case "SpawnFailed":
    case "ProcessExited":
    case "HttpRejected":
    case "ReplayDiverged":
    case "InvalidInput":
    case "NotTolerated":
      return { _tag: "Gone", error }
    default:
      return { _tag: "Invalid", error: violation(target, error.message) }
  }
}

const closedMeanwhile = (target: string): TransportError =>
  new Unreachable(
    explain("unreachable", "negotiate", target, "The connection was closed meanwhile."),
  )
