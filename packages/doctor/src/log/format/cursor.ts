import { failure, unreadable } from "../failure.js"
import type { LogBook } from "../log-book.js"
import { Messages } from "../conversation/messages.js"
import type { LogLines } from "../text/log-lines.js"
import { timeIn } from "../text/log-time.js"

/** As pasted, the time is often missing. */
const line =
  /^\s*(?:(\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d\.\d{3} )?\[(info|error|warning|warn|debug)\] ?(.*)$/s

/** Versions before autumn 2025 wrote the name of the server in front, or its last four characters. */
const named = /^\s?([\w.@/-]{1,100}|[^:]{1,4}): (.*)$/s

/** Words before a colon that are no server's name. */
const functions =
  /^(?:listOfferings|listPrompts|listResources|listResourceTemplates|Error|Warning|MCP error|https?)$/

/**
 * Cursor's output channel "MCP Logs", or one per server (`MCP: NAME`) since autumn 2025. Known from many
 * published logs of 2025 and 2026; the program is not public. It holds no messages: what Cursor does, how many
 * tools it found, its errors, and the server's stderr at the level error.
 */
export const readCursor = (lines: LogLines, book: LogBook): void => {
  const messages = new Messages(book, lines)
  for (let next = lines.next(); next !== undefined; next = lines.next()) {
    book.line = lines.number
    const [all, , level = "", text = ""] = line.exec(next) ?? []
    if (all === undefined) {
      // More of an error, or of stderr.
      if (!messages.take(next) && /^\S/.test(next)) book.stderr(messages.text)
      continue
    }
    book.at(timeIn(next))
    const [, prefix = "", rest = ""] = named.exec(text) ?? []
    const isNamed =
      rest !== "" &&
      !functions.test(prefix) &&
      (prefix.startsWith("user-") || known.test(rest) || prefix.length === 4)
    if (isNamed) book.about(prefix.trim())
    if (messages.take(next)) continue
    const isFunction = functions.test(prefix) && known.test(rest)
    told(isNamed || isFunction ? rest : text, level, book)
  }
}

/** What Cursor itself says; anything else at the level error is the server's stderr. */
const known =
  /^(?:A system error occurred|Handling \w+ action|Starting new stdio process|Creating \w+ (?:transport|client)|Connecting to |Connected to |Successfully (?:connected|reloaded|called)|Storing \w+ client|CreateClient completed|Listing offerings|Found \d+ |No server info found|Server not yet created|Client (?:closed|error)|Error (?:in MCP|connecting|listing|POSTing)|Failed to |getOrCreateClient|Reusing existing|Calling tool|No stored tokens|Invalid tools response|Waiting for|Saving|Loading|Server |OAuth|SSE (?:error|stream)|Streamable HTTP error|Using |Retrying|Reloading|Deleting|Cleaning)/

const told = (text: string, level: string, book: LogBook): void => {
  const tools = /^Found (\d{1,9}) tools?/.exec(text)?.[1]
  if (tools !== undefined) book.shown(Number(tools))
  const command = /^Starting new stdio process with command: (.*)$/s.exec(text)?.[1]
  if (command !== undefined) {
    book.begin()
    return book.tell({ type: "process", event: "spawned", detail: command })
  }
  if (text.startsWith("Client closed"))
    return book.tell({ type: "process", event: "exited", detail: text })
  if (level !== "error") return book.said(text)
  if (!known.test(text)) return book.stderr(text)
  const broken = unreadable(text.replace(/^Client error for command /, ""))
  book.tell(broken ?? failure(text))
}
