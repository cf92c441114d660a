import { isJsonObject } from "@entente/protocol"
import { failure, unreadable } from "../failure.js"
import { ServerHeaders } from "../http/server-headers.js"
import type { LogBook } from "../log-book.js"
import { Messages } from "../conversation/messages.js"
import { parsed } from "../text/json-span.js"
import type { LogLines } from "../text/log-lines.js"
import { timeIn } from "../text/log-time.js"

/** The line of an output channel: local time, level, text. */
export const channelLine =
  /^\s*(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}) \[(trace|debug|info|warning|warn|error)\] ?(.*)$/s

const towards = /^\[(?:editor -> server|Client Says)\]\s*/
const back = /^\[(?:server -> editor|Server Says)\]\s*/

/**
 * The output channel `MCP: NAME` of VS Code, by its source (`src/vs/workbench/contrib/mcp` and
 * `extHostMcp`). At the level Info it tells states, numbers of tools and stderr; messages only at Debug (or in a
 * server's development mode), HTTP heads only at Trace. Versions of March 2025 wrote `[Client Says]`. A
 * channel is of one server, which it names as it starts.
 */
export const readVsCode = (lines: LogLines, book: LogBook): void => {
  const messages = new Messages(book, lines)
  const scene = { book, fetches: new Fetches(book), command: "", running: false }
  for (let line = lines.next(); line !== undefined; line = lines.next()) {
    book.line = lines.number
    const [, time, level = "", text = ""] = channelLine.exec(line) ?? []
    if (time === undefined) {
      if (!/^\s*at /.test(line)) messages.take(line)
      continue
    }
    book.at(timeIn(line))
    if (towards.test(text)) messages.take(text.replace(towards, ""), "out")
    else if (back.test(text)) messages.take(text.replace(back, ""), "in")
    else told(text, level, scene)
  }
}

interface Scene {
  readonly book: LogBook
  readonly fetches: Fetches
  command: string
  running: boolean
}

const told = (text: string, level: string, scene: Scene): void => {
  const { book } = scene
  const stderr = /^\[server stderr\] ?(.*)$/s.exec(text)?.[1]
  if (stderr !== undefined) return book.stderr(stderr)
  if (scene.fetches.take(text)) return
  const name = /^Starting server (?!from )(.+)$/.exec(text)?.[1]
  if (name !== undefined) {
    book.about(name)
    return book.begin()
  }
  const command = /^Server command line: (.+)$/.exec(text)?.[1]
  if (command !== undefined) {
    scene.command = command
    return
  }
  const state = /^Connection state: (\w+)\s?(.*)$/s.exec(text)
  if (state !== null) return changed(state[1] ?? "", state[2] ?? "", text, scene)
  const tools = /^Discovered (\d{1,9}) tools?/.exec(text)?.[1]
  if (tools !== undefined) book.shown(Number(tools))
  const broken = text.startsWith("Failed to parse message") ? unreadable(text) : undefined
  if (broken !== undefined) return book.tell(broken)
  if (level === "error" || /^(?:Error |[45]\d\d status sending )/.test(text))
    return book.tell(failure(text))
  book.said(text)
}

/** The states Starting, Running, Stopped and Error, the last with its reason. */
const changed = (state: string, reason: string, text: string, scene: Scene): void => {
  const { book } = scene
  if (state === "Running" && scene.command !== "" && !scene.running) {
    scene.running = true
    return book.tell({ type: "process", event: "spawned", detail: scene.command })
  }
  const ended = /^Process exited with (?:code|signal) (\S+)/.exec(reason)?.[1]
  if (ended !== undefined || (state === "Stopped" && scene.running)) {
    scene.running = false
    const detail = ended === undefined ? "stopped by the editor" : `exit code ${ended}`
    book.tell({ type: "process", event: "exited", detail })
  }
  if (state === "Error") return book.tell(failure(reason === "" ? text : reason))
  book.said(text)
}

/** HTTP as the level Trace shows it: a line before a request, with its options, and one after its head. */
class Fetches {
  readonly #book: LogBook
  readonly #headers = new ServerHeaders()
  readonly #open = new Map<string, Array<{ readonly exchange: number; readonly method: string }>>()
  #exchanges = 0

  constructor(book: LogBook) {
    this.#book = book
  }

  /** Whether the line was about HTTP. */
  take(text: string): boolean {
    const [, asked, options = ""] = /^Fetching (\S+) with options: (\{.*)$/s.exec(text) ?? []
    if (asked !== undefined) {
      const value = parsed(options)
      const given = isJsonObject(value) ? value : {}
      const method = typeof given["method"] === "string" ? given["method"] : "GET"
      const exchange = ++this.#exchanges
      const waiting = this.#open.get(asked) ?? []
      this.#open.set(asked, [...waiting.slice(-8), { exchange, method }])
      const headers = this.#headers.of(given["headers"])
      this.#book.tell({ type: "http", exchange, method, url: asked, headers })
      return true
    }
    const [, answered, head = ""] = /^Fetched (\S+): (\{.*)$/s.exec(text) ?? []
    const request = answered === undefined ? undefined : this.#open.get(answered)?.shift()
    if (answered === undefined) return false
    const value = parsed(head)
    const status = isJsonObject(value) ? value["status"] : undefined
    if (typeof status !== "number") return false
    const headers = this.#headers.of(isJsonObject(value) ? value["headers"] : undefined)
    const { exchange = ++this.#exchanges, method = "GET" } = request ?? {}
    this.#book.tell({ type: "http", exchange, method, url: answered, status, headers })
    return true
  }
}
