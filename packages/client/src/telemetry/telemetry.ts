import type * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Tracer from "effect/Tracer"
import {
  isBaggage,
  type EntenteError,
  type JsonObject,
  type JsonRpcRequest,
  type TraceContext,
} from "@entente/protocol"
import type { TransportKind } from "@entente/transport"
import type { NoteBook } from "../wire/note-book.js"
import type { CallExtras } from "../call/call-options.js"
import { Durations } from "./durations.js"
import { Observation, errorAttributes, type ObservationContext } from "./observation.js"
import { describeRequest, mostLetters } from "./request-attributes.js"
import { serverPlace, type Attributes } from "./server-place.js"
import { ServedQuestion } from "./served-question.js"
import { SessionNames } from "./session-name.js"
import { contextOf, remoteSpan } from "./span-context.js"
import type { TelemetryOptions } from "./telemetry-options.js"
import { TraceThread, threadIn } from "./trace-thread.js"

/** What a connection is opened in, as far as it matters here. */
export interface TelemetrySurroundings {
  readonly target: string
  readonly kind: TransportKind
  readonly clock: Clock.Clock
  /** Of the effect that connects: its tracer, its span, its metric registry. */
  readonly context: Context.Context<never>
}

/** What is told of one connection to tracers and meters. Where nobody is to be told there is none. */
export class Telemetry {
  /** Where faults of those who are told are noted, once the connection is made. */
  notes: NoteBook | undefined
  readonly #tracer: Tracer.Tracer | undefined
  readonly #durations: Durations | undefined
  readonly #options: TelemetryOptions
  readonly #observing: ObservationContext
  readonly #now: () => bigint
  /** What was found out about the connection. */
  #surroundings: Attributes
  /** The handshake belongs to whoever connects; what the connection does later by itself, to nobody. */
  #own: TraceThread | undefined
  #readyAt: bigint | undefined

  constructor(options: TelemetryOptions, surroundings: TelemetrySurroundings) {
    const { target, kind, clock, context } = surroundings
    const found = Context.get(context, Tracer.Tracer)
    this.#options = options
    this.#tracer = options.tracer ?? (found === Tracer.nativeTracer ? undefined : found)
    this.#durations = options.metrics === false ? undefined : new Durations(context)
    this.#surroundings = serverPlace(kind, target)
    this.#own = threadIn(context, undefined) ?? new TraceThread()
    this.#now = () => clock.currentTimeNanosUnsafe()
    const sessions = new SessionNames(options.sessionId)
    this.#observing = {
      target,
      now: this.#now,
      surroundings: () => this.#surroundings,
      sessionName: (id) => sessions.of(id),
      count: (nanoseconds, attributes) =>
        this.#durations?.operation(Number(nanoseconds) / 1e9, attributes),
      safely: (run) => {
        try {
          return run()
        } catch {
          this.notes?.add({ code: "telemetry-failed", detail: "a tracer or an option of it threw" })
          return undefined
        }
      },
    }
  }

  /** A version was agreed on, over this kind of transport; again after each renewal and recovery. */
  agreed(revision: string, kind: TransportKind): void {
    const place = serverPlace(kind, this.#observing.target)
    this.#surroundings = { ...place, "mcp.protocol.version": revision }
    this.#readyAt ??= this.#now()
    this.#own = undefined
  }

  /** The connection is over; with the error that it failed with. */
  ended(error?: EntenteError): void {
    if (this.#readyAt === undefined) return
    const seconds = Number(this.#now() - this.#readyAt) / 1e9
    const outcome =
      error === undefined
        ? {}
        : { "error.type": errorAttributes(error)["error.type"] ?? error.code }
    this.#durations?.session(seconds, { ...this.#surroundings, ...outcome })
  }

  /** Begins to observe a request: of a call, or of the connection itself. */
  begin(method: string, params: JsonObject | undefined, call?: CallExtras): Observation {
    const { captureResourceUris = false } = this.#options
    const { name, attributes } = describeRequest(method, params, captureResourceUris)
    const thread = call?.thread ?? this.#own ?? new TraceThread(undefined, "root")
    const tracer = this.#tracer
    const span = tracer && this.#observing.safely(() => thread.begin(tracer, name, this.#now()))
    const trace = span && this.#observing.safely(() => this.#told(span))
    return new Observation(method, attributes, span, trace, this.#observing)
  }

  /** Begins to observe a request of the server, below the span that the server says it belongs to. */
  served({ method, id, params }: JsonRpcRequest): ServedQuestion | undefined {
    const tracer = this.#tracer
    if (tracer === undefined) return undefined
    const meta = params?.["_meta"]
    const parent = remoteSpan(typeof meta === "object" && meta !== null ? meta : {})
    const attributes = {
      ...this.#surroundings,
      "mcp.method.name": method.slice(0, mostLetters),
    }
    const asked = { method, id, parent, attributes }
    return this.#observing.safely(() => new ServedQuestion(tracer, asked, this.#observing))
  }

  /**
   * The options of a call with the thread of its conversation: below `parent`, or below the span that the
   * caller's `meta` names.
   */
  threaded(options: CallExtras): CallExtras {
    const { parent, ...others } = options
    if (parent === undefined && options.thread !== undefined) return options
    const above = parent === undefined || "spanId" in parent ? parent : remoteSpan(parent)
    return { ...others, thread: new TraceThread(above ?? remoteSpan(options.meta ?? {})) }
  }

  /** The same for a call that is an effect: below the span that it runs in, unless `parent` is another. */
  within(options: CallExtras, context: Context.Context<never>): CallExtras {
    if (options.parent !== undefined) return this.threaded(options)
    const thread = threadIn(context, options.thread)
    return thread === undefined ? options : { ...options, thread }
  }

  /** Runs what this connection runs for others with the same tracer, below a span if there is one. */
  inside<A, E>(effect: Effect.Effect<A, E>, span: Tracer.AnySpan | undefined): Effect.Effect<A, E> {
    const tracer = this.#tracer
    if (tracer === undefined) return effect
    const traced = Effect.provideService(effect, Tracer.Tracer, tracer)
    return span === undefined ? traced : Effect.provideService(traced, Tracer.ParentSpan, span)
  }

  /** What a server is told of a span. */
  #told(span: Tracer.Span): TraceContext | undefined {
    const { propagate = true, baggage } = this.#options
    const context = propagate ? contextOf(span) : undefined
    if (context === undefined || baggage === undefined) return context
    const carried = baggage()
    return isBaggage(carried) ? { ...context, baggage: carried } : context
  }
}
