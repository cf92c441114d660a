import { LogBook } from "./log-book.js"
import type { LogOptions, LogReading } from "./log-reading.js"
import { recognise } from "./recognise.js"
import { withoutMarks } from "./text/decode-log.js"

/**
 * Reads the log of an MCP client, whoever wrote it: our own traces, HAR files, the logs of Claude Desktop,
 * Claude Code, VS Code, Cursor and Gemini CLI, what the MCP Inspector exports and prints, and lines with
 * JSON-RPC. Which it is shows the content. Every log becomes the same events, redacted.
 *
 * It never throws: what cannot be read is among the problems. It takes time and memory in proportion to the
 * text.
 *
 * @example
 * const { events, problems } = readLog(await readFile("mcp-server-files.log", "utf8"))
 */
export const readLog = (text: string, options: LogOptions = {}): LogReading => {
  const book = new LogBook(options)
  const plain = withoutMarks(text)
  const recognised = recognise(plain)
  recognised?.read(plain, book)
  if (recognised === undefined) {
    const what = "Nothing in this text is known as the log of an MCP client."
    book.problem("not-recognised", what, 0)
  } else if (book.messages === 0) {
    const what = "The log holds no messages of the protocol, only what the client says of them."
    book.problem("no-messages", what, 0)
  }
  return book.reading(recognised?.format ?? "unknown")
}
