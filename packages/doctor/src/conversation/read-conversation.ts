import {
  isJsonObject,
  type JsonObject,
  type JsonRpcErrorObject,
  type RequestId,
} from "@entente/protocol"
import type {
  ChannelEvent,
  FrameEvent,
  HttpEvent,
  OutcomeEvent,
  StreamEvent,
  TraceEvent,
} from "@entente/trace"
import type {
  ChannelMoment,
  Conversation,
  ProcessMoment,
  Stray,
  StreamMoment,
  Unreadable,
} from "./conversation.js"
import type { Call, Ending, Frame, Headers, HttpExchange, Mark, Reply, Saying } from "./frame.js"
import { failureOf, type Failure } from "./failure.js"

/** An event with its number in the whole trace. */
export interface Numbered {
  readonly index: number
  readonly event: TraceEvent
}

type Growing<T> = { -readonly [Name in keyof T]: T[Name] }

interface GrowingExchange extends Growing<Omit<HttpExchange, "messages">> {
  readonly messages: Array<Frame>
}

type GrowingCall = Growing<Call>
type GrowingSaying = Growing<Saying>

const isId = (value: unknown): value is RequestId =>
  typeof value === "string" || typeof value === "number"

const textOf = (value: unknown, name: string): string | undefined => {
  const text = isJsonObject(value) ? value[name] : undefined
  return typeof text === "string" ? text : undefined
}

const numberOf = (value: unknown, name: string): number | undefined => {
  const number = isJsonObject(value) ? value[name] : undefined
  return typeof number === "number" ? number : undefined
}

const errorIn = (value: unknown): JsonRpcErrorObject | undefined => {
  const error = isJsonObject(value) ? value["error"] : undefined
  if (!isJsonObject(error)) return undefined
  const { code, message, data } = error
  if (typeof code !== "number") return undefined
  return {
    code,
    message: typeof message === "string" ? message : "",
    ...(data === undefined ? {} : { data }),
  }
}

const headersIn = (value: unknown): Headers =>
  isJsonObject(value)
    ? Object.fromEntries(
        Object.entries(value).flatMap(([name, text]) =>
          typeof text === "string" ? [[name.toLowerCase(), text]] : [],
        ),
      )
    : {}

const rejectedHeaders = ({ rejection }: JsonObject): Headers | undefined =>
  isJsonObject(rejection) ? headersIn(rejection["headers"]) : undefined

/** Some logs have the status of a refusal and nothing of its body. */
const statusAlone = ({ http, ended }: Call): Reply | undefined => {
  const { answered } = http ?? {}
  if (answered === undefined || answered.status < 400 || ended !== undefined) return undefined
  const { index, at, status, headers } = answered
  return { index, at, kind: "status", status, headers, text: "" }
}

/** Reads the events of one conversation. It never fails: what makes no sense is left out. */
export const readConversation = (events: ReadonlyArray<Numbered>): Conversation => {
  const reader = new Reader()
  for (const numbered of events) reader.take(numbered)
  return reader.conversation
}

class Reader {
  readonly #calls: Array<GrowingCall> = []
  readonly #sayings: Array<GrowingSaying> = []
  readonly #frames: Array<Frame> = []
  readonly #exchanges: Array<GrowingExchange> = []
  readonly #strays: Array<Stray> = []
  readonly #processes: Array<ProcessMoment> = []
  readonly #channels: Array<ChannelMoment> = []
  readonly #streams: Array<StreamMoment> = []
  readonly #unreadable: Array<Unreadable> = []
  readonly #notes: Array<Conversation["notes"][number]> = []
  readonly #errors: Array<Conversation["errors"][number]> = []
  readonly #transitions: Array<Conversation["transitions"][number]> = []
  readonly #failures: Array<Failure> = []
  /** The exchange of each number that began last: a transport that is opened again counts anew. */
  readonly #current = new Map<number, GrowingExchange>()
  /** By the number of their message on their channel. */
  readonly #sends = new Map<string, GrowingSaying>()
  /** Calls by id, unanswered ones and answered ones. */
  readonly #byId = new Map<RequestId, Array<GrowingCall>>()
  #shared = false
  #last: Mark | undefined

  get conversation(): Conversation {
    for (const call of this.#calls) call.reply ??= statusAlone(call)
    return {
      calls: this.#calls,
      sayings: this.#sayings,
      frames: this.#frames,
      exchanges: this.#exchanges,
      strays: this.#strays,
      processes: this.#processes,
      channels: this.#channels,
      streams: this.#streams,
      unreadable: this.#unreadable,
      notes: this.#notes,
      errors: this.#errors,
      transitions: this.#transitions,
      failures: this.#failures,
      http: this.#exchanges.length > 0 ? true : this.#shared ? false : undefined,
      last: this.#last,
    }
  }

  take({ index, event }: Numbered): void {
    const mark = { index, at: event.at }
    this.#last = mark
    switch (event.type) {
      case "frame":
        return this.#frame(event, mark)
      case "http":
        return this.#http(event, mark)
      case "outcome":
        return this.#outcome(event, mark)
      case "stream":
        return this.#stream(event, mark)
      case "channel":
        return this.#channel(event, mark)
      case "process":
        this.#shared = true
        this.#processes.push({ ...mark, event: event.event, detail: event.detail })
        return undefined
      case "unreadable":
        return this.#cannotRead(event.exchange, event.error, mark)
      case "note":
        this.#notes.push({ ...mark, code: event.code, detail: event.detail })
        return undefined
      case "error":
        this.#errors.push({ ...mark, code: event.code, stage: event.stage, message: event.message })
        this.#failed(event, mark)
        return undefined
      case "transition":
        this.#transitions.push({ ...mark, chart: event.chart, from: event.from, to: event.to })
        return undefined
      case "ask":
      case "experiment":
        return undefined
    }
  }

  #failed(error: unknown, mark: Mark, transport?: string): void {
    const failure = failureOf(error, mark, transport)
    if (failure !== undefined) this.#failures.push(failure)
  }

  #frame(event: FrameEvent, mark: Mark): void {
    // A batch of 2025-03-26 is the messages in it.
    const messages = Array.isArray(event.message) ? event.message : [event.message]
    for (const message of messages) {
      const frame: Frame = {
        ...mark,
        direction: event.direction,
        message,
        exchange: event.exchange === 0 ? undefined : event.exchange,
        channel: event.channel,
        headers: event.headers,
      }
      this.#frames.push(frame)
      if (event.direction === "out") this.#sent(frame, event.send)
      else this.#received(frame)
    }
  }

  #sent(frame: Frame, send: number | undefined): void {
    const { message, exchange, channel } = frame
    if (!isJsonObject(message)) return
    const { id, method, params } = message
    if (typeof method !== "string") return
    const saying: GrowingSaying = {
      index: frame.index,
      at: frame.at,
      method,
      params: isJsonObject(params) ? params : undefined,
      channel,
      http: exchange === undefined ? undefined : this.#current.get(exchange),
      reply: undefined,
      headers: undefined,
      ended: undefined,
    }
    this.#sayings.push(saying)
    if (send !== undefined) this.#sends.set(`${channel} ${send}`, saying)
    if (!isId(id)) return
    const call: GrowingCall = Object.assign(saying, { id })
    this.#calls.push(call)
    const same = this.#byId.get(id)
    if (same === undefined) this.#byId.set(id, [call])
    else same.push(call)
  }

  #received(frame: Frame): void {
    const { message, exchange, index, at } = frame
    const inside = exchange === undefined ? undefined : this.#current.get(exchange)
    inside?.messages.push(frame)
    if (!isJsonObject(message) || typeof message["method"] === "string") return
    const error = errorIn(message)
    const { id, result } = message
    if (error === undefined && result === undefined) return
    const carriedBy = this.#callIn(inside)
    // An error without an id belongs to the exchange that carries it (V26-ENV-09).
    const call = isId(id) ? this.#asked(id, frame) : error === undefined ? undefined : carriedBy
    if (call === undefined) {
      this.#strays.push({ frame, carriedBy })
      return
    }
    if (call.reply !== undefined && call.reply.kind !== "status") {
      this.#strays.push({ frame, carriedBy })
      return
    }
    call.headers ??=
      frame.headers === undefined ? inside?.answered?.headers : headersIn(frame.headers)
    if (error !== undefined) {
      const status = inside?.answered?.status
      call.reply = { index, at, kind: "error", error, status }
    } else if (isJsonObject(result)) call.reply = { index, at, kind: "result", result }
    else
      call.reply = {
        index,
        at,
        kind: "unreadable",
        code: "invalid-message",
        text: "the result is no object",
      }
  }

  /** Some logs tell of a message first, and of its exchange after it without saying whose it is: the one that waits. */
  #unplaced(method: string): GrowingCall | undefined {
    const last = method === "POST" ? this.#calls.at(-1) : undefined
    return last?.http === undefined ? last : undefined
  }

  /** The call of an exchange that is waited for there. */
  #callIn(exchange: GrowingExchange | undefined): GrowingCall | undefined {
    return exchange && this.#calls.findLast(({ http }) => http === exchange)
  }

  /** The call that an answer is for: the last one with that id which has none, on the same channel. */
  #asked(id: RequestId, { channel, exchange }: Frame): GrowingCall | undefined {
    // A number that comes back as text is tolerated (C053).
    const number = typeof id === "string" && /^-?\d{1,15}$/.test(id) ? Number(id) : undefined
    const same = [
      ...(this.#byId.get(id) ?? []),
      ...(number === undefined ? [] : (this.#byId.get(number) ?? [])),
    ].filter(
      (call) => channel === undefined || call.channel === undefined || call.channel === channel,
    )
    const inside = exchange === undefined ? undefined : this.#current.get(exchange)
    return (
      same.findLast(
        (call) => call.reply === undefined && (inside === undefined || call.http === inside),
      ) ??
      same.findLast((call) => call.reply === undefined) ??
      same.at(-1)
    )
  }

  #http(event: HttpEvent, mark: Mark): void {
    const { exchange: number, method, url, status } = event
    const headers = headersIn(event.headers)
    const current = this.#current.get(number)
    if (status === undefined) {
      // An exchange that is repeated (a redirect, new credentials) keeps its number.
      const begun: GrowingExchange = {
        number,
        method,
        url,
        sent: { ...mark, headers },
        answered: undefined,
        messages: [],
        ended: undefined,
      }
      this.#current.set(number, begun)
      this.#exchanges.push(begun)
      const waiting = current === undefined ? this.#unplaced(method) : this.#callIn(current)
      if (waiting !== undefined && waiting.reply === undefined && current?.ended === undefined) {
        waiting.http = begun
      }
      return
    }
    if (current === undefined || current.answered !== undefined) {
      const seen: GrowingExchange = {
        number,
        method,
        url,
        sent: undefined,
        answered: { ...mark, status, headers },
        messages: [],
        ended: undefined,
      }
      this.#current.set(number, seen)
      this.#exchanges.push(seen)
      return
    }
    current.answered = { ...mark, status, headers }
  }

  #outcome(event: OutcomeEvent, mark: Mark): void {
    const { outcome } = event
    if (!isJsonObject(outcome)) return
    this.#failed(outcome["error"], mark)
    const ending: Ending = { ...mark, tag: textOf(outcome, "_tag") ?? "", outcome }
    const call = this.#sends.get(`${event.channel} ${event.send}`)
    if (call === undefined) return
    call.ended = ending
    const exchange = this.#exchanges.findLast((one) => one === call.http)
    if (exchange !== undefined) exchange.ended = ending
    call.headers ??= exchange?.answered?.headers ?? rejectedHeaders(outcome)
    if (call.reply === undefined) call.reply = this.#refusal(outcome, mark)
  }

  #refusal(outcome: JsonObject, mark: Mark): Reply | undefined {
    const { rejection, error } = outcome
    if (isJsonObject(rejection)) {
      const status = numberOf(rejection, "status") ?? 0
      const refused = errorIn(rejection["json"])
      if (refused !== undefined) return { ...mark, kind: "error", error: refused, status }
      const headers = headersIn(rejection["headers"])
      return { ...mark, kind: "status", status, headers, text: textOf(rejection, "text") ?? "" }
    }
    const status = numberOf(error, "status")
    if (status !== undefined) {
      return { ...mark, kind: "status", status, headers: {}, text: textOf(error, "message") ?? "" }
    }
    const code = textOf(error, "code")
    // What was never answered has no reply; a body that is no message is one.
    return code === "unexpected-content" ||
      code === "message-too-large" ||
      code === "invalid-message"
      ? { ...mark, kind: "unreadable", code, text: textOf(error, "message") ?? "" }
      : undefined
  }

  #stream({ event, end }: StreamEvent, mark: Mark): void {
    const rejection = isJsonObject(end) ? end["rejection"] : undefined
    this.#streams.push({
      ...mark,
      event,
      end:
        event === "ended"
          ? { tag: textOf(end, "_tag") ?? "", status: numberOf(rejection, "status") }
          : undefined,
    })
  }

  #channel({ event, transport, target, error, exchanges }: ChannelEvent, mark: Mark): void {
    if (exchanges === "shared") this.#shared = true
    const code = textOf(error, "code")
    this.#failed(error, mark, transport)
    this.#channels.push({
      ...mark,
      event,
      transport,
      target,
      code,
      message: textOf(error, "message"),
    })
  }

  #cannotRead(exchange: number, error: unknown, mark: Mark): void {
    const code = textOf(error, "code") ?? ""
    const message = textOf(error, "message") ?? ""
    this.#failed(error, mark)
    this.#unreadable.push({ ...mark, exchange, code, message })
    const call = exchange === 0 ? undefined : this.#callIn(this.#current.get(exchange))
    if (call !== undefined && call.reply === undefined) {
      call.reply = { ...mark, kind: "unreadable", code, text: message }
    }
  }
}
