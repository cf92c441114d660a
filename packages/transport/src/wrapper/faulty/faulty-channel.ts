import { explain, isJsonObject, ProtocolViolation, Unreachable } from "@entente/protocol"
import { sampleOf } from "../../framing/message-lines.js"
import type { Timers } from "../../timers.js"
import type { Channel, Origin, Outgoing, Receiver, SendOutcome, Sent } from "../../transport.js"
import type { Direction, Fault, FaultRules, Strike, Subject } from "./fault-rule.js"
import { Lane } from "./lane.js"
import type { Random } from "./random.js"

export interface FaultyChannelOptions {
  readonly kind: string
  readonly target: string
  readonly seed: number
  /** The opening of the transport, from 1. */
  readonly channel: number
  readonly rules: FaultRules
  readonly timers: Timers
  readonly told: (fault: Fault) => void
}

/** What the faults of one message come to. */
interface Fate {
  /** 0 where it is lost. */
  copies: number
  delayMs: number
  /** For how long everything from it on is held up. */
  stallMs: number
  overtaken: { readonly maxWaitMs: number; readonly force: boolean } | undefined
  cut: Random | undefined
  disconnects: boolean
}

/** A message that goes out, from the caller's call to its one outcome. */
interface Sending {
  readonly number: number
  /** The exchange that the caller knows it by. */
  exchange: number
  /** Whether the caller has been told that number. */
  known: boolean
  sent: Sent | undefined
  readonly settle: (outcome: SendOutcome) => void
  over: boolean
}

const defaultMaxWaitMs = 100

/** Stands between a channel and its user, and does to messages what the rules say. */
export class FaultyChannel {
  readonly #inner: Channel
  readonly #options: FaultyChannelOptions
  readonly #judge: (subject: Subject) => ReadonlyArray<Strike>
  readonly #out: Lane
  /** What comes in, by exchange; all of it in one lane where there are no exchanges. */
  readonly #lanes = new Map<number, Lane>()
  /** Messages that may be overtaken by those of other exchanges. */
  readonly #overtakable = { in: new Map<Lane, () => void>(), out: new Map<Lane, () => void>() }
  /** Messages that were taken out of their lane, to go after the next one. */
  readonly #aside = new Map<Lane, Array<() => void>>()
  readonly #sendings = new Set<Sending>()
  readonly #byExchange = new Map<number, Sending>()
  readonly #counts = new Map<number, { arrived: number; delivered: number }>()
  /** The methods of requests under way, to know what an answer answers. */
  readonly #methods = { in: new Map<unknown, string>(), out: new Map<unknown, string>() }
  #receiver: Receiver | undefined
  #sends = 0
  #ended: Unreachable | undefined

  constructor(inner: Channel, options: FaultyChannelOptions) {
    this.#inner = inner
    this.#options = options
    this.#judge = options.rules.forChannel(inner.exchanges)
    this.#out = new Lane(options.timers)
  }

  /** What this wrapper does not know of passes as it is. */
  get channel(): Channel {
    return {
      ...this.#inner,
      listen: (receiver) => {
        this.#receiver = receiver
        this.#inner.listen({
          message: (value, origin) => this.#arrived(value, origin),
          note: (note, origin) => this.#lane(0).push(() => receiver.note(note, origin)),
          unreadable: (error, origin) =>
            this.#lane(origin.exchange).push(() => receiver.unreadable(error, this.#own(origin))),
          closed: (cause) => this.#lane(0).push(() => receiver.closed(cause)),
        })
      },
      send: (outgoing, settled) => this.#send(outgoing, settled),
    }
  }

  release(): void {
    this.#end(gone(this.#options.target, "The channel was closed before."))
    for (const sending of this.#sendings) this.#settle(sending, { _tag: "Aborted" })
  }

  get #shared(): boolean {
    return this.#inner.exchanges === "shared"
  }

  #lane(exchange: number): Lane {
    const known = this.#lanes.get(exchange)
    if (known !== undefined) return known
    const lane = new Lane(this.#options.timers)
    this.#lanes.set(exchange, lane)
    return lane
  }

  /** Asks the rules about a message, and tells of what strikes. */
  #fate(direction: Direction, message: unknown, exchange: number, number: number): Fate {
    const fate: Fate = {
      copies: 1,
      delayMs: 0,
      stallMs: 0,
      overtaken: undefined,
      cut: undefined,
      disconnects: false,
    }
    const { channel, seed, told } = this.#options
    const method = this.#methodOf(direction, message)
    const subject = { direction, method, channel, exchange, message: number }
    for (const { rule, random } of this.#judge(subject)) {
      told({ seed, fault: rule.fault, ...subject })
      switch (rule.fault) {
        case "latency":
          fate.delayMs += rule.ms + random() * (rule.jitterMs ?? 0)
          break
        case "loss":
          fate.copies = 0
          break
        case "duplicate":
          if (fate.copies > 0) fate.copies += 1
          break
        case "reorder":
          fate.overtaken = {
            maxWaitMs: rule.maxWaitMs ?? defaultMaxWaitMs,
            force: rule.force ?? false,
          }
          break
        case "truncate":
          fate.cut = random
          break
        case "stall":
          fate.stallMs = Math.max(fate.stallMs, rule.ms ?? Infinity)
          break
        case "disconnect":
          fate.disconnects = true
      }
    }
    return fate
  }

  /** The method of a message, or of the request that it answers. */
  #methodOf(direction: Direction, message: unknown): string | undefined {
    if (!isJsonObject(message)) return undefined
    const { method, id } = message
    if (typeof method === "string") {
      if (id !== undefined) this.#methods[direction].set(id, method)
      return method
    }
    const asked = this.#methods[direction === "in" ? "out" : "in"]
    const answered = asked.get(id)
    asked.delete(id)
    return answered
  }

  #send(outgoing: Outgoing, settled: (outcome: SendOutcome) => void): Sent {
    const number = ++this.#sends
    const sending: Sending = {
      number,
      // Until it is handed over a message has a number that no exchange below has.
      exchange: this.#shared ? 0 : -number,
      known: false,
      sent: undefined,
      settle: settled,
      over: false,
    }
    this.#sendings.add(sending)
    if (this.#ended === undefined) {
      const fate = this.#fate("out", outgoing.message, 0, number)
      // Where nothing is ordered anyway, every message has a lane of its own.
      const lane = this.#shared ? this.#out : this.#lane(-number)
      this.#pass("out", lane, fate, () => this.#handOver(outgoing, sending, fate))
    } else {
      const failed = { _tag: "Failed", error: this.#ended, mayHaveArrived: false } as const
      queueMicrotask(() => this.#settle(sending, failed))
    }
    sending.known = true
    const abort = (): void => {
      if (!this.#shared) this.#settle(sending, { _tag: "Aborted" })
    }
    return this.#shared
      ? { exchange: sending.exchange, abort }
      : { exchange: sending.exchange, abort, overtakable: () => overtakable(sending) }
  }

  #handOver(outgoing: Outgoing, sending: Sending, { copies, disconnects }: Fate): void {
    if (sending.over || this.#ended !== undefined) return
    for (let copy = 1; copy <= copies; copy++) {
      const sent = this.#inner.send(outgoing, (outcome) => {
        if (copy === 1) this.#outcome(sending, outcome)
      })
      if (copy > 1) continue
      sending.sent = sent
      if (this.#shared) continue
      this.#byExchange.set(sent.exchange, sending)
      // A message that was not held back is known by the number it has below.
      if (!sending.known) sending.exchange = sent.exchange
    }
    // The operating system took it; over HTTP there is just never an answer.
    if (copies === 0 && this.#shared) {
      queueMicrotask(() => this.#settle(sending, { _tag: "Written" }))
    }
    if (disconnects) queueMicrotask(() => this.#disconnect(sending))
  }

  #arrived(value: unknown, origin: Origin): void {
    const { exchange } = origin
    const sending = this.#byExchange.get(exchange)
    if (this.#ended !== undefined || sending?.over === true) return
    const count = this.#count(exchange)
    const fate = this.#fate("in", value, sending?.number ?? exchange, ++count.arrived)
    const lane = this.#lane(exchange)
    this.#pass("in", lane, fate, () => {
      if (this.#ended !== undefined || sending?.over === true) return
      for (let copy = 0; copy < fate.copies; copy++) this.#deliver(value, origin, fate)
      if (fate.disconnects) this.#disconnect(sending)
    })
  }

  /** Sends something down its lane, as its fate wants it. */
  #pass(
    direction: Direction,
    lane: Lane,
    { delayMs, stallMs, overtaken }: Fate,
    run: () => void,
  ): void {
    if (stallMs > 0) lane.block(stallMs)
    const go = (): void => {
      run()
      this.#passed(direction, lane)
    }
    if (overtaken === undefined) return lane.push(go, delayMs)
    const { maxWaitMs, force } = overtaken
    if (!force) {
      this.#overtakable[direction].set(lane, lane.block(maxWaitMs))
      return lane.push(go, delayMs)
    }
    lane.push(() => {
      const aside = this.#aside.get(lane) ?? []
      this.#aside.set(lane, [...aside, run])
      this.#options.timers.set(() => this.#catchUp(lane), maxWaitMs)
    }, delayMs)
  }

  /** Something went down a lane: what was to be overtaken by it may go now. */
  #passed(direction: Direction, lane: Lane): void {
    this.#catchUp(lane)
    const overtakable = this.#overtakable[direction]
    for (const [other, open] of overtakable) {
      if (other === lane) continue
      overtakable.delete(other)
      open()
    }
  }

  #catchUp(lane: Lane): void {
    const aside = this.#aside.get(lane) ?? []
    this.#aside.delete(lane)
    for (const run of aside) run()
  }

  #deliver(value: unknown, origin: Origin, { cut }: Fate): void {
    if (cut !== undefined) return this.#deliverCut(value, origin, cut)
    this.#count(origin.exchange).delivered++
    this.#receiver?.message(value, this.#own(origin))
  }

  /** A line that breaks off is noise (V25-STDIO-04); in the body of an answer it is the end of it. */
  #deliverCut(value: unknown, origin: Origin, random: Random): void {
    const text = JSON.stringify(value)
    const sample = sampleOf(text.slice(0, 1 + Math.floor(random() * (text.length - 1))))
    if (this.#shared && this.#options.kind !== "websocket") {
      return this.#receiver?.note({ code: "stdout-noise", detail: sample })
    }
    const what = `A message was cut: ${JSON.stringify(sample)}.`
    const fields = explain("invalid-message", "request", this.#options.target, what)
    this.#receiver?.unreadable(new ProtocolViolation(fields), this.#own(origin))
    const sending = this.#byExchange.get(origin.exchange)
    if (sending === undefined) return
    const messages = this.#count(origin.exchange).delivered
    this.#settle(sending, { _tag: "Ended", status: 200, messages, streamed: false })
  }

  /** Comes after everything that the exchange has brought. */
  #outcome(sending: Sending, outcome: SendOutcome): void {
    const exchange = sending.sent?.exchange
    if (this.#shared || exchange === undefined) return this.#settle(sending, outcome)
    const lane = this.#lane(exchange)
    lane.push(() => {
      this.#catchUp(lane)
      const messages = this.#count(exchange).delivered
      this.#settle(sending, outcome._tag === "Ended" ? { ...outcome, messages } : outcome)
    })
  }

  /** The channel ends; over HTTP, the exchange of a message. */
  #disconnect(sending: Sending | undefined): void {
    const error = gone(this.#options.target, "The connection was cut.")
    if (!this.#shared) {
      if (sending === undefined) return
      return this.#settle(sending, { _tag: "Failed", error, mayHaveArrived: true })
    }
    if (this.#ended !== undefined) return
    this.#end(error)
    this.#receiver?.closed(error)
    for (const left of this.#sendings) {
      this.#settle(left, { _tag: "Failed", error, mayHaveArrived: true })
    }
  }

  /** Tells the outcome, once, and lets go of the exchange. */
  #settle(sending: Sending, outcome: SendOutcome): void {
    if (sending.over) return
    sending.over = true
    this.#sendings.delete(sending)
    this.#drop(-sending.number)
    if (sending.sent !== undefined && !this.#shared) {
      const { exchange, abort } = sending.sent
      this.#drop(exchange)
      this.#byExchange.delete(exchange)
      this.#counts.delete(exchange)
      abort()
    }
    sending.settle(outcome)
  }

  #drop(exchange: number): void {
    const lane = this.#lanes.get(exchange)
    if (lane === undefined) return
    lane.clear()
    this.#lanes.delete(exchange)
    this.#overtakable.in.delete(lane)
    this.#overtakable.out.delete(lane)
    this.#aside.delete(lane)
  }

  #end(cause: Unreachable): void {
    this.#ended ??= cause
    for (const lane of [this.#out, ...this.#lanes.values()]) lane.clear()
  }

  #count(exchange: number): { arrived: number; delivered: number } {
    const known = this.#counts.get(exchange)
    if (known !== undefined) return known
    const count = { arrived: 0, delivered: 0 }
    this.#counts.set(exchange, count)
    return count
  }

  /** The origin by the number that the caller knows. */
  #own(origin: Origin): Origin {
    const exchange = this.#byExchange.get(origin.exchange)?.exchange ?? origin.exchange
    return exchange === origin.exchange ? origin : { ...origin, exchange }
  }
}

const gone = (target: string, what: string): Unreachable =>
  new Unreachable(explain("unreachable", "request", target, what))

/** What is held back here has not left. */
const overtakable = ({ sent }: Sending): number =>
  sent === undefined ? Infinity : (sent.overtakable?.() ?? 0)
