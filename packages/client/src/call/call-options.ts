import type { JsonObject, LoggingLevel, TraceContext } from "@entente/protocol"
import type * as Tracer from "effect/Tracer"
import type { OutputSchemaUse } from "../output-schema/output-schemas.js"
import type { TraceThread } from "../telemetry/trace-thread.js"
import type { Progress } from "../wire/progress.js"
import type { Reply } from "../wire/reply.js"

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
  /**
   * With `telemetry` only: the span that the call belongs to, or the W3C trace context that names one. By
   * default the span that an effect runs in, or the one that is active for OpenTelemetry.
   */
  readonly parent?: Tracer.AnySpan | TraceContext
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
  /** Is told where the first answer was not the result, so that what comes is that of a conversation. */
  readonly conversed?: () => void
  /** The trace of the conversation that the call is part of. */
  readonly thread?: TraceThread
}

/** The options of a call that differs in nothing. */
export const noOptions: CallExtras = Object.freeze({})
