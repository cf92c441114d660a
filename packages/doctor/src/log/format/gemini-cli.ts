import { failure, unreadable } from "../failure.js"
import type { LogBook } from "../log-book.js"
import { Messages } from "../conversation/messages.js"
import type { LogLines } from "../text/log-lines.js"
import { timeIn } from "../text/log-time.js"

/** What the debug console draws around a line, and the signs and levels before a text. */
const frame = /^[\s│|]*(?:[✕✖ℹ⚠✓●]\s*)?/u

const unframed = (line: string): string => {
  const trimmed = line.trimEnd()
  const inner = trimmed.endsWith("│") ? trimmed.slice(0, -1).trimEnd() : trimmed
  return inner.replace(frame, "")
}

const level = /^(?:\[\d{4}-[\dT:.-]{6,30}Z\] )?(?:\[(LOG|WARN|ERROR|DEBUG|INFO)\] )?/

const nameOf = (text: string): string | undefined =>
  /\bserver:? '([^']{1,200})'/i.exec(text)?.[1] ??
  /^MCP ERROR \(([^)]{1,200})\)/.exec(text)?.[1] ??
  /^(?:Refresh|Retry refresh) for '([^']{1,200})'/.exec(text)?.[1]

/**
 * What Gemini CLI tells of its servers, by its source (`packages/core/src/tools/mcp-client*.ts`): the file named
 * by `GEMINI_DEBUG_LOG_FILE`, the debug console as it is copied, and the list that `/mcp` prints. It holds no
 * messages; with `--debug` the servers' stderr.
 */
export const readGeminiCli = (lines: LogLines, book: LogBook): void => {
  const messages = new Messages(book, lines)
  let isStderr = false
  for (let line = lines.next(); line !== undefined; line = lines.next()) {
    book.line = lines.number
    const plain = unframed(line)
    const [head = "", severity] = level.exec(plain) ?? []
    if (head !== "") book.at(timeIn(head))
    const text = plain.slice(head.length)
    if (text === "") continue
    const [, server, stderr = ""] =
      /^(?:\[DEBUG\] )?\[MCP STDERR \(([^)]{1,200})\)\]:\s*(.*)$/s.exec(text) ?? []
    if (server !== undefined) {
      book.about(server)
      book.stderr(stderr)
      isStderr = true
    } else if (messages.take(text)) isStderr = false
    else if (isAboutServers(text)) {
      isStderr = false
      told(text, severity, book)
    } else if (head !== "") isStderr = false
    // Without a head it goes on with the line before.
    else if (isStderr) book.stderr(messages.text)
  }
}

const isAboutServers = (text: string): boolean =>
  nameOf(text) !== undefined ||
  /^(?:\[MCP (?:error|warning|info)\]|MCP ERROR|Error (?:connecting to|discovering|invoking)|(?:Tools|Prompts|Resources) updated for server|🔐|[🟢🔴🔄🟡] )/u.test(
    text,
  )

const told = (text: string, severity: string | undefined, book: LogBook): void => {
  const listed = /^[🟢🔴🔄🟡] (.{1,200}?) - .{1,120}?\((\d{1,9}) tools?/u.exec(text)
  book.about(listed?.[1] ?? nameOf(text))
  const tools = listed?.[2] ?? / discovered (\d{1,9}) tools?/.exec(text)?.[1]
  if (tools !== undefined) book.shown(Number(tools))
  const words = text.replace(/^\[MCP (?:error|warning|info)\] /, "")
  const isError =
    severity === "ERROR" ||
    /^(?:\[MCP error\]|MCP ERROR|Error |Could not |Failed to )|connection failed/i.test(text)
  if (!isError) return book.said(words)
  const why = words.replace(
    /^(?:MCP ERROR \([^)]{1,200}\):?|Error during discovery for (?:MCP )?server '[^']{1,200}':)\s*/,
    "",
  )
  book.tell(unreadable(why) ?? failure(words))
}
