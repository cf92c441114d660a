import { isMessage } from "../conversation/is-message.js"
import type { LogBook } from "../log-book.js"
import { parsed } from "../text/json-span.js"
import { eventsIn } from "./event-stream-text.js"
import { exchangeEvents, isSend, type Timed } from "./exchange-events.js"
import { isEventStream, placeOf, type LoggedExchange } from "./exchange.js"

/** Headers that only MCP has. */
const ours = ["mcp-session-id", "mcp-protocol-version", "mcp-method"]

/** Where a server says who may authorize: it belongs to every conversation at its origin. */
const discovery = /\/\.well-known\/(?:oauth-|openid-configuration)/

const speaksMcp = (logged: LoggedExchange): boolean =>
  (logged.method === "POST" &&
    logged.requestBody !== undefined &&
    isMessage(parsed(logged.requestBody))) ||
  ours.some((name) => name in logged.requestHeaders || name in logged.responseHeaders) ||
  (logged.method === "GET" &&
    isEventStream(logged.responseHeaders) &&
    isSession(logged.responseBody ?? ""))

/** Whether a stream is one of MCP: it names an endpoint, or carries messages. */
const isSession = (body: string): boolean => {
  for (const { type, data } of eventsIn(body)) {
    return type === "endpoint" || isMessage(parsed(data))
  }
  return false
}

/** The address to which a stream of the old transport sends its client (V25-SSE-02). */
const endpointIn = (logged: LoggedExchange): string | undefined => {
  if (logged.method !== "GET" || !isEventStream(logged.responseHeaders)) return undefined
  for (const { type, data } of eventsIn(logged.responseBody ?? "")) {
    if (type !== "endpoint") continue
    try {
      return placeOf(new URL(data.trim(), logged.url).href)
    } catch {
      return undefined
    }
  }
  return undefined
}

/**
 * Takes down what is MCP in a list of HTTP exchanges, in the order of time, and by the server's address.
 * Everything else in the list is left out, but for the documents by which authorization is found.
 */
export const takeExchanges = (all: ReadonlyArray<LoggedExchange>, book: LogBook): void => {
  const places = new Set<string>()
  /** For HTTP+SSE: where messages go, and the address of the stream it belongs to. */
  const streams = new Map<string, string>()
  for (const logged of all) {
    if (speaksMcp(logged)) places.add(placeOf(logged.url))
    const endpoint = endpointIn(logged)
    if (endpoint !== undefined) streams.set(endpoint, placeOf(logged.url))
  }
  const timed: Array<Timed & { readonly place: string | undefined }> = []
  let [exchange, send] = [0, 0]
  for (const logged of all.toSorted((one, other) => one.at - other.at)) {
    const own = placeOf(logged.url)
    const isDiscovery = discovery.test(own)
    if (!places.has(own) && !isDiscovery) continue
    const stream = streams.get(own)
    const numbers = {
      exchange: ++exchange,
      send: isSend(logged) ? ++send : send,
      acknowledged: stream !== undefined,
    }
    const place = isDiscovery ? undefined : (stream ?? own)
    if (logged.bodyMissing && !isDiscovery) {
      book.problem(
        "incomplete-bodies",
        `The log does not hold the body of an answer (exchange ${exchange}).`,
      )
    }
    for (const one of exchangeEvents(logged, numbers)) timed.push({ ...one, place })
  }
  // Sorting keeps the order of what happened at one time.
  for (const { at, event, place } of timed.toSorted((one, other) => one.at - other.at)) {
    if (at > 0) book.at(at)
    book.about(place)
    book.tell(event)
    if (event.type === "frame") book.counted(1)
  }
}
