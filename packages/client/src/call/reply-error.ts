import {
  RequestAborted,
  RequestLost,
  RequestTimeout,
  bareMessage,
  explain,
  type EntenteError,
} from "@entente/protocol"
import { rejectionError } from "@entente/transport"
import { spokenReason } from "./spoken-reason.js"
import { peerError } from "../wire/peer-error.js"
import type { Reply } from "../wire/reply.js"

/** Turns a reply that is no result into the error its caller gets. */
export const replyError = (
  reply: Exclude<Reply, { readonly _tag: "Result" }>,
  request: { readonly method: string; readonly id: number; readonly target: string },
): EntenteError => {
  const { method, id, target } = request
  switch (reply._tag) {
    case "Failure":
      return peerError(reply.error, reply, { method, target })
    case "Rejected":
      return rejectionError(
        reply.rejection,
        target,
        "request",
        undefined,
        spokenReason(reply.rejection, { method, target }),
      )
    case "Failed":
      return reply.error
    case "Lost": {
      const why = reply.cause === undefined ? reply.instead : bareMessage(reply.cause)
      const what = `The answer to ${method} was lost${why === undefined ? "" : `: ${why}`}`
      return new RequestLost({
        ...explain("lost", "request", target, what.endsWith(".") ? what : `${what}.`),
        method,
        id,
        ...(reply.cause === undefined ? {} : { cause: reply.cause }),
      })
    }
    case "TimedOut": {
      const what =
        reply.ceiling === true
          ? `${method} was not finished after ${reply.afterMs} ms, whatever progress it made.`
          : `${method} got no answer within ${reply.afterMs} ms.`
      return new RequestTimeout({
        ...explain("timeout", "request", target, what),
        method,
        timeoutMs: reply.afterMs,
      })
    }
    case "Aborted":
      return callerCancelled(method, target)
  }
}

/** The caller's own doing. */
export const callerCancelled = (method: string, target: string): RequestAborted =>
  new RequestAborted({
    ...explain("aborted", "request", target, `${method} was cancelled by the caller.`),
    method,
  })
