import {
  ProtocolViolation,
  explain,
  isTolerance,
  type Era,
  type JsonObject,
  type JsonRpcMessage,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type LoggingLevel,
  type NotTolerated,
  type TraceContext,
  type TransportError,
} from "@entente/protocol"
import type { Dressed, Dresser, Wishes } from "@entente/session"
import type {
  Channel,
  HttpRejection,
  Origin,
  Receiver,
  SendOutcome,
  Sent,
  Timers,
} from "@entente/transport"
import { Inbound, type InboundContext } from "./inbound.js"
import type { Observation } from "../telemetry/observation.js"
import type { Telemetry } from "../telemetry/telemetry.js"
import type { Reply } from "./reply.js"
import { RequestTable, type Pending } from "./request-table.js"
import { refusalOf, replyOf } from "./outcome-reply.js"
import { ProgressTable, type ProgressWish } from "./progress.js"
import { Resumption } from "./resumption.js"
import { ServerRequests, type ServerAnswer, type StopWork } from "./server-request.js"

/** How many answers to the server may wait to be written; one that reads none of them is not asking. */
const maxAnswersWaiting = 10_000

/** What the owner of a wire decides. */
export interface WireOwner {
  /**
   * A request of the server. `respond` is called once, now or later; with nothing where no answer may go
   * out (V26-ENV-06). The function returned stops the work on it: then nobody waits for an answer.
   */
  readonly asked: (
    request: JsonRpcRequest,
    respond: (answer: ServerAnswer | undefined) => void,
  ) => StopWork | undefined
  /** Whether a notification may say what it says in the place where it came (V26-HTTP-17). */
  readonly admits: (notification: JsonRpcNotification, origin: Origin) => boolean
  readonly notified: (notification: JsonRpcNotification, origin: Origin) => void
  /** A result for a request that nobody waits for any more. */
  readonly lateResult: (id: number, result: JsonObject) => void
  /** The session that a message of ours went out in is unknown to the server. */
  readonly sessionMissing: (rejection: HttpRejection) => void
  /**
   * The channel ended by itself, or what it carries is refused (`restart` false). Every pending request
   * is settled right after.
   */
  readonly closed: (cause: TransportError | NotTolerated, restart: boolean) => void
}

export interface RequestOptions {
  /** Milliseconds until the request is given up; Infinity for never. */
  readonly timeoutMs: number
  /** Asked when that time is up: how many more milliseconds to wait; 0 for none. Default: none. */
  readonly extend?: () => number
  /** Attaches a progress token; what is told of it restarts `timeoutMs`, unless `steady`. */
  readonly progress?: (ProgressWish & { readonly steady?: boolean }) | undefined
  /** Milliseconds after which no progress helps any more; Infinity by default. */
  readonly maxTotalTimeoutMs?: number
  /** What the dress puts on this message besides. */
  readonly wishes?: Wishes | undefined
  /** Whether giving up tells the server. Never for `initialize` (V25-LIFE-13) nor for a probe. */
  readonly cancellable: boolean
  /** The answer is meant to stay open; see `Outgoing`. */
  readonly standing?: boolean
  readonly extraHeaders?: Readonly<Record<string, string>> | undefined
  /** Another dress than the connection's own, during the handshake. */
  readonly dress?: Dresser
  /** What is told of the request, where that has begun already. */
  readonly observation?: Observation | undefined
}

export interface WireContext extends InboundContext {
  readonly timers: Timers
  /** From 0 up to 1, like `Math.random`: spreads pauses. */
  readonly random: () => number
  /** Who is told of requests, if anybody is. */
  readonly telemetry?: Telemetry | undefined
}

/** A request under way. */
export interface Handle {
  readonly id: number
  /** Settles the request as aborted, at once, and tells the server where it can be told. */
  readonly abort: (reason?: string) => void
}

/**
 * The data plane of one connection: messages go from the caller to the channel and back to the pending
 * request without an actor, a fiber or a schema in between. It knows eras only as far as the wire differs.
 */
export class Wire {
  readonly requests: RequestTable
  readonly progress: ProgressTable
  /** What goes with every message from now on; the handshake and renewals replace it. */
  dress: Dresser = (message) => ({ message, headers: {} })
  #channel: Channel | undefined
  #answersWaiting = 0
  /** Why the latest channel is no longer there. */
  #ended: TransportError | NotTolerated | undefined
  readonly #inbound: Inbound
  readonly #asked: ServerRequests
  readonly #context: WireContext
  readonly #owner: WireOwner

  constructor(context: WireContext, owner: WireOwner) {
    this.#context = context
    this.#owner = owner
    this.progress = new ProgressTable(context.notes, context.timers)
    this.requests = new RequestTable(context.timers, this.progress)
    this.#asked = new ServerRequests(owner.asked, (request, answer) =>
      this.#answer(request, answer),
    )
    this.#inbound = new Inbound(this.requests, context, {
      asked: (request) => this.#ask(request),
      notified: (notification, origin) => this.#notified(notification, origin),
      lateResult: owner.lateResult,
    })
  }

  /** Undecided until the handshake has come that far. */
  get era(): Era | undefined {
    return this.#inbound.era
  }

  /** Decides the era, and whether batches may arrive. */
  decideEra(era: Era, batching = false): void {
    this.#inbound.batching = batching
    this.#inbound.decide(era)
  }

  /**
   * Puts a freshly opened channel under the wire; whatever an older one still says is ignored. Returns the
   * cause where what the channel had to say ended it at once.
   */
  attach(channel: Channel): TransportError | NotTolerated | undefined {
    this.#asked.stop()
    this.#channel = channel
    this.#ended = undefined
    this.#inbound.begin(channel.exchanges)
    channel.listen(this.#receiverOf(channel))
    return this.#ended
  }

  /** Stops all work on what the server has asked so far: nobody waits for the answers any more. */
  forgetAsked(): void {
    this.#asked.stop()
  }

  /** Takes the channel away and settles what was pending. */
  detach(): void {
    this.#asked.stop()
    this.#channel = undefined
    this.requests.drain()({ _tag: "Lost", cause: undefined })
  }

  request(
    method: string,
    params: JsonObject | undefined,
    options: RequestOptions,
    settle: (reply: Reply) => void,
  ): Handle {
    const observed = options.observation ?? this.#observe(method, params, options)
    const pending = this.requests.add(
      method,
      observed === undefined ? settle : (reply) => (observed.replied(reply), settle(reply)),
    )
    const { id } = pending
    const abort = (reason?: string): void => this.#giveUp(id, options, { _tag: "Aborted" }, reason)
    const channel = this.#channel
    if (channel === undefined) {
      this.requests.settle(id, { _tag: "Lost", cause: undefined })
      return { id, abort }
    }
    const dressed = (options.dress ?? this.dress)(
      params === undefined
        ? { jsonrpc: "2.0", id, method }
        : { jsonrpc: "2.0", id, method, params },
      this.#wishes(pending, options, observed?.trace),
    )
    observed?.sent(id, dressed.headers)
    const { timeoutMs, maxTotalTimeoutMs = Infinity } = options
    const firstMs = Math.min(timeoutMs, maxTotalTimeoutMs)
    if (firstMs !== Infinity) this.#limit(pending, options, firstMs)
    const settled = (outcome: SendOutcome): void => {
      if (this.#resume(channel, pending, dressed, options, outcome)) return
      const reply = replyOf(id, outcome, this.#context.trace)
      if (reply !== undefined) this.requests.settle(id, reply)
    }
    pending.sent = this.#send(channel, dressed, options.extraHeaders, settled, options.standing)
    return { id, abort }
  }

  /** A request of the connection's own. One that stands until it is taken back has no duration to tell of. */
  #observe(
    method: string,
    params: JsonObject | undefined,
    { standing }: RequestOptions,
  ): Observation | undefined {
    return standing === true ? undefined : this.#context.telemetry?.begin(method, params)
  }

  /**
   * Which log messages were asked for by the request that a notification belongs to, or on a shared channel
   * by any that is under way (V26-LOG-02, V26-LOG-03).
   */
  askedToLog({ exchange }: Origin): LoggingLevel | undefined {
    return this.requests.logLevel(this.#channel?.exchanges === "per-request" ? exchange : undefined)
  }

  /** A request whose progress is followed has its token on it (V25-PROG-01, V26-PROG-01). */
  #wishes(
    pending: Pending,
    { wishes, progress }: RequestOptions,
    trace: TraceContext | undefined,
  ): Wishes | undefined {
    pending.logLevel = wishes?.logLevel
    const wished = trace === undefined ? wishes : { ...wishes, trace }
    if (progress === undefined) return wished
    pending.watch = this.progress.begin(pending.id, progress)
    const { token: progressToken } = pending.watch
    return wished === undefined ? { progressToken } : { ...wished, progressToken }
  }

  /** Goes after the answer of a request whose stream ended too early, where era and server allow it. */
  #resume(
    channel: Channel,
    pending: Pending,
    { resume }: Dressed,
    { extraHeaders }: RequestOptions,
    outcome: SendOutcome,
  ): boolean {
    const position = "position" in outcome ? outcome.position : undefined
    const { openStream } = channel
    if (position === undefined || resume === undefined || openStream === undefined) return false
    if (this.requests.get(pending.id) !== pending) return false
    const { target, timers, random } = this.#context
    const resumption = new Resumption({
      openStream,
      target,
      timers,
      random,
      resume,
      extraHeaders,
      position,
      exchange: pending.sent?.exchange ?? 0,
      cause: outcome._tag === "Failed" ? outcome.error : undefined,
      settle: (reply) => this.requests.settle(pending.id, reply),
    })
    pending.sent = resumption
    pending.finished = resumption.abort
    return true
  }

  /** Sends a notification; `settled` hears whether it was accepted. */
  notify(
    method: string,
    params: JsonObject | undefined,
    settled: (outcome: SendOutcome) => void = () => {},
  ): void {
    const channel = this.#channel
    if (channel === undefined) return settled({ _tag: "Aborted" })
    const message: JsonRpcNotification =
      params === undefined ? { jsonrpc: "2.0", method } : { jsonrpc: "2.0", method, params }
    const { dress } = this
    this.#send(channel, dress(message), undefined, (outcome) => {
      this.#watchSession(dress, outcome)
      settled(this.#acknowledged(method, outcome))
    })
  }

  #limit(pending: Pending, options: RequestOptions, ms: number, waited = 0): void {
    const afterMs = waited + ms
    this.requests.limit(pending, ms, () => {
      const more = options.extend?.() ?? this.#grace(pending, options, afterMs)
      if (more > 0) return this.#limit(pending, options, more, afterMs)
      const ceiling = afterMs >= (options.maxTotalTimeoutMs ?? Infinity)
      const reason = `no answer within ${afterMs} ms`
      this.#giveUp(pending.id, options, { _tag: "TimedOut", afterMs, ceiling }, reason)
    })
  }

  /** How much longer a request may take because the server told of its progress (V25-TIME-03, V26-PROG-04). */
  #grace({ watch }: Pending, options: RequestOptions, afterMs: number): number {
    if (watch?.lastAt === undefined || options.progress?.steady === true) return 0
    const silentMs = this.#context.timers.now() - watch.lastAt
    const { timeoutMs, maxTotalTimeoutMs = Infinity } = options
    return Math.min(timeoutMs - silentMs, maxTotalTimeoutMs - afterMs)
  }

  #send(
    channel: Channel,
    { message, headers }: Dressed,
    extraHeaders: Readonly<Record<string, string>> | undefined,
    settled: (outcome: SendOutcome) => void,
    standing = false,
  ): Sent {
    const outgoing =
      extraHeaders === undefined ? { message, headers } : { message, headers, extraHeaders }
    const sent = channel.send(standing ? { ...outgoing, standing } : outgoing, settled)
    const { trace } = this.#context
    if (trace.active) {
      trace.emit({ type: "frame", direction: "out", message, exchange: sent.exchange })
    }
    return sent
  }

  /** Settles a request from this side: at once here, then on the wire as era and channel ask. */
  #giveUp(id: number, options: RequestOptions, reply: Reply, reason: string | undefined): void {
    const sent = this.requests.settle(id, reply)?.sent
    if (sent === undefined) return
    // V26-HTTP-10: closing the response stream is the cancellation, and nothing else is sent.
    const closingSays = this.#channel?.exchanges === "per-request" && this.era === "modern"
    if (!options.cancellable || closingSays) return sent.abort()
    // V25-HTTP-09: a legacy server does not take a closed stream for a cancellation.
    this.#cancel(sent, reason === undefined ? { requestId: id } : { requestId: id, reason })
  }

  /** V25-CANC-09: where messages can overtake each other, a cancellation must not come first. */
  #cancel(sent: Sent, params: JsonObject): void {
    if (sent.overtakable?.() === Infinity) sent.abort()
    const waitMs = sent.overtakable?.() ?? 0
    // Nothing of the request has left, and now nothing will.
    if (waitMs === Infinity) return
    const channel = this.#channel
    const tell = (): void => {
      if (this.#channel !== channel) return
      this.notify("notifications/cancelled", params, () => sent.abort())
    }
    if (waitMs > 0) this.#context.timers.set(tell, waitMs)
    else tell()
  }

  /** Any 2xx acknowledges a notification, but only 202 should (V25-HTTP-05). */
  #acknowledged(method: string, outcome: SendOutcome): SendOutcome {
    if (outcome._tag !== "Ended" || outcome.status === 202) return outcome
    const { notes, target } = this.#context
    const detail = `${method} got HTTP ${outcome.status}`
    const refused = notes.tolerate("ack-was-not-202", "request", detail)
    if (refused === undefined) return outcome
    const fields = explain("invalid-message", "request", target, refused.message)
    const error = new ProtocolViolation({ ...fields, cause: refused })
    return { _tag: "Failed", error, mayHaveArrived: true }
  }

  #receiverOf(channel: Channel): Receiver {
    const isCurrent = (): boolean => this.#channel === channel
    return {
      message: (value, origin) => {
        if (isCurrent()) this.#inbound.receive(value, origin)
      },
      note: (note, origin) => {
        const { code, detail } = note
        if (!isTolerance(code)) return this.#context.notes.add(note)
        const refused = this.#context.notes.tolerate(code, "request", detail)
        if (refused === undefined || !isCurrent()) return
        // What belongs to one exchange ends that; what belongs to the channel ends all.
        if (origin !== undefined) return this.#inbound.refuse(refused, origin)
        channel.refuse?.(code)
        this.#close(refused, false)
      },
      unreadable: (error, origin) => {
        if (isCurrent()) this.#inbound.unreadable(error, origin)
      },
      closed: (cause) => {
        if (isCurrent()) this.#close(cause, true)
      },
    }
  }

  /** The owner hears it first, so that a request that is sent again waits for the next channel. */
  #close(cause: TransportError | NotTolerated, restart: boolean): void {
    this.#channel = undefined
    this.#ended = cause
    this.#asked.stop()
    const settle = this.requests.drain()
    this.#owner.closed(cause, restart)
    settle({ _tag: "Lost", cause })
  }

  #notified(notification: JsonRpcNotification, origin: Origin): void {
    if (!this.#owner.admits(notification, origin)) return
    const { method, params } = notification
    if (method === "notifications/progress") this.progress.receive(params)
    // V26-CANC-05: a modern server has no requests of its own that it could take back.
    if (method === "notifications/cancelled" && this.era !== "modern") this.#asked.cancel(params)
    this.#owner.notified(notification, origin)
  }

  #ask(request: JsonRpcRequest): void {
    if (this.#answersWaiting < maxAnswersWaiting) return this.#asked.ask(request)
    const detail = `${request.method}: ${maxAnswersWaiting} answers are still unread`
    this.#context.notes.add({ code: "server-request-refused", detail })
  }

  #answer(request: JsonRpcRequest, answered: ServerAnswer): void {
    const channel = this.#channel
    if (channel === undefined) return
    const message: JsonRpcMessage = { jsonrpc: "2.0", id: request.id, ...answered }
    const { dress } = this
    this.#answersWaiting++
    this.#send(channel, dress(message), undefined, (outcome) => {
      this.#answersWaiting--
      this.#watchSession(dress, outcome)
      const refused = refusalOf(outcome)
      if (refused === undefined) return
      // C043: some servers take their own ping for a one-way message. It is their loss alone.
      const detail = `the answer to ${request.method}: ${refused}`
      this.#context.notes.add({ code: "reply-refused", detail })
    })
  }

  /** A late failure, of a session that was renewed meanwhile, wears another dress than the current one. */
  #watchSession(dress: Dresser, outcome: SendOutcome): void {
    if (outcome._tag !== "Rejected" || outcome.rejection.status !== 404) return
    if (this.#channel !== undefined && this.dress === dress) {
      this.#owner.sessionMissing(outcome.rejection)
    }
  }
}
