import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import type * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import type { Actor } from "xstate"
import {
  ConnectionClosed,
  Unreachable,
  explain,
  missingCapability,
  requestRow,
  unflaggedCapability,
  type EntenteError,
  type JsonObject,
  type JsonRpcNotification,
  type LoggingLevel,
} from "@entente/protocol"
import {
  capabilitiesOf,
  isDiscoverResult,
  type AcknowledgedFilter,
  type Agreement,
  type connectionMachine,
  type ConnectionOutcome,
  type Fork,
  type LegacyAgreement,
  type NegotiationInput,
  type Opened,
} from "@entente/session"
import { CurrentTrace, type Trace } from "@entente/trace"
import type { HttpRejection, Origin, Timers, Transport, TransportKind } from "@entente/transport"
import { connectionActor, finish, negotiate, type ChartRunner } from "./charts.js"
import { keepAlive } from "./keep-alive.js"
import { KnownVerdict } from "./known-verdict.js"
import { filterOf } from "../subscription/listen-filter.js"
import { LogFilter } from "../logging/log-filter.js"
import { Listening } from "../subscription/listening.js"
import type { SessionOwner } from "../session/legacy-session.js"
import { Listeners } from "../wire/listeners.js"
import type { NoteBook } from "../wire/note-book.js"
import { assemble, type LifeParts, type Surroundings } from "./life-parts.js"
import { middlewareOf, type ConnectOptions, type Deadlines } from "../options.js"
import type { Middleware } from "../middleware/middleware.js"
import { filterNotifications } from "../middleware/notification-filter.js"
import { Readiness, type Waiter } from "./readiness.js"
import { offerFault } from "../question/capabilities.js"
import type { Questions } from "../question/questions.js"
import { defaultRounds, type RoundBounds } from "../rounds/round-bounds.js"
import { rejectionError } from "@entente/transport"
import type { SessionKeeper } from "../session/session-keeper.js"
import { versionRemedy } from "../handshake/version-refused.js"
import { detached, telemetryFor } from "../telemetry/telemetry-for.js"
import type { Telemetry } from "../telemetry/telemetry.js"
import type { Wire } from "../wire/wire.js"

/** How a connection stands: the states of its chart, as users see them. */
export type LifeState =
  | "idle"
  | "opening"
  | "negotiating"
  | "ready"
  | "recovering"
  | "closing"
  | "closed"
  | "failed"

/**
 * The life of one connection: runs the charts over a transport, and tells the data plane what they
 * decided. Everything it starts is gone when it is closed.
 */
export class Life {
  readonly transport: Transport
  /** What is heard of notifications, states, losses and recoveries. */
  readonly notified = new Listeners<JsonRpcNotification>()
  readonly stateChanged = new Listeners<LifeState>()
  readonly interrupted = new Listeners<void>()
  readonly recovered = new Listeners<void>()
  /** What the server could not have been heard of for a while, and of what it is heard again. */
  readonly missed = new Listeners<AcknowledgedFilter>()
  readonly heardAgain = new Listeners<AcknowledgedFilter>()
  /** The connection is about to be closed from here; what is sent now may still arrive. */
  readonly leaving = new Listeners<void>()
  /** A result that came after its caller had given up on it. */
  readonly lateAnswer = new Listeners<JsonObject>()
  readonly listening: Listening
  readonly timings = { openMs: 0, negotiateMs: 0 }
  /** What stands around every exchange, the outermost first. */
  readonly middleware: ReadonlyArray<Middleware>
  /** Who is told of every request, if anybody is. */
  readonly telemetry: Telemetry | undefined
  readonly logs: LogFilter
  readonly #options: ConnectOptions
  readonly #trace: Trace
  readonly #parts: LifeParts
  readonly #verdict: KnownVerdict
  readonly #actor: Actor<typeof connectionMachine>
  readonly #readiness = new Readiness()
  readonly #unknown = new Set<string>()
  #state: LifeState = "idle"
  #agreement: Agreement | undefined
  #transportKind: TransportKind
  #wasReady = false
  #openedAt = 0
  #stopKeepAlive: () => void = () => {}

  constructor(transport: Transport, options: ConnectOptions, surroundings: Surroundings) {
    if (options.onNotification) this.notified.add(options.onNotification)
    this.transport = transport
    this.#transportKind = transport.kind
    this.#options = options
    this.#trace = surroundings.trace
    this.middleware = middlewareOf(options)
    this.telemetry = surroundings.telemetry
    this.#parts = assemble(transport, options, surroundings, ({ asked, notes }) => {
      const tell = filterNotifications(this.middleware, notes, (notification) =>
        this.notified.tell(notification),
      )
      return {
        asked,
        admits: (notification, origin) =>
          this.listening.open.admits(this.wire.era, notification, origin),
        notified: (notification, origin) => {
          if (this.#noticed(notification, origin)) tell(notification)
        },
        lateResult: (id, result) => this.#lateResult(id, result),
        sessionMissing: (rejection) => this.#sessionMissing(rejection),
        closed: (error, restart) => this.#lose(error, restart),
      }
    })
    const { runner, handshake, negotiation, reconnect, ears, questions, verdicts } = this.#parts
    this.#verdict = new KnownVerdict(transport, options.mode, verdicts, this.timers.now)
    this.logs = new LogFilter(this.#parts.notes, this.#parts.timers.now)
    if (options.onQuestionRefused) questions.refused.add(options.onQuestionRefused)
    this.listening = new Listening(ears, {
      offered: (wanted) => filterOf(wanted, this.agreement.revision, this.capabilities),
      announces: (notice) => this.missing(notice) === undefined,
      missed: (covered) => this.missed.tell(covered),
      caughtUp: (covered) => this.heardAgain.tell(covered),
      unreachable: (error) => this.unreachable(error),
    })
    this.#actor = connectionActor(
      runner,
      handshake,
      { open: this.#open, release: this.#release },
      { negotiation, reconnect, random: Math.random },
    )
    this.#actor.subscribe({ next: () => this.#observe(), error: (defect) => this.#break(defect) })
  }

  get notes(): NoteBook {
    return this.#parts.notes
  }

  get wire(): Wire {
    return this.#parts.wire
  }

  /** What this side answers when the server asks. */
  get questions(): Questions {
    return this.#parts.questions
  }

  get timers(): Timers {
    return this.#parts.timers
  }

  /** What further charts of this connection run on. */
  get runner(): ChartRunner {
    return this.#parts.runner
  }

  get deadlines(): Deadlines {
    return this.#parts.deadlines
  }

  get sessions(): SessionKeeper {
    return this.#parts.sessions
  }

  get target(): string {
    return this.transport.target
  }

  /** How the messages travel: as the transport says, or as what it fell back to. */
  get transportKind(): TransportKind {
    return this.#transportKind
  }

  get state(): LifeState {
    return this.#state
  }

  /** Whether requests may be sent now. */
  get ready(): boolean {
    return this.#readiness.ready
  }

  /** Whether nothing will ever come of this connection again. */
  get ended(): boolean {
    return this.#readiness.ended
  }

  /** What was agreed on; the latest, while the connection recovers. */
  get agreement(): Agreement {
    if (this.#agreement === undefined) throw new Error("Read before the connection was ready")
    return this.#agreement
  }

  get capabilities(): JsonObject {
    return capabilitiesOf(this.agreement)
  }

  /** What this client declares. */
  get clientCapabilities(): JsonObject {
    return this.questions.declared(this.agreement.era)
  }

  get rounds(): Required<RoundBounds> {
    return { ...defaultRounds, ...this.#options.rounds }
  }

  /** What every modern request asks for that names no level of its own (V26-LOG-01). */
  get logLevel(): LoggingLevel | undefined {
    const { wanted } = this.logs
    return wanted === "none" ? undefined : wanted
  }

  /** The capability that a method needs and the server did not declare, or turned out not to have. */
  missing(method: string): string | undefined {
    const { revision } = this.agreement
    return this.#unknown.has(method)
      ? unflaggedCapability(method, revision)
      : missingCapability(method, revision, this.capabilities)
  }

  /**
   * The server does not know a method: where its revision has no flag for that, this is how it says what it
   * lacks, and what it is not asked again (V25-CAP-11).
   */
  unknown(method: string): string | undefined {
    const capability = unflaggedCapability(method, this.agreement.revision)
    if (capability !== undefined) this.#unknown.add(method)
    else if (requestRow(method)?.gate !== undefined) this.#verdict.doubtDiscovery()
    return capability
  }

  /** Waits for the connection; the function returned gives up waiting. */
  whenReady(waiter: Waiter): () => void {
    return this.#readiness.wait(waiter)
  }

  /** Runs something beside the calls; it ends with the scope of the connection. */
  background(effect: Effect.Effect<void>): Fiber.Fiber<void> {
    return this.#parts.runner.fork(effect)
  }

  /** Starts what runs beside the calls; see `background`. */
  get fork(): Fork {
    return this.#parts.runner.fork
  }

  /** Hears of the end of the connection, at once where it has come; the function returned stops that. */
  whenEnded(waiter: (failure: EntenteError) => void): () => void {
    return this.#readiness.waitForEnd(waiter)
  }

  /** Fails when nothing will come of the connection any more; until then it waits. */
  get untilEnded(): Effect.Effect<never, EntenteError> {
    return Effect.callback((resume) =>
      Effect.sync(this.whenEnded((failure) => resume(Effect.fail(failure)))),
    )
  }

  /** Starts, and succeeds when the connection is ready. */
  get start(): Effect.Effect<void, EntenteError> {
    return Effect.callback((resume) => {
      this.#actor.start()
      this.#actor.send({ type: "open" })
      const stop = this.whenReady((failure) =>
        resume(failure === undefined ? Effect.void : Effect.fail(failure)),
      )
      return Effect.sync(stop)
    })
  }

  /** Ends everything; succeeds when it is gone. */
  get close(): Effect.Effect<void> {
    return finish(this.#actor, { type: "close" })
  }

  /** A request did not even arrive: the server is away, and the connection goes after it. */
  unreachable(error: EntenteError): void {
    if (this.ready) this.#lose(error)
  }

  /** Neither a ping nor a list request was answered (C109). */
  silent(method: string, afterMs: number): void {
    const what = `Neither ping nor ${method} was answered within ${afterMs} ms each.`
    this.unreachable(new Unreachable(explain("unreachable", "recover", this.target, what)))
  }

  /**
   * A modern server refused the version of a request. Undefined where sending it again makes sense; else
   * the error to end with.
   */
  versionRefused(data: unknown, resends: number, refusal: EntenteError): EntenteError | undefined {
    if (this.agreement.era === "legacy") return refusal
    const mode = this.#options.mode ?? "auto"
    const remedy = versionRemedy(data, resends, { mode, target: this.target, refusal })
    switch (remedy._tag) {
      case "GiveUp":
        return remedy.error
      case "AskAgain":
        this.wire.dress = this.#parts.identities.modern(remedy.revision)
        return undefined
      case "Initialize": {
        const { revision } = remedy
        const at = new Date(this.timers.now()).toISOString()
        const evidence = `a request was refused with versions up to ${revision}`
        this.#actor.send({
          type: "verdictContradicted",
          attempt: { what: "a request", outcome: refusal.message },
          error: refusal,
          proves: { era: "legacy", revision, evidence, at, quirks: [] },
        })
        return this.ready ? refusal : undefined
      }
    }
  }

  get #open(): Effect.Effect<Opened> {
    return Effect.suspend(() => {
      const startedAt = this.timers.now()
      return Effect.tap(this.#parts.handshake.open, () =>
        Effect.sync(() => {
          this.#openedAt = this.timers.now()
          this.timings.openMs = this.#openedAt - startedAt
        }),
      )
    })
  }

  /** Gives everything back: requests, session, channel. */
  get #release(): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      this.#stopKeepAlive()
      this.listening.stop()
      const error = this.#closed("The connection was closed before the answer came.")
      this.wire.requests.drain()({ _tag: "Failed", error, mayHaveArrived: true })
      this.leaving.tell()
      yield* this.sessions.end
      this.wire.detach()
      yield* this.#parts.channel.close
    })
  }

  #closed(what: string, cause?: EntenteError): ConnectionClosed {
    const fields = explain("closed", "request", this.target, what)
    return new ConnectionClosed(cause === undefined ? fields : { ...fields, cause })
  }

  /** What the connection itself makes of a notification; whether anybody else is to hear of it. */
  #noticed(notification: JsonRpcNotification, origin: Origin): boolean {
    if (!this.logs.admits(notification, origin, this.wire)) return false
    const { method, params } = notification
    if (method === "notifications/elicitation/complete" && this.wire.era === "legacy") {
      const id = params?.["elicitationId"]
      if (typeof id === "string") this.questions.complete(id)
    }
    return true
  }

  #lateResult(id: number, result: JsonObject): void {
    if (!this.#parts.handshake.isProbe(id)) {
      if (this.#agreement !== undefined) this.lateAnswer.tell(result)
      return
    }
    const { negotiate } = this.#actor.getSnapshot().children
    if (negotiate !== undefined) return negotiate.send({ type: "lateDiscover", result })
    if (!this.ready || !isDiscoverResult(result)) return
    // Too late for this connection, but the next one begins where this one could not.
    this.notes.add({ code: "late-discover", detail: `the answer to request ${id}` })
    this.#verdict.learnLate(this.agreement.verdict, result)
  }

  /** V25-HTTP-32: a 404 to an answer or a notification of ours tells of the session too. */
  #sessionMissing(rejection: HttpRejection): void {
    const { generation } = this.sessions
    this.sessions.gone("missing", generation, rejectionError(rejection, this.target))
  }

  #lose(error: EntenteError, restart = true): void {
    this.sessions.drop()
    this.#actor.send({ type: "channelLost", error, restart })
  }

  /** Follows the chart. */
  #observe(): void {
    const { value, context, output } = this.#actor.getSnapshot()
    const top = typeof value === "string" ? value : Object.keys(value)[0]
    const state = top as LifeState // the chart's own top states
    const before = this.#state
    if (state === "ready" && context.agreement !== undefined) this.#adopt(context.agreement)
    if (state === before) return
    this.#state = state
    if (state === "ready") this.#becomeReady(before)
    else this.#pause()
    // Also where nothing is tried again: what was listed may be out of date from now on (C118).
    if (before === "ready") this.interrupted.tell()
    if (output !== undefined) this.#end(output)
    this.stateChanged.tell(state)
  }

  #pause(): void {
    this.#readiness.pause()
    this.#parts.asked.pause()
    this.listening.stop()
  }

  #becomeReady(before: LifeState): void {
    this.#readiness.open()
    this.listening.start()
    if (before === "recovering") this.recovered.tell()
    // The first time may come after a recovery too, when the channel was lost during the handshake.
    if (this.#wasReady) return
    this.#wasReady = true
    this.timings.negotiateMs = this.timers.now() - this.#openedAt
    if (this.#options.keepAlive) this.#stopKeepAlive = keepAlive(this, this.#options.keepAlive)
  }

  #end(outcome: ConnectionOutcome): void {
    this.telemetry?.ended(outcome._tag === "Closed" ? undefined : outcome.error)
    if (outcome._tag === "Closed") {
      const error = this.#closed("The connection is closed.")
      return this.#readiness.end(error, error)
    }
    const { error } = outcome
    const { code, stage, message } = error
    if (this.#trace.active) this.#trace.emit({ type: "error", code, stage, message })
    this.#readiness.end(error, this.#closed(`The connection has failed: ${message}`, error))
  }

  /** A chart that breaks is a fault of this program; the connection ends with it, and says so. */
  #break(defect: unknown): void {
    const fields = explain("closed", "recover", this.target, "The connection broke down.")
    const error = new ConnectionClosed({ ...fields, cause: defect })
    this.#readiness.end(error, error)
  }

  #adopt(agreement: Agreement): void {
    if (agreement === this.#agreement) return
    const again = this.#agreement !== undefined
    const renewed = this.sessions.holding
    this.#agreement = agreement
    this.#unknown.clear()
    this.#transportKind = this.#parts.channel.spoken.kind
    this.telemetry?.agreed(agreement.revision, this.#transportKind)
    for (const note of agreement.notes) this.notes.add(note)
    this.#verdict.learn(agreement.verdict)
    this.wire.decideEra(agreement.era, agreement.revision === "2025-03-26")
    if (agreement.era === "modern")
      this.wire.dress = this.#parts.identities.modern(agreement.revision)
    else if (this.transportKind === "streamable-http") {
      this.sessions.hold(agreement, () => this.#sessionOwner(agreement))
    }
    const detail = `${agreement.era} ${agreement.revision}`
    if (again) this.notes.add({ code: renewed ? "session-renewed" : "reconnected", detail })
  }

  #sessionOwner({ verdict }: LegacyAgreement): SessionOwner {
    const input: NegotiationInput = { ...this.#parts.negotiation, mode: "legacy", prior: verdict }
    return {
      negotiate: negotiate(this.#parts.runner, this.#parts.handshake, input),
      end: Effect.suspend(() => {
        const { headers } = this.wire.dress({ jsonrpc: "2.0", method: "DELETE" })
        const ending = this.#parts.channel.channel?.endSession?.(headers) ?? Effect.void
        return Effect.ignore(ending) // 405, 404 and a network failure are all as good (V25-HTTP-34)
      }),
      expired: () => this.#actor.send({ type: "sessionExpired" }),
      renewed: (agreement) => this.#actor.send({ type: "sessionRenewed", agreement }),
      dead: (error) => this.#actor.send({ type: "sessionDead", error }),
    }
  }
}

/** Opens a connection that is closed with the scope. */
export const openLife = (
  transport: Transport,
  options: ConnectOptions,
): Effect.Effect<Life, EntenteError, Scope.Scope> =>
  Effect.gen(function* () {
    const { handlers = {}, capabilities = {} } = options
    const fault = offerFault(handlers, capabilities, transport.target)
    if (fault !== undefined) return yield* fault
    const clock = yield* Clock.Clock
    const trace = options.trace ?? (yield* CurrentTrace)
    // Made before the charts, so that the scope waits for what they interrupt (see `Fork`).
    const telemetry = yield* telemetryFor(transport, options.telemetry)
    const forking = FiberSet.makeRuntime()
    const fork = yield* telemetry === undefined ? forking : detached(forking)
    const life = new Life(transport, options, { trace, clock, fork, telemetry })
    yield* Effect.addFinalizer(() => life.close)
    yield* life.start
    return life
  })
