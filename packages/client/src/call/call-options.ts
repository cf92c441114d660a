import {
  InvalidInput,
  LoggingLevel,
  explain,
  isJsonObject,
  metaKeyFault,
  requestRow,
  validate,
  type JsonObject,
  type ProgressToken,
} from "@entente/protocol"
import type { Wishes } from "@entente/session"
import type { Life } from "../life/life.js"
import type { Progress } from "../wire/progress.js"
import type { Reply } from "../wire/reply.js"
import type { RequestOptions } from "../wire/wire.js"

/** What a single call may differ in. */
export interface CallOptions {
  /**
   * Milliseconds without an answer and without progress; the connection's `timeoutMs` by default
   * (V25-TIME-01, V26-CANC-07). `Infinity` for no limit.
   */
  readonly timeoutMs?: number
  /**
   * Milliseconds after which no progress helps any more; the connection's `maxTotalTimeoutMs` by default
   * (V25-TIME-03, V26-PROG-04).
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
  const token = meta["progressToken"]
  if (token === undefined) return undefined
  if (!isToken(token)) return refuse("meta.progressToken is neither a string nor an integer.")
  return life.wire.progress.has(token)
    ? refuse("meta.progressToken belongs to another call that is still under way.")
    : undefined
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

/** The options of a call as the wire wants them. */
export const requestOptions = (life: Life, method: string, options: CallExtras): RequestOptions => {
  const { timeoutMs = life.deadlines.request, headers } = options
  const { maxTotalTimeoutMs = life.deadlines.total } = options
  const progress = progressOf(method, options)
  const wishes = wishesOf(life, options)
  return {
    timeoutMs,
    cancellable: options.cancellable ?? true,
    ...(progress === undefined ? {} : { progress, maxTotalTimeoutMs }),
    ...(wishes === undefined ? {} : { wishes }),
    ...(headers === undefined ? {} : { extraHeaders: headers }),
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
