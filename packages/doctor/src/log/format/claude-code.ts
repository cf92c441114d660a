import { isJsonObject, type JsonObject } from "@entente/protocol"
import { failure, unreadable } from "../failure.js"
import type { LogBook } from "../log-book.js"
import { Messages } from "../conversation/messages.js"
import { objectsIn, parsed } from "../text/json-span.js"
import type { LogLines } from "../text/log-lines.js"
import { timeIn, timeOf } from "../text/log-time.js"

/** `TIME [LEVEL] MCP server "NAME": text`, with a time in files and without one on the terminal. */
const debugLine = /^(?:.{0,60}?)\[(DEBUG|ERROR|WARN|INFO)\] MCP server "(.{1,200}?)":? (.*)$/s

/** The head of a line about something else. */
const anyLine = /^(?:\d{4}-\d\d-\d\dT\S{1,20} )?\[[A-Z]{3,9}\] /

/**
 * What Claude Code tells of its servers: the files under its cache (`mcp-logs-NAME`, one JSON object per
 * line; an array in versions of 2025), what `--debug`, `--debug-file` and the older `--mcp-debug` print, and
 * the first object of `--output-format stream-json`. Known from published logs of 2025 and 2026 and from
 * programs that read them; nothing documents it. There are no messages in it, only what the client made of
 * them, and of stderr.
 */
export const readClaudeCode = (lines: LogLines, book: LogBook): void => {
  const messages = new Messages(book, lines)
  let isStderr = false
  for (let line = lines.next(); line !== undefined; line = lines.next()) {
    book.line = lines.number
    const value = line.startsWith("{") ? parsed(line) : undefined
    if (isJsonObject(value) && isRecord(value)) {
      record(value, book)
      continue
    }
    const [, level, server, text = ""] = debugLine.exec(line) ?? []
    if (server !== undefined) {
      book.at(timeIn(line))
      book.about(server)
      isStderr = told(text, level === "ERROR", book)
    } else if (messages.take(line) || anyLine.test(line)) isStderr = false
    // A text of several lines goes on without a head.
    else if (isStderr) book.stderr(messages.text)
  }
}

/** The array that versions of 2025 wrote, whole or broken off. */
export const readClaudeCodeArray = (text: string, book: LogBook): void => {
  for (const value of objectsIn(text, text.indexOf("[") + 1)) {
    if (isJsonObject(value) && isRecord(value)) record(value, book)
  }
}

/** The members under which a record has its text. */
const kinds = ["debug", "error", "info", "warn", "message"] as const

/** Whether an object is one of those that Claude Code writes about servers. */
export const isRecord = (value: JsonObject): boolean =>
  isInit(value) ||
  (typeof value["timestamp"] === "string" &&
    (typeof value["debug"] === "string" ||
      (typeof value["error"] === "string" &&
        ("sessionId" in value || "cwd" in value || Object.keys(value).length === 2))))

const isInit = (value: JsonObject): boolean =>
  value["type"] === "system" && value["subtype"] === "init" && Array.isArray(value["mcp_servers"])

const record = (value: JsonObject, book: LogBook): void => {
  if (isInit(value)) return init(value, book)
  book.at(timeOf(value["timestamp"]))
  for (const kind of kinds) {
    const text = value[kind]
    if (typeof text === "string") told(text, kind === "error", book)
  }
}

/** What a session begins with names the servers, how they stand, and every tool of theirs. */
const init = (value: JsonObject, book: LogBook): void => {
  const [servers, tools] = [value["mcp_servers"], value["tools"]]
  if (!Array.isArray(servers)) return
  for (const server of servers) {
    if (!isJsonObject(server) || typeof server["name"] !== "string") continue
    const { name, status } = server
    book.about(name)
    if (status === "failed" || status === "needs-auth")
      book.tell(failure(`MCP server ${name}: ${status}`))
    else book.said(`MCP server ${name}: ${String(status)}`)
    if (!Array.isArray(tools)) continue
    const prefix = `mcp__${name.replaceAll(/[^\w-]/g, "_")}__`
    book.shown(tools.filter((tool) => typeof tool === "string" && tool.startsWith(prefix)).length)
  }
}

/** Takes down a text; says whether it was stderr, which may go on in the next line. */
const told = (text: string, isError: boolean, book: LogBook): boolean => {
  const stderr = /^Server stderr: ?(.*)$/s.exec(text)?.[1]
  if (stderr !== undefined) {
    book.stderr(stderr)
    return true
  }
  if (text.startsWith("Starting connection")) book.begin()
  if (/^Successfully connected.*\bstdio\b/.test(text)) {
    book.tell({ type: "process", event: "spawned", detail: text })
  } else if (/^STDIO connection (?:dropped|closed)/.test(text)) {
    book.tell({ type: "process", event: "exited", detail: text })
  } else if (/^Sending SIG\w+/.test(text)) {
    book.tell({ type: "process", event: "signalled", detail: text })
  } else if (isFailure(text, isError)) book.tell(unreadable(text) ?? failure(text))
  else book.said(text)
  return false
}

const isFailure = (text: string, isError: boolean): boolean =>
  isError ||
  /^(?:(?:HTTP |SSE |WebSocket )?Connection (?:failed|error|timed out|to MCP server .{1,200} timed out)|Authentication required|Failed to |Error: )/i.test(
    text,
  )
