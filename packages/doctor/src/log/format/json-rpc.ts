import type { LogBook } from "../log-book.js"
import { Messages, takeTime } from "../conversation/messages.js"
import { objectsIn } from "../text/json-span.js"
import { LogLines } from "../text/log-lines.js"

/**
 * Lines with JSON-RPC messages, as proxies, wrappers and servers write them: bare, behind times and levels,
 * with marks for the direction or without, inside JSON of a logger, or printed over several lines. It is no
 * format that anybody defines: what is accepted is what was seen. Other lines are left out.
 */
export const readJsonRpc = (lines: LogLines, book: LogBook): void => {
  const messages = new Messages(book, lines)
  for (let line = lines.next(); line !== undefined; line = lines.next()) {
    book.line = lines.number
    takeTime(book, line)
    messages.take(line)
  }
}

/** A JSON array of messages, or of objects that hold them, as somebody collected them. */
export const readJsonRpcArray = (text: string, book: LogBook): void => {
  const messages = new Messages(book, new LogLines(""))
  for (const value of objectsIn(text, text.indexOf("[") + 1)) {
    messages.take(JSON.stringify(value))
  }
}
