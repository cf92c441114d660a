import { failure, unreadable } from "../failure.js"
import type { LogBook } from "../log-book.js"
import { Messages } from "../conversation/messages.js"
import type { Direction } from "../conversation/sides.js"
import type { LogLines } from "../text/log-lines.js"
import { timeIn } from "../text/log-time.js"

const level = "info|warn|warning|error|debug"

/** `TIME [server] [level] text` in a server's own log, `TIME [level] [server] text` in `mcp.log`. */
const ownLine = new RegExp(
  String.raw`^(\d{4}-\d\d-\d\dT[\d:.]+Z) \[(.{1,200}?)\] \[(${level})\] (.*)$`,
  "s",
)
const commonLine = new RegExp(
  String.raw`^(\d{4}-\d\d-\d\dT[\d:.]+Z) \[(${level})\] (?:\[(.{1,200}?)\] )?(.*)$`,
  "s",
)

/** What the logger prints behind a text: its metadata, as Node shows objects. */
const withoutMetadata = (text: string): string => {
  const at = text.lastIndexOf("{ metadata:")
  return (at < 0 ? text : text.slice(0, at)).trim()
}

const isTimed = (line: string | undefined): boolean =>
  line === undefined || /^\d{4}-\d\d-\d\dT[\d:.]+Z \[/.test(line)

interface Said {
  readonly level: string
  readonly text: string
}

/**
 * The logs of Claude Desktop: `mcp-server-NAME.log` and `mcp.log`, of which both orders of name and level are
 * known from many that people have published (2024 to August 2026); the program itself is not public. They
 * hold every message, long ones cut in the middle (`...[N chars truncated]...`), and the server's stderr as
 * lines without a time.
 */
export const readClaudeDesktop = (lines: LogLines, book: LogBook): void => {
  const messages = new Messages(book, lines)
  const running = new Set<string>()
  let server = ""
  for (let line = lines.next(); line !== undefined; line = lines.next()) {
    book.line = lines.number
    const said = understand(line, (name) => {
      server = name ?? server
      book.about(name)
    })
    if (said === undefined) other(line, book)
    else {
      book.at(timeIn(line))
      event(said, { lines, messages, book, running, server })
    }
  }
}

const understand = (
  line: string,
  about: (server: string | undefined) => void,
): Said | undefined => {
  const own = ownLine.exec(line)
  // Where both brackets could be the level, the second is: `[error] [info]` is a server called error.
  const common = own === null ? commonLine.exec(line) : null
  if (own === null && common === null) return undefined
  about(own?.[2] ?? common?.[3])
  return { level: own?.[3] ?? common?.[2] ?? "", text: own?.[4] ?? common?.[4] ?? "" }
}

/**
 * A line without a time is what the server wrote to stderr, unless it belongs to an object before it. Bridges
 * such as `mcp-remote` print messages there too: they are in the log already.
 */
const other = (line: string, book: LogBook): void => {
  if (!/^\}(?: %o)?$/.test(line)) book.stderr(line)
}

interface Scene {
  readonly lines: LogLines
  readonly messages: Messages
  readonly book: LogBook
  /** Servers whose process is there, by name. */
  readonly running: Set<string>
  readonly server: string
}

const event = (said: Said, scene: Scene): void => {
  const { book, messages } = scene
  const [, from, content = ""] = /^Message from (client|server):\s*(.*)$/s.exec(said.text) ?? []
  if (from !== undefined) return message(content, from === "client" ? "out" : "in", scene)
  const text = withoutMetadata(said.text)
  messages.skipObject(said.text)
  if (text.startsWith("Initializing server")) return begin(scene)
  const command = /^Using MCP server command: (.*?)(?: with args.*)?$/s.exec(text)?.[1]
  if (command !== undefined) return start(scene, command)
  if (/^(?:Server started and connected successfully|Connected to MCP server)/.test(text))
    return start(scene, text)
  if (/^Server transport closed|^Server disconnected|^Shutting down server/.test(text))
    return stop(scene, text)
  if (text.startsWith("Client transport closed")) return
  const broken = unreadable(text)
  if (broken !== undefined) return book.tell(broken)
  if (said.level === "error") return book.tell(failure(text))
  if (!messages.take(text)) book.said(text)
}

/** The message may stand on the next line, where the log was wrapped. */
const message = (content: string, direction: Direction, { lines, messages, book }: Scene): void => {
  const next = content === "" && !isTimed(lines.peek()) ? (lines.next() ?? "") : content
  if (messages.take(next, direction)) return
  book.tell({ type: "note", code: "log-cut", detail: `${direction}: ${next.slice(0, 200)}` })
  book.problem("log-cut", `The log says there was a message (${direction}), and does not hold it.`)
}

const begin = ({ book, running, server }: Scene): void => {
  running.delete(server)
  book.begin()
}

const start = ({ book, running, server }: Scene, detail: string): void => {
  if (running.has(server)) return
  running.add(server)
  book.tell({ type: "process", event: "spawned", detail })
}

/** That a transport was closed is said several times for one end. */
const stop = ({ book, running, server }: Scene, text: string): void => {
  if (text.startsWith("Shutting down")) return book.said(text)
  if (running.delete(server)) book.tell({ type: "process", event: "exited", detail: text })
  else if (/unexpectedly|^Server disconnected/.test(text)) book.tell(failure(text))
}
