import { explain, ProtocolViolation } from "@entente/protocol"
import { redactUrl } from "@entente/trace"
import { ConnectDeadline, deadlinePassed } from "./deadline.js"
import { isExchangeFailure, type ExchangeFailure } from "./exchange-failure.js"
import { ProxyFailure, proxyFailed } from "./proxy-failure.js"
import { codeOf, firstCause, reasonOf, unreachable } from "./unreachable.js"

/** What an engine failed with, as its caller gets it: who is to blame, and what would help. */
export const failureBelowHttp = (target: string, url: URL, cause: unknown): ExchangeFailure => {
  if (isExchangeFailure(cause)) return cause
  const place = redactUrl(url.origin)
  if (cause instanceof ConnectDeadline) {
    const way = cause.proxy === undefined ? place : `${place} through the proxy ${cause.proxy}`
    return deadlinePassed(target, way, { name: "connect", ms: cause.ms })
  }
  const first = firstCause(cause)
  if (cause instanceof ProxyFailure) {
    return proxyFailed(target, place, cause, reasonOf(first), first)
  }
  if (codeOf(first) === "UND_ERR_HEADERS_OVERFLOW") {
    const what = `The headers of the answer from ${place} are too large to be read.`
    const hint = "No option raises this limit; whoever runs the server has to send less."
    const fields = explain("message-too-large", "request", target, what, hint)
    return new ProtocolViolation({ ...fields, cause: first })
  }
  return unreachable(target, url, cause)
}
