import { explain, ProtocolViolation, Unreachable } from "@entente/protocol"
import { redactText, redactUrl } from "@entente/trace"
import { ConnectDeadline, deadlinePassed } from "./deadline.js"
import { isExchangeFailure, type ExchangeFailure } from "./exchange-failure.js"
import { ProxyFailure, proxyFailed } from "./proxy-failure.js"

/** What the codes of Node and undici mean to a person. */
const inWords: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there (connection refused)",
  ENOTFOUND: "the host name is not known",
  EAI_AGAIN: "the host name could not be looked up just now",
  EHOSTUNREACH: "there is no way to the host",
  ENETUNREACH: "there is no way to the network",
  ETIMEDOUT: "the connection timed out",
  ECONNRESET: "the server closed the connection",
  EPIPE: "the server closed the connection",
  UND_ERR_SOCKET: "the server closed the connection",
  UND_ERR_CONNECT_TIMEOUT: "no connection within the time allowed",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "the answer does not have the length it announced",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate is signed by an unknown authority",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate is signed by an unknown authority",
  CERT_HAS_EXPIRED: "its certificate has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another host",
}

/** What undici says where its code alone would mislead. */
const messagesInWords: Readonly<Record<string, string>> = {
  "bad response": "it said 100 Continue, which nobody had asked for, or answered unasked",
  "bad upgrade": "it switched to another protocol, which nobody had asked for",
}

/** A failure below HTTP, with what it means. The first cause is kept. */
export const failureBelowHttp = (target: string, url: URL, cause: unknown): ExchangeFailure => {
  const place = redactUrl(url.origin)
  if (isExchangeFailure(cause)) return cause
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
  const what = `No answer from ${place}: ${reasonOf(first)}.`
  return new Unreachable({ ...explain("unreachable", "request", target, what), cause: first })
}

/** `fetch` wraps the error that says something; several addresses of one host fail as a group. */
const firstCause = (cause: unknown): unknown => {
  if (cause instanceof AggregateError && cause.errors.length > 0) return firstCause(cause.errors[0])
  if (cause instanceof Error && cause.cause instanceof Error) return firstCause(cause.cause)
  return cause
}

const codeOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause ? String(cause.code) : ""

const reasonOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return redactText(String(cause))
  const words = wordsFor(messagesInWords, cause.message) ?? wordsFor(inWords, codeOf(cause))
  return words ?? redactText(cause.message)
}

const wordsFor = (table: Readonly<Record<string, string>>, key: string): string | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined
