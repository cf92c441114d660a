import { explain, isJsonObject, type JsonObject } from "@entente/protocol"
import type { ChannelEvent, FrameEvent, HttpEvent, TraceEvent, Unstamped } from "@entente/trace"
import { placeOf } from "./http/exchange.js"

/** How a conversation travelled, as far as its events show. */
interface Way {
  readonly transport: string
  readonly target: string
  readonly exchanges: "shared" | "per-request"
  /** Messages have their numbers already, and what became of them is told. */
  readonly numbered: boolean
}

const isOpening = ({ type, ...event }: TraceEvent): boolean =>
  type === "channel" && "event" in event && (event.event === "opened" || event.event === "failed")

const isWritten = (event: TraceEvent): boolean =>
  event.type === "outcome" && isJsonObject(event.outcome) && event.outcome["_tag"] === "Written"

const wayOf = (events: ReadonlyArray<TraceEvent>): Way => {
  const http = events.find((event) => event.type === "http")
  const spawned = events.find((event) => event.type === "process" && event.event === "spawned")
  const numbered = events.some((event) => event.type === "frame" && event.send !== undefined)
  const inExchanges = events.some((event) => event.type === "frame" && (event.exchange ?? 0) > 0)
  const target =
    http !== undefined ? placeOf(http.url) : spawned?.type === "process" ? spawned.detail : "a log"
  if (!inExchanges) return { transport: "stdio", target, exchanges: "shared", numbered }
  return events.some(isWritten)
    ? { transport: "http+sse", target, exchanges: "shared", numbered }
    : { transport: "streamable-http", target, exchanges: "per-request", numbered }
}

/** Knows where in a log a client began anew: the last of several conversations is the one that counts. */
class Sessions {
  #frames = 0
  #asked: unknown
  #accepted = false
  #refused = false

  /** Whether a new conversation begins with this event. */
  begins(event: TraceEvent, shared: boolean): boolean {
    const anew =
      event.type === "process" && event.event === "spawned"
        ? this.#frames > 0
        : isInitialize(event) && this.#accepted && (shared || !this.#refused)
    if (anew) {
      this.#frames = 0
      this.#accepted = false
    }
    this.#see(event)
    return anew
  }

  #see(event: TraceEvent): void {
    if (event.type === "outcome")
      this.#refused ||= isJsonObject(event.outcome) && event.outcome["_tag"] === "Rejected"
    if (event.type !== "frame" || !isJsonObject(event.message)) return
    this.#frames++
    const { message, direction } = event
    if (isInitialize(event)) {
      this.#asked = message["id"]
      this.#refused = false
    } else if (direction === "in" && "result" in message && message["id"] === this.#asked)
      this.#accepted = true
  }
}

const isInitialize = (event: TraceEvent): boolean =>
  event.type === "frame" &&
  event.direction === "out" &&
  isJsonObject(event.message) &&
  event.message["method"] === "initialize"

/**
 * Completes the events of any log into a recording that `replay` of `@entente/transport` plays: the channel is
 * opened and closed, messages get their numbers, and what became of them. Events that are a recording already
 * stay what they are. Where a log has several conversations, each is a recording, and a replay plays the last.
 *
 * Nothing is made up of what the server said: a request that the log leaves unanswered stays so.
 *
 * @example
 * const client = await connect(replay(asRecording(readLog(text).events)), { mode: "legacy" })
 */
export const asRecording = (events: ReadonlyArray<TraceEvent>): ReadonlyArray<TraceEvent> => {
  if (events.length === 0 || events.some(isOpening)) return events
  const way = wayOf(events)
  const completed: Array<TraceEvent> = []
  const writer = new Writer(way, (event, at) => {
    completed.push({ ...event, seq: completed.length, at } as TraceEvent) // the stamp completes the event
  })
  const sessions = new Sessions()
  for (const event of events) {
    if (sessions.begins(event, way.exchanges === "shared")) writer.begin()
    writer.take(event)
  }
  return completed
}

/** Words on stderr that are kept for the error of a process that ended, in characters. */
const mostStderr = 4_096

/** What never got as far as a channel. */
const cannotStart: ReadonlySet<string> = new Set(["command-not-found", "spawn-failed"])

/** A message on its way over HTTP. */
interface Asked {
  readonly send: number
  /** Of a request. */
  readonly id: unknown
  messages: number
}

const idOf = (message: unknown): unknown => (isJsonObject(message) ? message["id"] : undefined)

class Writer {
  readonly #way: Way
  readonly #write: (event: Unstamped, at: number) => void
  #opened = false
  #ended = false
  #sends = 0
  #stderr = ""
  /** Requests whose exchange is open, where the log does not tell what became of them. */
  readonly #asked = new Map<number, Asked>()

  constructor(way: Way, write: (event: Unstamped, at: number) => void) {
    this.#way = way
    this.#write = write
  }

  /** The next event belongs to a new conversation. */
  begin(): void {
    this.#opened = false
    this.#ended = false
    this.#sends = 0
    this.#stderr = ""
    this.#asked.clear()
  }

  take(event: TraceEvent): void {
    const { at } = event
    const shared = this.#way.exchanges === "shared"
    if (event.type === "stream" && shared) return
    if (event.type === "frame") return this.#frame(event)
    if (event.type === "outcome" || event.type === "stream" || event.type === "unreadable")
      this.#open(at)
    this.#pass(event)
    if (event.type === "http") this.#http(event)
    if (event.type === "process") this.#process(event.event, event.detail, at)
    if (event.type === "error" && cannotStart.has(event.code)) this.#failed(event.message, at)
  }

  #pass(event: TraceEvent): void {
    this.#write(event, event.at)
  }

  #channel(event: ChannelEvent["event"], at: number, more: Partial<ChannelEvent>): void {
    const { transport, target } = this.#way
    this.#write({ type: "channel", channel: 1, event, transport, target, ...more }, at)
  }

  #open(at: number): void {
    if (this.#opened) return
    this.#opened = true
    this.#channel("opened", at, { exchanges: this.#way.exchanges })
  }

  #frame(event: FrameEvent): void {
    const { at, direction } = event
    const { exchanges, numbered } = this.#way
    this.#open(at)
    const exchange = exchanges === "shared" ? 0 : (event.exchange ?? 0)
    // The refusal of a request is in its outcome as well, and only that is played.
    const place = numbered ? event.channel : event.exchange
    if (exchanges === "per-request" && place === undefined) return this.#pass(event)
    if (direction === "in") {
      this.#pass({ ...event, channel: 1, exchange })
      return this.#answered(event, exchange)
    }
    const send = event.send ?? ++this.#sends
    this.#pass({ ...event, channel: 1, send, exchange })
    if (event.send !== undefined) return
    if (exchanges === "shared") return this.#outcome(send, { _tag: "Written" }, at)
    this.#asked.set(exchange, { send, id: idOf(event.message), messages: 0 })
  }

  /** An exchange is over with the answer to its request. */
  #answered({ message, at }: FrameEvent, exchange: number): void {
    const asked = this.#asked.get(exchange)
    if (asked === undefined) return
    asked.messages++
    if (asked.id === undefined || asked.id !== idOf(message)) return
    this.#finished(exchange, 200, at)
  }

  /** A head is the end of an exchange where it refuses, or where nothing is to follow. */
  #http({ exchange, status, headers, at }: HttpEvent): void {
    const asked = this.#asked.get(exchange)
    if (asked === undefined || status === undefined) return
    if (status >= 200 && status < 300) {
      if (asked.id === undefined) this.#finished(exchange, status, at)
      return
    }
    const rejection = { status, headers, text: "", json: undefined }
    this.#asked.delete(exchange)
    this.#outcome(asked.send, { _tag: "Rejected", rejection }, at)
  }

  #finished(exchange: number, status: number, at: number): void {
    const asked = this.#asked.get(exchange)
    if (asked === undefined) return
    const { send, messages } = asked
    this.#asked.delete(exchange)
    this.#outcome(send, { _tag: "Ended", status, messages, streamed: messages > 1 }, at)
  }

  #outcome(send: number, outcome: JsonObject, at: number): void {
    this.#write({ type: "outcome", channel: 1, send, outcome }, at)
  }

  #process(event: string, detail: string, at: number): void {
    if (event === "spawned") this.#open(at)
    if (event === "stderr") this.#stderr = `${this.#stderr}${detail}\n`.slice(-mostStderr)
    if (event === "exited" && this.#opened && !this.#ended) {
      this.#ended = true
      this.#channel("closed", at, { error: this.#exited(detail) })
    }
  }

  #failed(message: string, at: number): void {
    if (this.#opened) return
    this.#opened = true
    const error = {
      _tag: "SpawnFailed",
      ...explain("spawn-failed", "open", this.#way.target, message),
    }
    this.#channel("failed", at, { error })
  }

  #exited(detail: string): JsonObject {
    const { target } = this.#way
    const code = /\bcode (\d{1,10})/.exec(detail)?.[1]
    const exitCode = code === undefined ? undefined : Number(code)
    const process = { command: target, exitCode, signal: undefined, stderr: this.#stderr }
    return {
      _tag: "ProcessExited",
      ...explain("process-exited", "request", target, `The server process ended: ${detail}`),
      process,
    }
  }
}
