import * as Effect from "effect/Effect"
import { Client, memoryVerdicts, runAbortable, type Abortable } from "@entente/client"
import { CurrentTrace, Trace, type TraceEvent } from "@entente/trace"
import { record, type Transport } from "@entente/transport"
import { readCase } from "../case.js"
import type { DiagnosisContext } from "../context.js"
import { diagnose } from "../diagnose.js"
import type { Diagnosis } from "../diagnosis.js"
import type { Surgery } from "./experiment.js"
import { experiments } from "./experiments.js"
import { doctorInfo } from "./interview.js"
import type { ExamineOptions, Patient } from "./patient.js"
import { tellingOfUnfinished } from "./unfinished-line.js"
import { Visit } from "./visit.js"

/** What was done, and what it shows. */
export interface Examination {
  readonly trace: ReadonlyArray<TraceEvent>
  readonly diagnosis: Diagnosis
}

/** A trace that is kept, with a door for what the client itself tells of. */
class Notebook {
  readonly trace: Trace
  /** For a client over a recorded transport, which tells of messages itself. */
  readonly observed: Trace
  readonly events: Array<TraceEvent> = []

  constructor({ reader, secretNames = [] }: ExamineOptions) {
    const policy = { names: secretNames, maxTextLength: Infinity }
    this.trace = new Trace(policy)
    this.observed = new Trace(policy)
    this.trace.subscribe((event) => this.events.push(event))
    if (reader !== undefined) this.trace.subscribe(reader)
    this.observed.subscribe(({ seq: _seq, at: _at, ...event }) => {
      if (event.type !== "frame") this.trace.emit(event)
    })
  }

  recorded(transport: Transport): Transport {
    return record(tellingOfUnfinished(transport, this.trace), this.trace)
  }

  /** The same where no client tells of HTTP exchanges and processes: the transport does it itself. */
  overheard(transport: Transport): Transport {
    const open = Effect.provideService(transport.open, CurrentTrace, this.trace)
    return this.recorded({ ...transport, open })
  }
}

/** The client does what it would do by itself; how it ends is in the trace. */
const byItself = (
  patient: Patient,
  notebook: Notebook,
  { mode = "auto", timeoutMs = 10_000, handshakeMs = timeoutMs }: ExamineOptions,
): Effect.Effect<void> =>
  Effect.scoped(
    Effect.gen(function* () {
      const client = yield* Client.connect(notebook.recorded(patient.transport()), {
        mode,
        timeoutMs,
        handshakeMs,
        clientInfo: doctorInfo,
        reconnect: "never",
        cache: false,
        verdicts: memoryVerdicts(), // every examination finds out for itself
        trace: notebook.observed,
      })
      yield* client.tools.list()
    }),
  ).pipe(Effect.ignore)

/**
 * Examines a server: a client connects and lists its tools as any would, then small experiments tell the
 * causes apart. No tool is called. It does not fail: what fails is what it finds.
 */
export const examineServer = (
  patient: Patient,
  options: ExamineOptions = {},
  context: DiagnosisContext = {},
): Effect.Effect<Examination> =>
  Effect.gen(function* () {
    const { timeoutMs = 10_000, waitMs = 3_000, origin = "http://localhost:6274" } = options
    const notebook = new Notebook(options)
    const { events } = notebook
    options.onProgress?.("connecting and reading the tools")
    yield* byItself(patient, notebook, options)
    // Read anew only after an experiment: a list of thousands of tools takes its time.
    let given = readCase(events, context)
    for (const { name, doing, isUseful, run } of options.experiments === false ? [] : experiments) {
      const known = {
        given,
        timeoutMs,
        waitMs,
        origin,
        hasCredentials: patient.withoutCredentials !== undefined,
      }
      if (!isUseful(known)) continue
      options.onProgress?.(doing)
      notebook.trace.emit({ type: "experiment", name })
      const surgery: Surgery = {
        ...known,
        visit: ({ credentials = true } = {}) =>
          Effect.suspend(() => {
            const anonymous = credentials ? undefined : patient.withoutCredentials
            const transport = (anonymous ?? patient.transport)()
            return Visit.open(notebook.overheard(transport), timeoutMs)
          }),
      }
      yield* Effect.ignore(Effect.scoped(run(surgery)))
      given = readCase(events, context)
    }
    return { trace: events, diagnosis: diagnose(events, context) }
  })

/**
 * The same for callers without Effect.
 *
 * @throws RequestAborted where `signal` calls it off
 * @example
 * const { diagnosis } = await examine({ transport: () => http("https://example.com/mcp") })
 * diagnosis.hypotheses[0]?.title
 */
export const examine = (
  patient: Patient,
  { signal, ...options }: ExamineOptions & Abortable = {},
  context: DiagnosisContext = {},
): Promise<Examination> =>
  runAbortable(
    examineServer(patient, options, context),
    signal,
    patient.transport().target,
    "The examination",
  )
