import {
  InvalidInput,
  explain,
  isJsonObject,
  loggingLevels,
  metaKeyFault,
  requestRow,
  severityOf,
  type JsonObject,
  type LoggingLevel,
  type ProgressToken,
} from "@entente/protocol"
import type { Wishes } from "@entente/session"
import type { Life } from "../life/life.js"
import type { OutputSchemaUse } from "../output-schema/output-schemas.js"
import type { Deadlines } from "../options.js"
import { traceContextFault } from "./trace-context-fault.js"
import type { Progress } from "../wire/progress.js"
import type { Reply } from "../wire/reply.js"
import type { RequestOptions } from "../wire/wire.js"

/** What a single call may differ in. */
export interface CallOptions {
  /**
   * Milliseconds without an answer and without progress; the connection's `timeoutMs` by default
   * (V25-TIME-01, V26-CANC-07). `Infinity` for no limit. It counts from when the call is sent, and by itself
   * while the call waits for a connection that is being opened again.
   */
  readonly timeoutMs?: number
  /**
   * Milliseconds for all of it, from the call on: after them neither progress nor another try helps
   * (V25-TIME-03, V26-PROG-04). The connection's `maxTotalTimeoutMs` by default, or `timeoutMs` where that is
   * longer.
   */
  readonly maxTotalTimeoutMs?: number
  /** Whether progress restarts `timeoutMs`; true by default, whether or not `onProgress` is given. */
  readonly resetTimeoutOnProgress?: boolean
  /** Is told of the progress that the server reports. */
  readonly onProgress?: (progress: Progress) => void
  /** HTTP headers for this call alone; they win over the connection's. */
  readonly headers?: Readonly<Record<string, string>>
  /** Members for `_meta` of this request; keys of the protocol are refused (V25-META-04, V26-META-10). */
  readonly meta?: JsonObject
  /**
   * Modern servers only: which log messages may come with this call (V26-LOG-01). A legacy server has one
   * level for all, see `setLogLevel`.
   */
  readonly logLevel?: LoggingLevel
  /**
   * Modern servers only: the client capabilities of this one request, instead of the connection's
   * (V26-META-05). A legacy server was told once, in the handshake.
   */
  readonly capabilities?: JsonObject
  /**
   * Whether the call may be sent again when its session or stream was lost after it was sent. By
   * default only methods without effects are (V26-HTTP-09, C019); set it for calls known to be harmless.
   */
  readonly replay?: boolean
  /**
   * Who answers when a modern server asks for input in the middle: the handlers (default), or the caller by
   * hand: then the call fails with `InputRequired`, whose pause is for `resume`, now or in another process.
   */
  readonly input?: "handlers" | "manual"
  /** Calls of tools: instead of the connection's `outputSchemas`. */
  readonly outputSchemas?: OutputSchemaUse
}

/** What this package itself adds to a call. */
export interface CallExtras extends CallOptions {
  /** `Mcp-Param-*` headers, encoded (V26-XHDR-01). */
  readonly mirrored?: Readonly<Record<string, string>>
  /** How often the request was sent again before this call. */
  readonly rounds?: number
  /**
   * Whether progress is still to be followed after this reply; then `end` says when that is over
   * (V25-PROG-05).
   */
  readonly progressOutlives?: (reply: Reply, end: () => void) => boolean
  /** False where giving up says nothing to the server; a task is never cancelled this way (V25-CANC-03). */
  readonly cancellable?: boolean
  /** Whether a task is the result, for a caller that holds it; otherwise its result is waited for. */
  readonly keepTask?: boolean
}

/** The options of a call that differs in nothing. */
export const noOptions: CallExtras = Object.freeze({})

/** What is wrong with the options of a call, as the error to end with; nothing is sent then. */
export const optionsFault = (
  method: string,
  options: CallOptions,
  target: string,
): InvalidInput | undefined => {
  const { meta, logLevel, capabilities } = options
  const what =
    deadlineFault("timeoutMs", options.timeoutMs) ??
    deadlineFault("maxTotalTimeoutMs", options.maxTotalTimeoutMs) ??
    (logLevel === undefined ? undefined : logLevelFault(logLevel)) ??
    (capabilities === undefined ? undefined : capabilitiesFault(capabilities)) ??
    (meta === undefined ? undefined : metaFault(meta))
  return what === undefined ? undefined : refusedInput(method, what, target)
}

/** The error for what a caller gave. */
export const refusedInput = (method: string, what: string, target: string): InvalidInput =>
  new InvalidInput(explain("invalid-input", "input", target, `${method}: ${what}`))

const deadlineFault = (name: string, ms: number | undefined): string | undefined =>
  ms === undefined || (typeof ms === "number" && ms > 0)
    ? undefined
    : `${name} takes milliseconds above 0, or Infinity for no limit.`

/** V26-LOG-04: a server refuses the whole request for a level that it does not know. */
export const logLevelFault = (level: unknown): string | undefined =>
  severityOf(level) < 0 ? `the level is none of ${loggingLevels.join(", ")}.` : undefined

/** V26-META-02: a capability is an object, also where nothing is said in it. */
const capabilitiesFault = (capabilities: unknown): string | undefined =>
  isJsonObject(capabilities) && Object.values(capabilities).every(isJsonObject)
    ? undefined
    : "capabilities takes an object of objects."

const metaFault = (meta: JsonObject): string | undefined => {
  for (const key of Object.keys(meta)) {
    const fault = metaKeyFault(key)
    if (fault !== undefined) return `meta has the key ${JSON.stringify(key)}: ${fault}.`
  }
  const { progressToken: token } = meta
  if (token !== undefined && !isToken(token)) {
    return "meta.progressToken is neither a string nor an integer."
  }
  return traceContextFault(meta)
}

/**
 * A token of the caller's that belongs to another call which is still under way. Only the moment of sending
 * can tell (V25-PROG-01, V26-PROG-01).
 */
export const tokenFault = (
  method: string,
  { meta }: CallOptions,
  { target, wire }: Life,
): InvalidInput | undefined => {
  const token = meta?.["progressToken"]
  if (!isToken(token) || !wire.progress.has(token)) return undefined
  const what = "meta.progressToken belongs to another call that is still under way."
  return refusedInput(method, what, target)
}

const isToken = (token: unknown): token is ProgressToken =>
  typeof token === "string" || Number.isSafeInteger(token)

/** Params with the caller's `_meta` in them. */
export const withCallMeta = (
  params: JsonObject | undefined,
  { meta }: CallOptions,
): JsonObject | undefined => {
  if (meta === undefined) return params
  const theirs = params?.["_meta"]
  return { ...params, _meta: isJsonObject(theirs) ? { ...theirs, ...meta } : meta }
}

/** How long a call may take in milliseconds, and how long in all. */
export const deadlinesOfCall = (
  { request, total }: Deadlines,
  { timeoutMs = request, maxTotalTimeoutMs = Math.max(total, timeoutMs) }: CallOptions,
): { readonly timeoutMs: number; readonly totalMs: number } => ({
  timeoutMs,
  totalMs: maxTotalTimeoutMs,
})

/** The options of a call as the wire wants them; `leftMs` where some of its time has gone already. */
export const requestOptions = (
  life: Life,
  method: string,
  options: CallExtras,
  leftMs: number | undefined,
): RequestOptions => {
  const { timeoutMs, totalMs } = deadlinesOfCall(life.deadlines, options)
  return {
    timeoutMs,
    maxTotalTimeoutMs: leftMs ?? totalMs,
    cancellable: options.cancellable ?? true,
    progress: progressOf(method, options),
    wishes: wishesOf(life, options),
    extraHeaders: options.headers,
  }
}

/** Progress that is followed for the sake of the deadline alone. */
const followed: NonNullable<RequestOptions["progress"]> = Object.freeze({})

/** Whoever may report progress is invited to, so that a healthy call is not given up (C062). */
const progressOf = (method: string, options: CallExtras): RequestOptions["progress"] => {
  const { onProgress: told, meta, resetTimeoutOnProgress, progressOutlives: outlives } = options
  const token = meta?.["progressToken"]
  const wanted = told !== undefined || token !== undefined
  if (!wanted && requestRow(method)?.reportsProgress !== true) return undefined
  if (!wanted && outlives === undefined && resetTimeoutOnProgress !== false) return followed
  return {
    ...(isToken(token) ? { token } : {}),
    ...(told === undefined ? {} : { told }),
    ...(outlives === undefined ? {} : { outlives }),
    ...(resetTimeoutOnProgress === false ? { steady: true } : {}),
  }
}

const wishesOf = (life: Life, options: CallExtras): Wishes | undefined => {
  const { capabilities, mirrored, logLevel = life.logLevel } = options
  if (capabilities === undefined && mirrored === undefined && logLevel === undefined)
    return undefined
  return {
    ...(capabilities === undefined ? {} : { capabilities }),
    ...(mirrored === undefined ? {} : { mirrored }),
    ...(logLevel === undefined ? {} : { logLevel }),
  }
}
