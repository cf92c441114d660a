import type * as Clock from "effect/Clock"
import {
  effectClock,
  verdictForAnother,
  type Dialect,
  type Fork,
  type NegotiationInput,
  type ReconnectPolicy,
} from "@entente/session"
import type { Trace } from "@entente/trace"
import type { ListeningContext } from "../subscription/listening.js"
import { timersOn, type Timers, type Transport } from "@entente/transport"
import { inspectCharts } from "./chart-trace.js"
import type { ChartRunner } from "./charts.js"
import { Handshake } from "../handshake/handshake.js"
import { Identities } from "./identities.js"
import { NoteBook } from "../wire/note-book.js"
import { OpenChannel } from "./open-channel.js"
import {
  deadlinesOf,
  defaultClientInfo,
  middlewareOf,
  type ConnectOptions,
  type Deadlines,
} from "../options.js"
import { aroundQuestions } from "../middleware/around-questions.js"
import type { Asked } from "../question/asked.js"
import { LegacyQuestions } from "../question/legacy-questions.js"
import { Questions } from "../question/questions.js"
import { ResumableSession } from "../session/resumable-session.js"
import { SessionKeeper } from "../session/session-keeper.js"
import { observeQuestions } from "../telemetry/observe-questions.js"
import type { Telemetry } from "../telemetry/telemetry.js"
import { processVerdicts, type VerdictStore } from "./verdict-store.js"
import { Wire, type WireOwner } from "../wire/wire.js"

/** What a connection finds in the world it is opened in. */
export interface Surroundings {
  readonly trace: Trace
  readonly clock: Clock.Clock
  readonly fork: Fork
  readonly telemetry: Telemetry | undefined
}

/** What a connection is made of, put together but not yet alive. */
export interface LifeParts {
  readonly runner: ChartRunner
  readonly timers: Timers
  readonly deadlines: Deadlines
  readonly notes: NoteBook
  readonly wire: Wire
  readonly questions: Questions
  readonly channel: OpenChannel
  readonly identities: Identities
  readonly handshake: Handshake
  readonly sessions: SessionKeeper
  readonly asked: LegacyQuestions
  readonly verdicts: VerdictStore
  readonly ears: ListeningContext
  /** What every negotiation of this connection starts from. */
  readonly negotiation: NegotiationInput
  readonly reconnect: Partial<ReconnectPolicy> | "never"
}

/** Everything that is not here is one stream of messages. */
const dialects: ReadonlyMap<string, Dialect> = new Map([
  ["streamable-http", "http"],
  ["http+sse", "http+sse"],
])

/** Puts a connection together: the one place that knows which part is made of which. */
export const assemble = (
  transport: Transport,
  options: ConnectOptions,
  { trace, clock, fork, telemetry }: Surroundings,
  ownerOf: (parts: { readonly asked: Asked; readonly notes: NoteBook }) => WireOwner,
): LifeParts => {
  const { target } = transport
  const { clientInfo = defaultClientInfo, capabilities = {}, mode, outage, handlers = {} } = options
  const { reconnect = {}, sessions: store, verdicts = processVerdicts, strict } = options
  const tolerances =
    strict === undefined ? (options.tolerances ?? {}) : { strict, ...options.tolerances }
  const dialect = dialects.get(transport.kind) ?? "stream"
  const runner = { fork, clock: effectClock(fork), inspect: inspectCharts(trace) }
  const timers = timersOn(clock, fork)
  const deadlines = deadlinesOf(options, dialect)
  const notes = new NoteBook(tolerances, trace, target)
  if (telemetry !== undefined) telemetry.notes = notes
  const channel = new OpenChannel(transport, trace)
  const { tasks = false } = options
  const questions = new Questions(handlers, capabilities, { target, notes, tasks })
  const declared = { legacy: questions.declared("legacy"), modern: questions.declared("modern") }
  const identities = new Identities(clientInfo, declared, dialect !== "stream")
  const { now } = timers
  const asked = new LegacyQuestions({ questions, notes, wire: () => wire, fork, now })
  const isModern = (): boolean => wire.era === "modern"
  const layered = aroundQuestions(
    middlewareOf(options),
    { target, fork, notes, isModern },
    (request, respond, within) => asked.ask(request, respond, within),
  )
  const owner = ownerOf({ asked: observeQuestions(telemetry, isModern, layered), notes })
  const context = { target, trace, notes, timers, random: Math.random, telemetry }
  const wire: Wire = new Wire(context, owner)
  const resumable = new ResumableSession(store, wire, identities, deadlines.request, target)
  const handshake = new Handshake({
    target,
    fork,
    wire,
    notes,
    channel,
    identities,
    deadlines,
    resumable,
    asked,
  })
  const kept = verdicts.get(transport.key)
  const prior = resumable.verdict ?? (kept && verdictForAnother(kept, timers.now()))
  const negotiation: NegotiationInput = {
    dialect,
    fallback: transport.fallback !== undefined,
    target,
    tolerances,
    now: timers.now,
    ...(mode === undefined ? {} : { mode }),
    ...(outage === undefined ? {} : { outagePolicy: outage }),
    ...(prior === undefined ? {} : { prior }),
  }
  const sessions = new SessionKeeper(runner, tolerances, store, resumable)
  const { listen: policy = {} } = options
  const random = Math.random
  const ears = {
    target,
    runner,
    wire,
    channel,
    sessions,
    notes,
    declared: () => declared.modern,
    policy,
    random,
  }
  return {
    runner,
    timers,
    deadlines,
    notes,
    wire,
    questions,
    channel,
    identities,
    handshake,
    sessions,
    asked,
    verdicts,
    ears,
    negotiation,
    reconnect,
  }
}
