import * as Effect from "effect/Effect"
import {
  explain,
  isJsonObject,
  type ReplayDiverged,
  Unreachable,
  type InvalidInput,
  type TransportError,
} from "@entente/protocol"
import { Inbox } from "../inbox.js"
import type { Timer, Timers } from "../timers.js"
import type { StreamEvent } from "@entente/trace"
import type {
  Channel,
  Origin,
  Outgoing,
  SendOutcome,
  Sent,
  StreamListener,
  StreamRequest,
} from "../transport.js"
import { diverged } from "./divergence.js"
import { errorOf, transportErrorOf } from "./error-record.js"
import { nextTurn } from "./next-turn.js"
import { legible, noteOf, outcomeOf, streamEndOf } from "./recorded-values.js"
import type { Opening } from "./recording.js"
import { Renaming } from "./renaming.js"
import {
  labelOf,
  paramsOf,
  planOf,
  streamLabel,
  type Ask,
  type Step,
  type Tell,
} from "./replay-plan.js"

export interface ReplayChannelOptions {
  readonly opening: Opening
  readonly timers: Timers
  /** How many times faster than it was recorded; Infinity for without any pause. */
  readonly speed: number
  readonly patienceMs: number
  /** Hears of every divergence. */
  readonly diverged: (error: ReplayDiverged) => void
}

/** A message of the present client, or a stream it opened, that was found in the recording. */
interface Taken {
  readonly at: number
  readonly settle: (outcome: SendOutcome) => void
  readonly listener?: StreamListener
}

/**
 * Turns of the event loop between two things that were apart in time: enough for a client to finish
 * what the first one started.
 */
const turnsApart = 8

/**
 * Plays one recorded opening. What the server said is said again, in the recorded order; each thing
 * waits until the client has sent what it had sent by then. A client that does something else instead is
 * waited for with patience, then what it left out is left out.
 */
export class ReplayChannel {
  readonly inbox = new Inbox()
  readonly #options: ReplayChannelOptions
  readonly #steps: ReadonlyArray<Step>
  readonly #asked: ReadonlyArray<{ readonly what: string; readonly outcome: unknown }>
  /** What the client has not sent yet, by label. */
  readonly #expected = new Map<string, Array<Ask>>()
  /** What it has sent and not heard the whole answer to. */
  readonly #open = new Set<Ask>()
  readonly #renaming = new Renaming()
  readonly #taken = new Map<Ask, Taken>()
  /** Closed by the client: nothing more is heard of their exchanges. */
  readonly #aborted = new Set<Ask>()
  /** Not waited for any more, with what was recorded for them so far. */
  readonly #leftOut = new Map<Ask, Array<Tell>>()
  readonly #exchanges = new Map<number, number>()
  readonly #headers = new Map<number, NonNullable<Origin["headers"]>>()
  readonly #unsettled = new Set<(outcome: SendOutcome) => void>()
  readonly #timers = new Set<Timer>()
  #next = 0
  #asks = 0
  #numbers = 0
  #waiting = false
  #patience: Timer
  /** When the latest step happened, then and now. */
  #then: number
  #now: number
  #ended: TransportError | undefined

  constructor(options: ReplayChannelOptions) {
    this.#options = options
    this.#steps = planOf(options.opening)
    for (const step of this.#steps) {
      if (step.kind !== "ask") continue
      const same = this.#expected.get(step.label)
      if (same === undefined) this.#expected.set(step.label, [step])
      else same.push(step)
    }
    this.#asked = options.opening.events.filter((event) => event.type === "ask")
    this.#then = options.opening.events[0]?.at ?? 0
    this.#now = options.timers.now()
  }

  get channel(): Channel {
    const { exchanges } = this.#options.opening
    return {
      exchanges,
      listen: (receiver) => {
        this.inbox.listen(receiver)
        this.#advance()
      },
      send: this.#send,
      ...(exchanges === "per-request" && {
        endSession: () => this.#endSession,
        openStream: this.#openStream,
      }),
    }
  }

  release(): void {
    this.inbox.shut()
    this.#end(closedBefore(this.#options.opening.target))
    for (const settle of this.#unsettled) settle({ _tag: "Aborted" })
  }

  readonly #send = ({ message }: Outgoing, settled: (outcome: SendOutcome) => void): Sent => {
    const shared = this.#options.opening.exchanges === "shared"
    const exchange = shared ? 0 : ++this.#numbers
    const settle = (outcome: SendOutcome): void => {
      if (this.#unsettled.delete(settle)) settled(outcome)
    }
    this.#unsettled.add(settle)
    const fail = (error: TransportError, mayHaveArrived: boolean): Sent => {
      queueMicrotask(() => settle({ _tag: "Failed", error, mayHaveArrived }))
      return { exchange, abort: () => {} }
    }
    if (this.#ended !== undefined) return fail(this.#ended, false)
    const ask = this.#take(labelOf(message), paramsOf(message))
    if (ask === undefined) {
      const error = this.#divergence(labelOf(message))
      this.#notice(error, message)
      return fail(error, true)
    }
    if (!shared) this.#exchanges.set(ask.exchange, exchange)
    this.#renaming.learn(ask.message, message)
    if (ask.unanswered !== undefined) this.#limit(ask, ask.unanswered, settle)
    this.#begin(ask, { at: this.#options.timers.now(), settle })
    return { exchange, abort: shared ? () => {} : () => this.#abort(ask) }
  }

  /** Streams are opened in the recorded order; the rest of one belongs to the exchange it continues. */
  readonly #openStream = (request: StreamRequest, listener: StreamListener): Sent => {
    const exchange = request.exchange ?? ++this.#numbers
    const ask = this.#ended === undefined ? this.#take(streamLabel, "") : undefined
    if (ask === undefined) {
      let heard = true
      const error = this.#ended ?? this.#divergence(streamLabel)
      if (error._tag === "ReplayDiverged") this.#options.diverged(error)
      queueMicrotask(() => {
        if (heard) listener.ended({ _tag: "Failed", error, mayHaveArrived: true })
      })
      return { exchange, abort: () => void (heard = false) }
    }
    this.#exchanges.set(ask.exchange, exchange)
    this.#begin(ask, { at: this.#options.timers.now(), settle: () => {}, listener })
    return { exchange, abort: () => this.#abort(ask) }
  }

  /** Something of the client was found: what was recorded for it may be told. */
  #begin(ask: Ask, taken: Taken): void {
    this.#taken.set(ask, taken)
    if (ask.owed > 0) this.#open.add(ask)
    this.#stopPatience()
    const late = this.#leftOut.get(ask)
    if (late === undefined) this.#advance()
    else this.#catchUp(ask, late)
  }

  #abort(ask: Ask): void {
    this.#aborted.add(ask)
    this.#open.delete(ask)
    this.#taken.get(ask)?.settle({ _tag: "Aborted" })
  }

  /**
   * The message in the recording that this one stands for: by method and order, and of several that are
   * still to come rather the one with the same parameters.
   */
  #take(label: string, params: string): Ask | undefined {
    const expected = this.#expected.get(label) ?? []
    const same = expected.findIndex((ask) => ask.params === params)
    return expected.splice(Math.max(same, 0), 1)[0]
  }

  #divergence(came: string, why = "is not in it any more"): ReplayDiverged {
    const expected = this.#steps.find(
      (step): step is Ask => step.kind === "ask" && !this.#taken.has(step),
    )
    const position = expected?.seq ?? this.#options.opening.events.at(-1)?.seq ?? 0
    return diverged(this.#options.opening.target, position, expected?.label, came, why)
  }

  /** Nobody hears the failure of a message that is no request, so that it is noted as well. */
  #notice(error: ReplayDiverged, message: unknown): void {
    this.#options.diverged(error)
    if (isJsonObject(message) && "id" in message && "method" in message) return
    const detail = `${error.came} at event ${error.position}, where ${error.expected} was expected`
    queueMicrotask(() => this.inbox.note({ code: "replay-diverged", detail }))
  }

  /** No answer was recorded: the client gives up as it did then, or it hears that there is none. */
  #limit(ask: Ask, afterMs: number, settle: (outcome: SendOutcome) => void): void {
    this.#set(() => {
      if (!this.#unsettled.has(settle)) return
      const { target, events } = this.#options.opening
      const why = `has no answer in it: it was given up after ${afterMs} ms, or the recording ended`
      const last = events.at(-1)?.seq ?? 0
      const error = diverged(target, last, undefined, `waiting for ${ask.label}`, why)
      this.#options.diverged(error)
      settle({ _tag: "Failed", error, mayHaveArrived: true })
    }, afterMs + this.#options.patienceMs)
  }

  #advance(): void {
    while (!this.#waiting && this.#ended === undefined) {
      const step = this.#steps[this.#next]
      if (step === undefined) return
      if (step.kind === "tell") {
        if (this.#passes(step)) this.#next++
        else this.#schedule(step)
        continue
      }
      const taken = this.#taken.get(step)
      if (taken !== undefined) this.#happened(step.at, Math.max(taken.at, this.#now))
      else if (!this.#leftOut.has(step)) return this.#wait()
      this.#next++
    }
  }

  /** What is not told, or not yet: its message was left out, or the client has closed its exchange. */
  #passes(tell: Tell): boolean {
    const { ask } = tell
    if (ask === undefined) return false
    const taken = this.#taken.get(ask)
    if (taken === undefined) {
      this.#leftOut.get(ask)?.push(tell)
      return true
    }
    return this.#aborted.has(ask)
  }

  #schedule(tell: Tell): void {
    this.#waiting = true
    const due = this.#now + (tell.at - this.#then) / this.#options.speed
    this.#after(due - this.#options.timers.now(), tell.at > this.#then, () => {
      this.#waiting = false
      this.#next++
      // By the plan and not by the clock, so that what is late by a little does not make all else late.
      this.#happened(tell.at, due)
      if (!this.#passes(tell)) this.#tell(tell)
      this.#advance()
    })
  }

  /** A message that was left out came after all: what was recorded for it is told now. */
  #catchUp(ask: Ask, tells: ReadonlyArray<Tell>, from = ask.at): void {
    const [tell, ...rest] = tells
    if (tell === undefined) return
    this.#after((tell.at - from) / this.#options.speed, true, () => {
      if (this.#ended !== undefined || this.#aborted.has(ask)) return
      this.#tell(tell)
      this.#catchUp(ask, rest, tell.at)
    })
  }

  #after(ms: number, apart: boolean, run: () => void): void {
    if (this.#options.speed !== Infinity && ms > 0) return this.#set(run, Math.ceil(ms))
    const turn = (left: number): void =>
      nextTurn(() => (left > 1 ? turn(left - 1) : this.#ended === undefined && run()))
    turn(apart && this.#options.speed === Infinity ? turnsApart : 1)
  }

  #set(run: () => void, ms: number): void {
    const timer: Timer = this.#options.timers.set(() => {
      this.#timers.delete(timer)
      if (this.#ended === undefined) run()
    }, ms)
    this.#timers.add(timer)
  }

  /**
   * The client has not sent what comes next. Where something else of it waits for an answer that is
   * recorded further on, patience is limited: then everything before that answer is left out.
   */
  #wait(): void {
    if (this.#open.size === 0 || this.#patience !== undefined) return
    const needed = this.#steps.findIndex(
      (step, index) => index > this.#next && this.#isAwaited(step),
    )
    if (needed < 0) return
    this.#patience = this.#options.timers.set(() => {
      this.#patience = undefined
      for (const step of this.#steps.slice(this.#next, needed)) {
        if (step.kind === "ask" && !this.#taken.has(step)) this.#leftOut.set(step, [])
      }
      this.#advance()
    }, this.#options.patienceMs)
  }

  #isAwaited(step: Step): boolean {
    if (step.kind === "ask") return false
    if (step.ask !== undefined) return this.#taken.has(step.ask) && !this.#passes(step)
    return step.event.type === "channel"
  }

  #stopPatience(): void {
    if (this.#patience !== undefined) this.#options.timers.clear(this.#patience)
    this.#patience = undefined
  }

  #happened(then: number, now: number): void {
    this.#then = then
    this.#now = now
  }

  #tell({ event, ask }: Tell): void {
    const { target } = this.#options.opening
    if (ask !== undefined && --ask.owed === 0) this.#open.delete(ask)
    switch (event.type) {
      case "frame": {
        const { message, exchange, headers } = event
        return this.inbox.message(this.#renaming.apply(message), this.#origin(exchange, headers))
      }
      case "outcome":
        return ask && this.#taken.get(ask)?.settle(outcomeOf(event.outcome, target, this.#renaming))
      case "stream":
        return this.#tellStream(event, ask && this.#taken.get(ask)?.listener)
      case "unreadable": {
        const error = transportErrorOf(event.error, target)
        return this.inbox.unreadable(error, this.#origin(event.exchange))
      }
      case "note":
        return this.inbox.note(noteOf(event.code, event.detail))
      case "channel": {
        const cause = transportErrorOf(event.error, target)
        this.#end(cause)
        this.inbox.closed(cause)
        for (const settle of this.#unsettled) {
          settle({ _tag: "Failed", error: cause, mayHaveArrived: true })
        }
      }
    }
  }

  #tellStream({ event, end }: StreamEvent, listener: StreamListener | undefined): void {
    if (event === "opened") listener?.opened()
    else if (event === "delivered") listener?.delivered()
    else listener?.ended(streamEndOf(end, this.#options.opening.target, this.#renaming))
  }

  #origin(recorded = 0, headers?: Origin["headers"]): Origin {
    if (this.#options.opening.exchanges === "shared") return { exchange: 0 }
    // An exchange that no message opened is one of the server's own streams.
    const exchange = this.#exchanges.get(recorded) ?? ++this.#numbers
    this.#exchanges.set(recorded, exchange)
    if (headers !== undefined) this.#headers.set(recorded, legible(headers))
    const known = this.#headers.get(recorded)
    return known === undefined ? { exchange } : { exchange, headers: known }
  }

  get #endSession(): Effect.Effect<number, TransportError | InvalidInput> {
    return Effect.suspend(() => {
      const { target } = this.#options.opening
      const asked = this.#asked.filter(({ what }) => what === "endSession")[this.#asks++]
      const outcome = isJsonObject(asked?.outcome) ? asked.outcome : {}
      if (typeof outcome["value"] === "number") return Effect.succeed(outcome["value"])
      if ("error" in outcome) return Effect.fail(errorOf(outcome["error"], target))
      return Effect.fail(this.#divergence("DELETE"))
    })
  }

  #end(cause: TransportError): void {
    this.#ended ??= cause
    this.#stopPatience()
    for (const timer of this.#timers) this.#options.timers.clear(timer)
    this.#timers.clear()
  }
}

const closedBefore = (target: string): Unreachable =>
  new Unreachable(explain("unreachable", "request", target, "The channel was closed before."))
