import { isJsonObject } from "@entente/protocol"
import { isRecord, readClaudeCode, readClaudeCodeArray } from "./format/claude-code.js"
import { readClaudeDesktop } from "./format/claude-desktop.js"
import { readCursor } from "./format/cursor.js"
import { readGeminiCli } from "./format/gemini-cli.js"
import { readHar } from "./format/har.js"
import {
  isCliResult,
  isInspectorEntry,
  readCliResult,
  readInspectorExport,
  readInspectorProxy,
} from "./format/inspector.js"
import { readJsonRpc, readJsonRpcArray } from "./format/json-rpc.js"
import { eventLine, headerLine, readOwnTrace } from "./format/own-trace.js"
import { readVsCode } from "./format/vscode.js"
import type { LogBook } from "./log-book.js"
import type { LogFormat } from "./log-reading.js"
import { objectsIn, parsed } from "./text/json-span.js"
import { LogLines } from "./text/log-lines.js"

/** A format, and what reads it. */
export interface Recognised {
  readonly format: LogFormat
  readonly read: (text: string, book: LogBook) => void
}

/** How much of a log is looked at to find out whose it is. */
const sampleLines = 4_000
const sampleSize = 1_048_576

const byLines = (read: (lines: LogLines, book: LogBook) => void) => (text: string, book: LogBook) =>
  read(new LogLines(text), book)

/** A line that only one client writes. */
interface Signature extends Recognised {
  readonly line: RegExp
  /** Against the other signatures of the same log. */
  readonly weight: number
}

const isoTime = String.raw`^\d{4}-\d\d-\d\dT[\d:.]+Z`
const level = "(?:trace|debug|info|warn|warning|error)"
const channel = String.raw`(?:\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d\.\d{3} `

/** In the order in which they win where two are as likely. */
const signatures: ReadonlyArray<Signature> = [
  {
    format: "vscode",
    read: byLines(readVsCode),
    weight: 4,
    line: new RegExp(
      String.raw`^\s*(?:${channel})?\[${level}\] (?:\[(?:editor -> server|server -> editor|Client Says|Server Says|server stderr)\]|Connection state: |Starting server |Discovered \d+ tools|Waiting for server to respond to |Server command line: |Failed to parse message: )`,
    ),
  },
  {
    format: "claude-code",
    read: byLines(readClaudeCode),
    weight: 4,
    line: /^.{0,60}?\[(?:DEBUG|ERROR|WARN|INFO)\] MCP server "|^\{"(?:debug|error)":".*"timestamp":"|^\{"type":"system","subtype":"init"/,
  },
  {
    format: "gemini-cli",
    read: byLines(readGeminiCli),
    weight: 4,
    line: /MCP STDERR \(|\[MCP (?:error|warning|info)\] |Error during discovery for (?:MCP )?server '|MCP ERROR \(|Scheduling MCP context refresh|^[🟢🔴🔄🟡] .{1,200} - /u,
  },
  {
    format: "claude-desktop",
    read: byLines(readClaudeDesktop),
    weight: 3,
    line: new RegExp(String.raw`${isoTime} (?:\[.{1,200}?\] \[${level}\] |\[${level}\] )`),
  },
  {
    format: "inspector",
    read: byLines(readInspectorProxy),
    weight: 3,
    line: /^(?:New (?:STDIO|SSE|StreamableHttp) connection|Client <-> Proxy|Proxy {1,2}<-> Server|(?:STDIO|Stdio) transport: command=|Starting MCP inspector|Created (?:StreamableHttp )?(?:client|server) transport)/,
  },
  {
    format: "cursor",
    read: byLines(readCursor),
    weight: 3,
    line: new RegExp(
      String.raw`^\s*(?:${channel})?\[(?:info|error|warning|warn)\] .{0,120}?(?:Handling \w+ action|Found \d+ tools|Starting new stdio process with command|CreateClient completed|Client (?:closed|error) for command|No server info found|Successfully connected to \w+ server|Creating streamableHttp transport)`,
    ),
  },
  { format: "json-rpc", read: byLines(readJsonRpc), weight: 1, line: /\\?"jsonrpc\\?"/ },
]

/** Finds out whose log a text is, by what stands in it; nothing where nothing is known. */
export const recognise = (text: string): Recognised | undefined => {
  const begin = /\S/.exec(text.slice(0, sampleSize))?.index ?? 0
  const head = text.slice(begin, begin + 1_000)
  return document(text, head) ?? byLine(text)
}

/** A text that is one JSON value, or a file of our own. */
const document = (text: string, head: string): Recognised | undefined => {
  if (headerLine.test(head) || eventLine.test(head))
    return { format: "entente-trace", read: readOwnTrace }
  if (/^\{\s*"log"\s*:\s*\{/.test(head)) return { format: "har", read: readHar }
  if (/^\[\s*\{/.test(head)) return array(text)
  if (!/^\{\s*"(?:tools|result|nextCursor|_meta)"/.test(head)) return undefined
  const value = parsed(text)
  return isJsonObject(value) && isCliResult(value)
    ? { format: "inspector", read: readCliResult }
    : undefined
}

const array = (text: string): Recognised | undefined => {
  const [first] = objectsIn(text.slice(0, sampleSize), text.indexOf("[") + 1)
  if (!isJsonObject(first)) return undefined
  if (isInspectorEntry(first)) return { format: "inspector", read: readInspectorExport }
  if (isRecord(first)) return { format: "claude-code", read: readClaudeCodeArray }
  return /"jsonrpc"/.test(text) ? { format: "json-rpc", read: readJsonRpcArray } : undefined
}

const byLine = (text: string): Recognised | undefined => {
  const scores = new Map<Signature, number>()
  const lines = new LogLines(text.slice(0, sampleSize))
  for (
    let line = lines.next();
    line !== undefined && lines.number <= sampleLines;
    line = lines.next()
  ) {
    const found = signatures.find((signature) => signature.line.test(line.slice(0, 2_000)))
    if (found !== undefined) scores.set(found, (scores.get(found) ?? 0) + found.weight)
  }
  let best: Signature | undefined
  for (const signature of signatures) {
    if ((scores.get(signature) ?? 0) > (best === undefined ? 0 : (scores.get(best) ?? 0)))
      best = signature
  }
  return best
}
