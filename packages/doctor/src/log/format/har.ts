import { isBase64, isJsonObject, type JsonObject } from "@entente/protocol"
import type { Unstamped } from "@entente/trace"
import { isMessage } from "../conversation/is-message.js"
import type { LoggedExchange } from "../http/exchange.js"
import { placeOf } from "../http/exchange.js"
import { takeExchanges } from "../http/conversation-of.js"
import { ServerHeaders } from "../http/server-headers.js"
import type { LogBook } from "../log-book.js"
import { objectsIn, parsed } from "../text/json-span.js"
import { timeOf } from "../text/log-time.js"

/**
 * HAR 1.2, as the developer tools of browsers export it, with what Chromium adds (`_error`,
 * `_webSocketMessages`). A file that breaks off is read as far as it goes.
 */
export const readHar = (text: string, book: LogBook): void => {
  const headers = new ServerHeaders()
  const entries = entriesOf(text, book)
  takeExchanges(
    entries.map((entry) => exchangeOf(entry, headers)).filter((logged) => logged !== undefined),
    book,
  )
  for (const entry of entries) takeWebSocket(entry, book)
}

const member = (value: unknown, name: string): unknown =>
  isJsonObject(value) ? value[name] : undefined

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined

const numberOf = (value: unknown): number => (typeof value === "number" && value > 0 ? value : 0)

const entriesOf = (text: string, book: LogBook): ReadonlyArray<JsonObject> => {
  const entries = member(member(parsed(text), "log"), "entries")
  if (Array.isArray(entries)) return entries.filter(isJsonObject)
  book.problem(
    "log-cut",
    "The HAR file breaks off, or is not JSON: it was read as far as it goes.",
    0,
  )
  const found = /"entries"\s*:\s*\[/.exec(text)
  return found === null
    ? []
    : [...objectsIn(text, found.index + found[0].length)].filter(isJsonObject)
}

const decoded = (text: string, encoding: unknown): string | undefined => {
  if (encoding !== "base64") return text
  if (!isBase64(text)) return undefined
  const binary = atob(text.replaceAll(/\s+/g, ""))
  return new TextDecoder().decode(Uint8Array.from(binary, (unit) => unit.charCodeAt(0)))
}

/** Milliseconds from the start to the head of the answer. */
const untilHead = (timings: unknown): number =>
  ["blocked", "dns", "connect", "send", "wait"].reduce(
    (sum, name) => sum + numberOf(member(timings, name)),
    0,
  )

const exchangeOf = (entry: JsonObject, headers: ServerHeaders): LoggedExchange | undefined => {
  const { request, response, timings } = entry
  const [method, url] = [textOf(member(request, "method")), textOf(member(request, "url"))]
  if (method === undefined || url === undefined) return undefined
  const content = member(response, "content")
  const [posted, body] = [member(request, "postData"), textOf(member(content, "text"))]
  const sent = textOf(member(posted, "text"))
  const status = numberOf(member(response, "status"))
  const mime = textOf(member(content, "mimeType"))
  const responseHeaders = headers.of(member(response, "headers"))
  const isLarge =
    numberOf(member(content, "size")) > 0 || numberOf(member(response, "bodySize")) > 0
  const received = body === undefined ? undefined : decoded(body, member(content, "encoding"))
  return {
    at: timeOf(entry["startedDateTime"]) ?? 0,
    headAfter: untilHead(timings),
    endAfter: numberOf(entry["time"]),
    method: method.toUpperCase(),
    url,
    requestHeaders: headers.of(member(request, "headers")),
    requestBody: sent === undefined ? undefined : decoded(sent, member(posted, "encoding")),
    status,
    responseHeaders:
      mime && received && !("content-type" in responseHeaders)
        ? { ...responseHeaders, "content-type": mime }
        : responseHeaders,
    responseBody: received,
    bodyMissing: status > 0 && (received === undefined || received === "") && isLarge,
    error: textOf(member(response, "_error")) ?? textOf(entry["_error"]),
  }
}

/** Messages on a WebSocket, which have times of their own, in seconds. */
const takeWebSocket = (entry: JsonObject, book: LogBook): void => {
  const [frames, url] = [entry["_webSocketMessages"], textOf(member(entry["request"], "url"))]
  if (!Array.isArray(frames) || url === undefined) return
  for (const frame of frames) {
    const message = parsed(textOf(member(frame, "data")) ?? "")
    if (!isMessage(message)) continue
    book.at(timeOf(member(frame, "time")))
    book.about(placeOf(url))
    const direction = member(frame, "type") === "send" ? "out" : "in"
    const event: Unstamped = { type: "frame", direction, message }
    book.tell(event)
    book.counted(1)
  }
}
