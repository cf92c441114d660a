import { explain, Unreachable, type Stage } from "@entente/protocol"
import { redactText, redactUrl } from "@entente/trace"

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
  EPROTO: "the other side does not speak TLS",
  ERR_SSL_WRONG_VERSION_NUMBER: "the other side does not speak TLS",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another host",
}

/** What undici says where its code alone would mislead. */
const messagesInWords: Readonly<Record<string, string>> = {
  "bad response": "it said 100 Continue, which nobody had asked for, or answered unasked",
  "bad upgrade": "it switched to another protocol, which nobody had asked for",
}

/** A failure below HTTP, with what it means. The first cause is kept. */
export const unreachable = (
  target: string,
  url: URL,
  cause: unknown,
  stage: Stage = "request",
): Unreachable => {
  const first = firstCause(cause)
  const what = `No answer from ${redactUrl(url.origin)}: ${reasonOf(first)}.`
  return new Unreachable({ ...explain("unreachable", stage, target, what), cause: first })
}

/** `fetch` wraps the error that says something; several addresses of one host fail as a group. */
export const firstCause = (cause: unknown): unknown => {
  if (cause instanceof AggregateError && cause.errors.length > 0) return firstCause(cause.errors[0])
  if (cause instanceof Error && cause.cause instanceof Error) return firstCause(cause.cause)
  return cause
}

/** A failure below the protocol, in a person's words. */
export const reasonOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return redactText(String(cause))
  const words = wordsFor(messagesInWords, cause.message) ?? wordsFor(inWords, codeOf(cause))
  return words ?? redactText(cause.message)
}

export const codeOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause ? String(cause.code) : ""

const wordsFor = (table: Readonly<Record<string, string>>, key: string): string | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined
