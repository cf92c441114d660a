import { parseChallenges, type Challenge } from "@entente/protocol"
import type { Conversation } from "./conversation.js"
import type { Call, Headers, HttpExchange, Mark } from "./frame.js"

/** An HTTP answer that is no 2xx and no redirect. */
export interface Refusal extends Mark {
  readonly status: number
  /** GET, POST or DELETE; empty where that was not seen. */
  readonly httpMethod: string
  /** Empty where that was not seen. */
  readonly url: string
  /** Headers of the answer. */
  readonly headers: Headers
  /** Headers of the request; undefined where they were not seen. */
  readonly sent: Headers | undefined
  /** The body, or what the error in it says. */
  readonly text: string
  readonly call: Call | undefined
}

const textOf = ({ reply }: Call): string =>
  reply?.kind === "status"
    ? reply.text
    : reply?.kind === "error"
      ? reply.error.message
      : reply?.kind === "unreadable"
        ? reply.text
        : ""

const inExchange = (exchange: HttpExchange, call: Call | undefined): ReadonlyArray<Refusal> => {
  const { answered, sent, method, url } = exchange
  if (answered === undefined || answered.status < 400) return []
  const { index, at, status, headers } = answered
  const text = call === undefined ? "" : textOf(call)
  return [{ index, at, status, httpMethod: method, url, headers, sent: sent?.headers, text, call }]
}

/** What a client's log tells only with the request: there is no exchange of its own. */
const inCall = (call: Call): ReadonlyArray<Refusal> => {
  const { reply, http } = call
  if (http?.answered !== undefined || (reply?.kind !== "status" && reply?.kind !== "error"))
    return []
  const { index, at, status } = reply
  if (status === undefined || status < 400) return []
  const headers = reply.kind === "status" ? reply.headers : {}
  const sent = http?.sent?.headers
  return [
    { index, at, status, httpMethod: "POST", url: "", headers, sent, text: textOf(call), call },
  ]
}

/** Every refusal over HTTP, in order. */
export const refusalsOf = ({ exchanges, calls }: Conversation): ReadonlyArray<Refusal> => {
  const carried = new Map(calls.map((call) => [call.http, call]))
  return [
    ...exchanges.flatMap((exchange) => inExchange(exchange, carried.get(exchange))),
    ...calls.flatMap(inCall),
  ].toSorted((one, other) => one.index - other.index)
}

/** The challenges of a refusal, first those for bearer tokens (RFC 6750). */
export const challengesOf = ({ headers }: Refusal): ReadonlyArray<Challenge> => {
  const all = parseChallenges(headers["www-authenticate"] ?? "")
  return all.toSorted(
    (one, other) => Number(other.scheme === "bearer") - Number(one.scheme === "bearer"),
  )
}
