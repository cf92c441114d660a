import { ProtocolViolation, Unreachable, explain, type TransportError } from "@entente/protocol"
import type { Answer } from "@entente/session"
import { rejectionError } from "./reply-error.js"
import type { Reply } from "./request-table.js"

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
    case "Failure":
      return reply.status === undefined
        ? { _tag: "Error", error: reply.error }
        : { _tag: "Error", error: reply.error, status: reply.status }
    case "Rejected": {
      const error = rejectionError(reply.rejection, target)
      return error._tag === "AuthorizationRequired"
        ? { _tag: "Unauthorized", error }
        : { _tag: "Status", status: reply.rejection.status, text: reply.rejection.text }
    }
    case "Failed":
      return failed(reply.error, target)
    case "Lost":
      return reply.cause === undefined
        ? { _tag: "Invalid", error: violation(target, "The answer ended before its message.") }
        : failed(reply.cause, target)
    case "TimedOut":
      return { _tag: "Silence", afterMs: reply.afterMs }
    case "Aborted":
      return { _tag: "Gone", error: closedMeanwhile(target) }
  }
}

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
      return { _tag: "Gone", error }
    default:
      return { _tag: "Invalid", error: violation(target, error.message) }
  }
}

const closedMeanwhile = (target: string): TransportError =>
  new Unreachable(
    explain("unreachable", "negotiate", target, "The connection was closed meanwhile."),
  )
