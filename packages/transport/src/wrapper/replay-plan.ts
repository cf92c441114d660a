import { isJsonObject, metaKey } from "@entente/protocol"
import type { Opening, RecordedEvent } from "./recording.js"

/** A message that the recorded client sent, and that the present one is expected to send. */
export interface Ask {
  readonly kind: "ask"
  readonly seq: number
  readonly at: number
  readonly message: unknown
  /** Its method; for an answer to the server, the id that it answers. */
  readonly label: string
  readonly exchange: number
  /** Its parameters as text, but for `_meta`. */
  readonly params: string
  /** How many things the client has not heard yet that belong to it. */
  owed: number
  /**
   * Milliseconds after which the recorded client had given up waiting, or the recording ended; absent
   * where an answer, or an end of the channel, is in the recording.
   */
  unanswered?: number
}

/** Something that the recorded client heard. */
export interface Tell {
  readonly kind: "tell"
  readonly seq: number
  readonly at: number
  /** The message without which it makes no sense; absent where the server spoke by itself. */
  readonly ask: Ask | undefined
  readonly event: RecordedEvent
}

export type Step = Ask | Tell

export const labelOf = (message: unknown): string => {
  if (!isJsonObject(message)) return "something that is no message"
  const { method, id } = message
  return typeof method === "string" ? method : `the answer to ${JSON.stringify(id)}`
}

export const paramsOf = (message: unknown): string => {
  const params = isJsonObject(message) ? message["params"] : undefined
  if (!isJsonObject(params)) return ""
  const { _meta, ...own } = params
  return JSON.stringify(own)
}

/** An answer may name the id as text (C053). */
const sameId = (id: unknown): string => String(id)

/** What a stream that is opened with GET is called. */
export const streamLabel = "GET"

/** Waits by nature, and for as long as the client likes. */
const isSubscription = ({ label }: Ask): boolean =>
  label === "subscriptions/listen" || label === streamLabel

const isRequest = ({ message }: Ask): boolean =>
  isJsonObject(message) && "id" in message && "method" in message

/** Which message of the client belongs to which event; filled as the events are gone through. */
class Asks {
  readonly all: Array<Ask> = []
  readonly #bySend = new Map<number, Ask>()
  readonly #byExchange = new Map<number, Ask>()
  readonly #byId = new Map<string, Ask>()
  readonly #byToken = new Map<unknown, Ask>()

  add(ask: Ask, send: number | undefined): void {
    this.all.push(ask)
    if (send !== undefined) this.#bySend.set(send, ask)
    if (ask.exchange !== 0) this.#byExchange.set(ask.exchange, ask)
    if (!isJsonObject(ask.message) || !isRequest(ask)) return
    this.#byId.set(sameId(ask.message["id"]), ask)
    const { params } = ask.message
    const meta = isJsonObject(params) ? params["_meta"] : undefined
    if (isJsonObject(meta) && "progressToken" in meta) this.#byToken.set(meta["progressToken"], ask)
  }

  sent(send: number): Ask | undefined {
    return this.#bySend.get(send)
  }

  on(exchange: number | undefined): Ask | undefined {
    return exchange === undefined ? undefined : this.#byExchange.get(exchange)
  }

  named(id: unknown): Ask | undefined {
    return this.#byId.get(sameId(id))
  }

  /** The request that a message of the server answers. */
  answeredBy(message: unknown): Ask | undefined {
    if (Array.isArray(message)) {
      return message.map((member) => this.answeredBy(member)).find((ask) => ask !== undefined)
    }
    return isJsonObject(message) && !("method" in message) ? this.named(message["id"]) : undefined
  }

  /** The request that a notification is about. */
  meantBy(message: unknown): Ask | undefined {
    const params = isJsonObject(message) ? message["params"] : undefined
    if (!isJsonObject(params)) return undefined
    if ("progressToken" in params) return this.#byToken.get(params["progressToken"])
    const meta = params["_meta"]
    return isJsonObject(meta) && metaKey.subscriptionId in meta
      ? this.named(meta[metaKey.subscriptionId])
      : undefined
  }
}

/**
 * What is to happen on a channel, in the order in which it was recorded, and which answer waits for
 * which request.
 */
export const planOf = ({ events, exchanges }: Opening): ReadonlyArray<Step> => {
  const steps: Array<Step> = []
  const asks = new Asks()
  const answered = new Set<Ask>()
  const givenUp = new Map<Ask, number>()
  const tell = (event: RecordedEvent, ask?: Ask): void => {
    steps.push({ kind: "tell", seq: event.seq, at: event.at, ask, event })
    if (ask !== undefined) ask.owed++
  }
  let ends = false
  for (const event of events) {
    switch (event.type) {
      case "frame": {
        const { seq, at, message, exchange = 0, send } = event
        if (event.direction === "in") {
          const answer = asks.answeredBy(message)
          if (answer !== undefined) answered.add(answer)
          tell(event, asks.on(exchange) ?? answer ?? asks.meantBy(message))
          break
        }
        const [label, params] = [labelOf(message), paramsOf(message)]
        const ask: Ask = { kind: "ask", seq, at, message, label, params, exchange, owed: 0 }
        asks.add(ask, send)
        steps.push(ask)
        const cancelled = cancelledBy(message)
        const given = cancelled === undefined ? undefined : asks.named(cancelled)
        if (given !== undefined && !givenUp.has(given)) givenUp.set(given, at)
        break
      }
      case "outcome": {
        const ask = asks.sent(event.send)
        const tag = isJsonObject(event.outcome) ? event.outcome["_tag"] : undefined
        if (ask === undefined) break
        if (tag === "Aborted") {
          if (!givenUp.has(ask)) givenUp.set(ask, event.at)
          break
        }
        if (tag !== "Written") answered.add(ask)
        tell(event, ask)
        break
      }
      case "unreadable": {
        const ask = asks.on(event.exchange)
        if (ask !== undefined) answered.add(ask)
        tell(event, ask)
        break
      }
      case "stream": {
        const { seq, at, exchange, send } = event
        if (event.event !== "asked") {
          tell(event, asks.sent(send))
          break
        }
        const ask: Ask = {
          kind: "ask",
          seq,
          at,
          exchange,
          message: undefined,
          label: streamLabel,
          params: "",
          owed: 0,
        }
        asks.add(ask, send)
        steps.push(ask)
        break
      }
      case "note":
        tell(event)
        break
      case "channel":
        if (event.event !== "closed") break
        ends = true
        tell(event)
        break
      case "ask":
        break
    }
  }
  const last = events.at(-1)?.at ?? 0
  for (const ask of asks.all) {
    const waits = exchanges === "per-request" || isRequest(ask)
    if (!waits || answered.has(ask)) continue
    if (ends) ask.owed++
    else if (!isSubscription(ask)) ask.unanswered = (givenUp.get(ask) ?? last) - ask.at
  }
  // Such a request is told that it was written only by what comes of it: then it can still fail.
  return steps.filter(
    (step) => step.kind === "ask" || step.ask?.unanswered === undefined || !isWritten(step),
  )
}

const isWritten = ({ event }: Tell): boolean =>
  event.type === "outcome" && isJsonObject(event.outcome) && event.outcome["_tag"] === "Written"

const cancelledBy = (message: unknown): unknown => {
  if (!isJsonObject(message) || message["method"] !== "notifications/cancelled") return undefined
  const { params } = message
  return isJsonObject(params) ? params["requestId"] : undefined
}
