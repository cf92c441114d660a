import { explain, isJsonObject } from "@entente/protocol"
import type { Unstamped } from "@entente/trace"
import { excerpt } from "@entente/transport"
import { isMessage } from "../conversation/is-message.js"
import { parsed } from "../text/json-span.js"
import { eventsIn } from "./event-stream-text.js"
import { errorRecord, isEventStream, placeOf, type LoggedExchange } from "./exchange.js"

/** An event and its time. */
export interface Timed {
  readonly at: number
  readonly event: Unstamped
}

/** What an exchange is called in a trace. */
export interface Numbers {
  readonly exchange: number
  /** The number of its message, or of its stream, among everything sent. */
  readonly send: number
  /** Answers come on another stream, and this one only acknowledges (HTTP+SSE). */
  readonly acknowledged: boolean
}

/** As much of a refusal as a transport keeps. */
const mostText = 64 * 1024

/**
 * The events that a recording would hold of one exchange. A log does not say when the events of a stream
 * came: all have the time at which the answer ended.
 */
export const exchangeEvents = (logged: LoggedExchange, numbers: Numbers): ReadonlyArray<Timed> => {
  const { at, headAfter, endAfter, method, url, status } = logged
  const { exchange } = numbers
  const events: Array<Timed> = []
  const head = { type: "http", exchange, method, url } as const
  const answered = status !== undefined && status > 0
  events.push({ at, event: { ...head, headers: logged.requestHeaders } })
  for (const event of asked(logged, numbers)) events.push({ at, event })
  if (answered) {
    events.push({ at: at + headAfter, event: { ...head, status, headers: logged.responseHeaders } })
  }
  const rest = answered ? answer(logged, status, numbers) : unanswered(logged, numbers)
  for (const event of rest) events.push({ at: at + Math.max(headAfter, endAfter), event })
  return events
}

/** A redirect is followed by a request of its own, which carries the message. */
const isRedirect = (status: number | undefined): boolean =>
  status !== undefined && status >= 300 && status < 400 && status !== 304

const carries = ({ method, requestBody, status }: LoggedExchange): boolean =>
  method === "POST" &&
  !isRedirect(status) &&
  requestBody !== undefined &&
  isMessage(parsed(requestBody))

/** Whether an exchange takes a number among what was sent: a message, or a stream that was asked for. */
export const isSend = (logged: LoggedExchange): boolean => carries(logged) || isListening(logged)

/** A GET whose answer is to be a stream. */
const isListening = ({
  method,
  status,
  requestHeaders,
  responseHeaders,
}: LoggedExchange): boolean =>
  method === "GET" &&
  !isRedirect(status) &&
  (/text\/event-stream/i.test(requestHeaders["accept"] ?? "") || isEventStream(responseHeaders))

function* asked(logged: LoggedExchange, { exchange, send }: Numbers): Generator<Unstamped> {
  if (carries(logged)) {
    const message = parsed(logged.requestBody ?? "")
    yield { type: "frame", direction: "out", message, exchange, channel: 1, send }
  } else if (isListening(logged))
    yield { type: "stream", channel: 1, send, exchange, event: "asked" }
}

function* unanswered(logged: LoggedExchange, { exchange, send }: Numbers): Generator<Unstamped> {
  const why = logged.error ?? "no reason is given"
  const what = `There was no answer: ${excerpt(why)}.`
  const error = errorRecord(
    "Unreachable",
    explain("unreachable", "request", placeOf(logged.url), what),
  )
  const failed = { _tag: "Failed", error, mayHaveArrived: true }
  if (carries(logged)) yield { type: "outcome", channel: 1, send, outcome: failed }
  else if (isListening(logged)) {
    yield { type: "stream", channel: 1, send, exchange, event: "ended", end: failed }
  }
  yield { type: "error", code: "unreachable", stage: "request", message: what }
}

function* answer(logged: LoggedExchange, status: number, numbers: Numbers): Generator<Unstamped> {
  const { exchange, send } = numbers
  const refused = status < 200 || status >= 300
  if (refused) {
    const { responseBody = "", responseHeaders: headers } = logged
    const json = parsed(responseBody)
    if (isMessage(json)) yield { type: "frame", direction: "in", message: json, exchange }
    const rejection = { status, headers, text: responseBody.slice(0, mostText), json }
    const outcome = { _tag: "Rejected", rejection }
    if (carries(logged)) yield { type: "outcome", channel: 1, send, outcome }
    else if (isListening(logged))
      yield { type: "stream", channel: 1, send, exchange, event: "ended", end: outcome }
  } else if (carries(logged)) {
    // What acknowledges a message says nothing (V25-SSE-02).
    const awaited = awaits(logged) && !numbers.acknowledged
    const body = [...received(logged, exchange, awaited)]
    yield* body
    const messages = body.filter(({ type }) => type === "frame").length
    const streamed = isEventStream(logged.responseHeaders)
    const outcome = numbers.acknowledged
      ? { _tag: "Written" }
      : { _tag: "Ended", status, messages, streamed }
    yield { type: "outcome", channel: 1, send, outcome }
  } else if (isListening(logged)) yield* listened(logged, numbers)
  if (logged.method === "DELETE") {
    yield { type: "ask", channel: 1, what: "endSession", outcome: { value: status } }
  }
}

/** Whether the message is a request, so that its answer means something. */
const awaits = ({ requestBody }: LoggedExchange): boolean => {
  const message = parsed(requestBody ?? "")
  return isJsonObject(message) ? "id" in message && "method" in message : Array.isArray(message)
}

function* listened(logged: LoggedExchange, { exchange, send }: Numbers): Generator<Unstamped> {
  const stream = { type: "stream", channel: 1, send, exchange } as const
  if (!isEventStream(logged.responseHeaders)) {
    const what = "The answer to GET is no event stream."
    const error = errorRecord(
      "ProtocolViolation",
      explain("unexpected-content", "request", placeOf(logged.url), what),
    )
    yield { ...stream, event: "ended", end: { _tag: "NoStream", error } }
    return
  }
  yield { ...stream, event: "opened" }
  yield* received(logged, exchange, true)
  const position = { lastEventId: lastId(logged.responseBody ?? ""), headers: {} }
  yield { ...stream, event: "ended", end: { _tag: "Dropped", position } }
}

const lastId = (body: string): string | undefined => {
  let last: string | undefined
  for (const { id } of eventsIn(body)) last = id ?? last
  return last
}

/** What an answer answers, in the words of a cut message. */
const answered = ({ requestBody }: LoggedExchange): string => {
  const message = parsed(requestBody ?? "")
  if (!isJsonObject(message)) return "an answer"
  return `the answer to ${String(message["method"])}, id ${String(message["id"])}`
}

/** The messages in the body of an answer. The first carries the headers. */
function* received(
  logged: LoggedExchange,
  exchange: number,
  awaited: boolean,
): Generator<Unstamped> {
  const { responseBody, responseHeaders: headers, status } = logged
  if (responseBody === undefined || responseBody.trim() === "") {
    if (logged.bodyMissing && awaited && status !== 202) {
      yield {
        type: "note",
        code: "log-cut",
        detail: `in: ${answered(logged)}; the log has no body`,
      }
    }
    return
  }
  if (!awaited) return
  const isStream = isEventStream(headers) || /^(?:event|data|id|retry|:)/.test(responseBody)
  let first = true
  for (const data of isStream ? messagesOf(responseBody) : [responseBody]) {
    const message = parsed(data)
    if (typeof message !== "object" || message === null) yield unread(logged, data, exchange)
    else
      yield {
        type: "frame",
        direction: "in",
        message,
        exchange,
        channel: 1,
        ...(first && { headers }),
      }
    first = false
  }
}

function* messagesOf(body: string): Generator<string> {
  for (const { type, data } of eventsIn(body)) {
    if (type === "message" && data.trim() !== "") yield data
  }
}

const unread = (
  { url, responseHeaders }: LoggedExchange,
  data: string,
  exchange: number,
): Unstamped => {
  const isJson = /json|event-stream/i.test(responseHeaders["content-type"] ?? "")
  const code = isJson ? "invalid-message" : "unexpected-content"
  const what = `The answer is ${isJson ? "announced as JSON, but is not" : "not JSON and no event stream"}: ${JSON.stringify(excerpt(data))}.`
  const error = errorRecord("ProtocolViolation", explain(code, "request", placeOf(url), what))
  return { type: "unreadable", channel: 1, exchange, error }
}
