import {
  InvalidInput,
  LoggingLevel,
  explain,
  isJsonObject,
  metaKeyFault,
  requestRow,
  traceFault,
  validate,
  type JsonObject,
  type ProgressToken,
  type TraceContext,
} from "@entente/protocol"
import type { Wishes } from "@entente/session"
import type { Life } from "../life/life.js"
import type { Observation } from "../telemetry/observation.js"
import type { RequestOptions } from "../wire/wire.js"
import type { CallExtras, CallOptions } from "./call-options.js"

/** What is wrong with the options of a call, as the error to end with; nothing is sent then. */
export const optionsFault = (
  method: string,
  { meta, logLevel }: CallOptions,
  life: Life,
): InvalidInput | undefined => {
  const refuse = (what: string): InvalidInput =>
    new InvalidInput(explain("invalid-input", "input", life.target, `${method}: ${what}`))
  // V26-LOG-04: a server refuses the whole request for a level that it does not know.
  if (logLevel !== undefined && !validate(LoggingLevel, logLevel).ok) {
    return refuse("logLevel is none of the eight levels.")
  }
  if (meta === undefined) return undefined
  for (const key of Object.keys(meta)) {
    const fault = metaKeyFault(key)
    if (fault !== undefined) return refuse(`meta has the key ${JSON.stringify(key)}: ${fault}.`)
  }
  const trace = traceFault(meta)
  if (trace !== undefined) return refuse(`meta.${trace} does not have the form that W3C gives it.`)
  const token = meta["progressToken"]
  if (token === undefined) return undefined
  if (!isToken(token)) return refuse("meta.progressToken is neither a string nor an integer.")
  return life.wire.progress.has(token)
    ? refuse("meta.progressToken belongs to another call that is still under way.")
    : undefined
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

/** The options of a call as the wire wants them. */
export const requestOptions = (
  life: Life,
  method: string,
  options: CallExtras,
  observation?: Observation,
): RequestOptions => {
  const { timeoutMs = life.deadlines.request, headers } = options
  const { maxTotalTimeoutMs = life.deadlines.total } = options
  const progress = progressOf(method, options)
  const wishes = wishesOf(life, options)
  return {
    timeoutMs,
    cancellable: true,
    ...(progress === undefined ? {} : { progress, maxTotalTimeoutMs }),
    ...(wishes === undefined ? {} : { wishes }),
    ...(headers === undefined ? {} : { extraHeaders: headers }),
    ...(observation === undefined ? {} : { observation }),
  }
}

/** Whoever may report progress is invited to, so that a healthy call is not given up (C062). */
const progressOf = (method: string, options: CallExtras): RequestOptions["progress"] => {
  const { onProgress: told, meta, resetTimeoutOnProgress, progressOutlives: outlives } = options
  const token = meta?.["progressToken"]
  const wanted = told !== undefined || token !== undefined
  if (!wanted && requestRow(method)?.reportsProgress !== true) return undefined
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
