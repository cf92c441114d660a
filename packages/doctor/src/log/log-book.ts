import { redactEvent, redactText, type TraceEvent, type Unstamped } from "@entente/trace"
import { plainText } from "@entente/protocol"
import { Repeats } from "./conversation/repeats.js"
import { Sides, type Direction } from "./conversation/sides.js"
import type { LogFormat, LogOptions, LogProblem, LogReading } from "./log-reading.js"
import type { LogTime } from "./text/log-time.js"

/** Events that are kept. */
const mostEvents = 1_000_000
/** Problems that are kept. */
const mostProblems = 1_000
/** Servers that are told apart. */
const mostServers = 1_000

const day = 24 * 60 * 60 * 1_000

/** What is known of one server's conversation. */
interface Conversation {
  readonly sides: Sides
  repeats: Repeats
  messages: number
  shown: number | undefined
}

interface Entry {
  readonly server: string | undefined
  readonly at: number
  readonly event: Unstamped
}

const stamped = (event: Unstamped, seq: number, at: number): TraceEvent =>
  ({ ...event, seq, at }) as TraceEvent // the stamp completes the event

/** Takes down what a reader finds in a log, by server, and makes the reading of it. */
export class LogBook {
  readonly #options: LogOptions
  readonly #entries: Array<Entry> = []
  readonly #problems: Array<LogProblem> = []
  readonly #conversations = new Map<string | undefined, Conversation>()
  #server: string | undefined
  #time: number | undefined
  #days = 0
  #repeated = 0
  #repeatedLine = 0
  #dropped = 0
  /** The line being read, from 1; 0 for the whole log. */
  line = 0

  constructor(options: LogOptions) {
    this.#options = options
  }

  /** Milliseconds of the latest time that the log has shown. */
  get time(): number | undefined {
    return this.#time
  }

  /** The log shows a time: what follows happened then. */
  at(time: LogTime | number | undefined): void {
    if (time === undefined) return
    if (typeof time === "number") this.#time = time
    else if (time.kind === "instant") this.#time = time.ms
    else {
      // A clock that jumps back by half a day has passed midnight.
      if (this.#time !== undefined && time.ms + this.#days < this.#time - day / 2) this.#days += day
      this.#time = time.ms + this.#days
    }
  }

  /** What follows is about this server; about the one before, if it is not said. */
  about(server: string | undefined): void {
    if (server === undefined || server === "") return
    const known = this.#conversations.size < mostServers || this.#conversations.has(server)
    if (!known) return
    this.#server = server
    this.#conversation()
  }

  get sides(): Sides {
    return this.#conversation().sides
  }

  tell(event: Unstamped): void {
    if (this.#entries.length >= mostEvents) {
      this.#dropped++
      return
    }
    this.#entries.push({ server: this.#server, at: this.#time ?? 0, event })
  }

  /** A message; one that the log has twice is taken down once. Says whether it was. */
  message(value: unknown, text: string, direction: Direction): boolean {
    const conversation = this.#conversation()
    if (conversation.repeats.has(value, text, direction, this.#time)) {
      this.#repeated++
      this.#repeatedLine ||= this.line
      return false
    }
    conversation.sides.saw(value, direction)
    conversation.messages++
    this.tell({ type: "frame", direction, message: value })
    return true
  }

  /** Messages that came with an event of their own. */
  counted(messages: number): void {
    this.#conversation().messages += messages
  }

  /** Something the client says of the connection. */
  said(detail: string): void {
    const plain = detail.trim()
    if (plain !== "") this.tell({ type: "note", code: "client-said", detail: plain })
  }

  /** What the server wrote to stderr. */
  stderr(text: string): void {
    for (const line of text.split("\n")) {
      if (line.trim() !== "")
        this.tell({ type: "process", event: "stderr", detail: line.trimEnd() })
    }
  }

  /** How many tools the client says it has. */
  shown(count: number): void {
    this.#conversation().shown = count
  }

  /** The client starts the server anew: the same messages may come again. */
  begin(): void {
    this.#conversation().repeats = new Repeats()
  }

  problem(code: string, detail: string, line: number = this.line): void {
    if (this.#problems.length >= mostProblems) return
    const safe = plainText(redactText(detail, this.#options.redaction), 400)
    this.#problems.push({ line, code, detail: safe })
    if (this.#problems.length < mostProblems) return
    this.#problems.push({
      line,
      code: "too-many",
      detail: "There are more problems than are listed.",
    })
  }

  /** The problems and messages that were found so far. */
  get messages(): number {
    let all = 0
    for (const { messages } of this.#conversations.values()) all += messages
    return all
  }

  reading(format: LogFormat): LogReading {
    const chosen = this.#choose()
    const { redaction } = this.#options
    const events: Array<TraceEvent> = []
    for (const { server, at, event } of this.#entries) {
      if (chosen !== "all" && server !== undefined && server !== chosen.server) continue
      if (chosen !== "all" && chosen.server === undefined) continue
      events.push(redactEvent(stamped(event, events.length, at), redaction))
    }
    this.#conclude(format)
    const shown = this.#shownOf(chosen === "all" ? undefined : chosen.server)
    const server = chosen === "all" ? this.#names()[0] : chosen.server
    return {
      format,
      events,
      problems: this.#problems,
      servers: this.#names().map((name) => this.#safe(name)),
      ...(server !== undefined && { server: this.#safe(server) }),
      ...(shown !== undefined && { shown }),
    }
  }

  #conversation(): Conversation {
    const known = this.#conversations.get(this.#server)
    if (known !== undefined) return known
    const made = { sides: new Sides(), repeats: new Repeats(), messages: 0, shown: undefined }
    this.#conversations.set(this.#server, made)
    return made
  }

  #names(): ReadonlyArray<string> {
    return [...this.#conversations.keys()].filter((name) => name !== undefined)
  }

  #safe(name: string): string {
    return plainText(redactText(name, this.#options.redaction))
  }

  /** Whose events are read; those that belong to no server are read with any. */
  #choose(): "all" | { readonly server: string | undefined } {
    const names = this.#names()
    const wanted = this.#options.server
    const list = names.map((name) => this.#safe(name)).join(", ")
    if (wanted !== undefined && names.length > 0) {
      const server = names.find((name) => name === wanted || this.#safe(name) === wanted)
      if (server === undefined) {
        this.problem("no-such-server", `The log has no server of this name. It has: ${list}.`, 0)
      }
      return { server }
    }
    if (names.length <= 1) return "all"
    const server = this.#busiest(names)
    const read = this.#safe(server)
    this.problem("several-servers", `The log has several servers: ${list}. ${read} was read.`, 0)
    return { server }
  }

  #busiest(names: ReadonlyArray<string>): string {
    const events = new Map<string | undefined, number>()
    for (const { server } of this.#entries) events.set(server, (events.get(server) ?? 0) + 1)
    const weight = (name: string): number =>
      (this.#conversations.get(name)?.messages ?? 0) * mostEvents + (events.get(name) ?? 0)
    return names.reduce((best, name) => (weight(name) > weight(best) ? name : best))
  }

  #shownOf(server: string | undefined): number | undefined {
    if (server !== undefined) {
      return this.#conversations.get(server)?.shown ?? this.#conversations.get(undefined)?.shown
    }
    return [...this.#conversations.values()].findLast(({ shown }) => shown !== undefined)?.shown
  }

  #conclude(format: LogFormat): void {
    if (this.#repeated > 0) {
      const what = `Messages that the log has more than once, and that were counted once: ${this.#repeated}.`
      this.problem("repeated", what, this.#repeatedLine)
    }
    if (this.#dropped > 0) {
      this.problem("too-many", `Events beyond ${mostEvents} were left out: ${this.#dropped}.`, 0)
    }
    const isForeign = format !== "unknown" && format !== "entente-trace"
    if (isForeign && this.#entries.length > 0 && this.#time === undefined) {
      this.problem(
        "no-times",
        "The log has no times: every event is at 0, only the order is known.",
        0,
      )
    }
  }
}
