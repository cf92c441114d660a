import { isJsonObject, type JsonObject } from "@entente/protocol"
import { failure, unreadable } from "../failure.js"
import { Messages } from "../conversation/messages.js"
import { isMessage } from "../conversation/is-message.js"
import { opposite, type Direction } from "../conversation/sides.js"
import { takeExchanges } from "../http/conversation-of.js"
import type { LoggedExchange } from "../http/exchange.js"
import { ServerHeaders } from "../http/server-headers.js"
import type { LogBook } from "../log-book.js"
import { objectsIn, parsed } from "../text/json-span.js"
import type { LogLines } from "../text/log-lines.js"
import { timeOf } from "../text/log-time.js"

/** Whether an object is an entry of one of the Inspector's exports. */
export const isInspectorEntry = (value: JsonObject): boolean =>
  isMessageEntry(value) || isFetchEntry(value)

const isMessageEntry = (value: JsonObject): boolean =>
  /^(?:request|response|notification)$/.test(String(value["direction"])) &&
  isMessage(value["message"])

const isFetchEntry = (value: JsonObject): boolean =>
  typeof value["method"] === "string" &&
  typeof value["url"] === "string" &&
  isJsonObject(value["requestHeaders"])

/**
 * The files that the Inspector (version 2) exports: `protocol` has every message with its answer, `network`
 * every request of HTTP. The form is that of its source (`core/mcp/types.ts`, August 2026).
 */
export const readInspectorExport = (text: string, book: LogBook): void => {
  const headers = new ServerHeaders()
  const fetches: Array<LoggedExchange> = []
  const told: Array<{ readonly at: number; readonly tell: () => void }> = []
  for (const entry of objectsIn(text, text.indexOf("[") + 1)) {
    if (!isJsonObject(entry)) continue
    if (isMessageEntry(entry)) told.push(...messageEntry(entry, book))
    else if (isFetchEntry(entry)) fetches.push(fetchEntry(entry, headers))
  }
  for (const { at, tell } of told.toSorted((one, other) => one.at - other.at)) {
    if (at > 0) book.at(at)
    tell()
  }
  takeExchanges(fetches, book)
}

function* messageEntry(entry: JsonObject, book: LogBook) {
  const { message, response, origin, duration, clientError } = entry
  const at = timeOf(entry["timestamp"]) ?? 0
  const side = (): Direction =>
    origin === "client" ? "out" : origin === "server" ? "in" : book.sides.of(message)
  const answered = at + (typeof duration === "number" && at > 0 ? duration : 0)
  yield { at, tell: () => void book.message(message, JSON.stringify(message), side()) }
  if (isMessage(response)) {
    yield {
      at: answered,
      tell: () => void book.message(response, JSON.stringify(response), opposite(side())),
    }
  }
  if (typeof clientError === "string") {
    yield { at: answered, tell: () => book.tell(failure(clientError)) }
  }
}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined

const fetchEntry = (entry: JsonObject, headers: ServerHeaders): LoggedExchange => {
  const { duration, responseStatus } = entry
  const took = typeof duration === "number" ? duration : 0
  return {
    at: timeOf(entry["timestamp"]) ?? 0,
    headAfter: took,
    endAfter: took,
    method: String(entry["method"]).toUpperCase(),
    url: String(entry["url"]),
    requestHeaders: headers.of(entry["requestHeaders"]),
    requestBody: textOf(entry["requestBody"]),
    status: typeof responseStatus === "number" ? responseStatus : undefined,
    responseHeaders: headers.of(entry["responseHeaders"]),
    responseBody: textOf(entry["responseBody"]),
    bodyMissing: false,
    error: textOf(entry["error"]),
  }
}

/** What the command line of the Inspector prints: the result of one method, in an envelope in newer versions. */
export const isCliResult = (value: JsonObject): boolean => {
  const result = isJsonObject(value["result"]) && !("jsonrpc" in value) ? value["result"] : value
  return Array.isArray(result["tools"]) && !("jsonrpc" in value)
}

/** A list of tools as the command line printed it. The messages around it are not there. */
export const readCliResult = (text: string, book: LogBook): void => {
  const value = parsed(text)
  const result = isJsonObject(value) && isJsonObject(value["result"]) ? value["result"] : value
  const tools = isJsonObject(result) ? result["tools"] : undefined
  if (!Array.isArray(tools)) return
  const names = tools.map((tool) => (isJsonObject(tool) ? String(tool["name"]) : "?"))
  book.shown(tools.length)
  book.said(`A list of ${tools.length} tools: ${names.slice(0, 50).join(", ")}`)
}

/**
 * What the proxy of the Inspector (version 1) prints to its terminal. It has no messages and no times: only
 * how connections were asked for, and what went wrong.
 */
export const readInspectorProxy = (lines: LogLines, book: LogBook): void => {
  const messages = new Messages(book, lines)
  const sessions = new ServerHeaders()
  for (let line = lines.next(); line !== undefined; line = lines.next()) {
    book.line = lines.number
    const text = line.trim()
    const command = /^(?:STDIO|Stdio) transport: command=(.*?), args=(.*)$/.exec(text)
    if (command !== null) {
      const detail = `${command[1]} ${(command[2] ?? "").replaceAll(",", " ")}`
      book.begin()
      book.tell({ type: "process", event: "spawned", detail })
    } else if (isFailureLine(text))
      book.tell(unreadable(text.replace(/^Error from MCP server:\s*/, "")) ?? failure(text))
    else if (isProxyLine(text))
      book.said(
        text.replace(
          /(sessionId:?\s+)(\S+)/,
          (_, name: string, id: string) => `${name}${sessions.session(id)}`,
        ),
      )
    else messages.take(line)
  }
}

const isFailureLine = (text: string): boolean =>
  /^(?:Error (?:from MCP server|accessing endpoint|in \/)|Received 401|Connection refused\.|Command not found|Invalid transport type)/.test(
    text,
  )

const isProxyLine = (text: string): boolean =>
  /^(?:New (?:STDIO|SSE|StreamableHttp) connection request|New SSE connection|Created (?:StreamableHttp |SSE )?(?:client|server) transport|Received (?:GET|POST|DELETE|message)|Client <-> Proxy|Proxy {1,2}<-> Server|Set up MCP proxy|Spawned stdio transport|SSE transport: )/.test(
    text,
  )
