import {
  InvalidInput,
  explain,
  isJsonObject,
  loggingLevels,
  metaKeyFault,
  requestRow,
  severityOf,
  traceFault,
  type JsonObject,
  type ProgressToken,
  type TraceContext,
} from "@entente/protocol"
import type { Wishes } from "@entente/session"
import type { Life } from "../life/life.js"
import type { Deadlines } from "../options.js"
import type { Observation } from "../telemetry/observation.js"
import type { RequestOptions } from "../wire/wire.js"
import type { CallExtras, CallOptions } from "./call-options.js"

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
  const trace = traceFault(meta)
  return trace === undefined ? undefined : `meta.${trace} is not in the format that W3C gives it.`
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

/** Params with the caller's `_meta` in them. A trace that is told anyway takes the place of the caller's. */
export const withCallMeta = (
  params: JsonObject | undefined,
  { meta: given }: CallOptions,
  trace?: TraceContext,
): JsonObject | undefined => {
  if (given === undefined) return params
  const { traceparent: _parent, tracestate: _state, ...untraced } = given
  const meta = trace === undefined ? given : untraced
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
  observation: Observation | undefined,
): RequestOptions => {
  const { timeoutMs, totalMs } = deadlinesOfCall(life.deadlines, options)
  return {
    timeoutMs,
    maxTotalTimeoutMs: leftMs ?? totalMs,
    cancellable: options.cancellable ?? true,
    progress: progressOf(method, options),
    wishes: wishesOf(life, options),
    extraHeaders: options.headers,
    observation,
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
