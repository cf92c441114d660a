import type {
  JsonObject,
  JsonRpcNotification,
  QuestionRefused,
  Revision,
  TolerancePolicy,
} from "@entente/protocol"
import type { Dialect, ReconnectPolicy, SubscriptionPolicy } from "@entente/session"
import type { Trace } from "@entente/trace"
import type { CacheOptions } from "./cache/cache-options.js"
import type { Middleware } from "./middleware/middleware.js"
import type { RoundBounds } from "./rounds/round-bounds.js"
import type { OutputSchemaUse } from "./output-schema/output-schemas.js"
import type { SessionStore } from "./session/session-store.js"
import type { TelemetryOptions } from "./telemetry/telemetry-options.js"
import type { Handlers } from "./question/handlers.js"
import type { VerdictStore } from "./life/verdict-store.js"

/** Who this client says it is; shown to people by servers. `name` and `version` are required. */
export interface ClientInfo {
  readonly name: string
  readonly version: string
  readonly title?: string
  readonly description?: string
  readonly websiteUrl?: string
}

/** Asks a legacy server regularly whether it is there. Modern servers are never pinged (C109). */
export interface KeepAlive {
  /** Milliseconds between two pings. */
  readonly intervalMs: number
  /** Milliseconds to wait for an answer; 10,000 by default. */
  readonly timeoutMs?: number
}

/** Bounds of one walk through a list. */
export interface ListBounds {
  /** Pages before the walk stops as `partial`; 1,000 by default. */
  readonly maxPages?: number
  /** Items before the walk stops as `partial`; 100,000 by default. */
  readonly maxItems?: number
  /** Milliseconds for the whole walk; 60,000 by default (C100). */
  readonly deadlineMs?: number
}

export interface ConnectOptions {
  /**
   * `auto` (default) finds out which era the server speaks; `modern` and `legacy` insist on one; a
   * revision insists on that revision.
   */
  readonly mode?: "auto" | "modern" | "legacy" | Revision
  readonly clientInfo?: ClientInfo
  /**
   * Answers what a server asks for: roots, sampling, elicitation. One set for both eras; what is declared
   * follows from it (V25-CAP-01, V26-DUAL-10). Nothing is answered by default.
   */
  readonly handlers?: Handlers
  /** Hears of every question of the server that was not answered, with what its handler failed with. */
  readonly onQuestionRefused?: (refused: QuestionRefused) => void
  /**
   * Client capabilities to declare besides those of the handlers: `experimental` and `extensions` (V25-CAP-09,
   * V26-META-02). What only a handler can honour is refused here without one.
   */
  readonly capabilities?: JsonObject
  /**
   * Whether `callTool` may be answered with a task by a modern server, which is then waited for: declares
   * the extension `io.modelcontextprotocol/tasks` on every request. Off by default (V26-EXT-04); the calls of
   * `client.tasks` declare it by themselves.
   */
  readonly tasks?: boolean
  /** How patiently a modern server that asks again and again is answered. */
  readonly rounds?: RoundBounds
  /**
   * Milliseconds a request may take without an answer; 60,000 by default. What the server reports of its
   * progress starts them anew. `Infinity` for no limit.
   */
  readonly timeoutMs?: number
  /**
   * Milliseconds a call may take in all, whatever progress is reported and however often it is sent;
   * 3,600,000 by default, or `timeoutMs` where that is longer.
   */
  readonly maxTotalTimeoutMs?: number
  /** Milliseconds a server may take for the first answer over stdio; 1,500 by default (C029). */
  readonly probeMs?: number
  /** Milliseconds for `initialize`, and for a probe over HTTP; 60,000 and 10,000 by default. */
  readonly handshakeMs?: number
  /**
   * Milliseconds that a package runner (`npx`, `uvx`, `docker` and the like) may take to install a server
   * over stdio, as long as it shows signs of life on stderr: until then neither `probeMs` nor `handshakeMs`
   * ends the wait. 600,000 by default (C061).
   */
  readonly installMs?: number
  /** Turns every tolerance that is not named in `tolerances` into an error. */
  readonly strict?: boolean
  /** Single tolerances, on or off. */
  readonly tolerances?: TolerancePolicy
  /** What an outage (5xx, silence) of an HTTP server at the probe means; `fail` by default. */
  readonly outage?: "fail" | "legacy"
  /** How often, and how soon, a lost connection is opened again; see `defaultReconnect`. */
  readonly reconnect?: "never" | Partial<ReconnectPolicy>
  readonly keepAlive?: KeepAlive
  /**
   * How the stream is kept on which a server speaks by itself: the GET of a legacy one over HTTP,
   * `subscriptions/listen` of a modern one; see `defaultSubscription`. `false` opens none for changes of lists;
   * subscribing to a resource still does.
   */
  readonly listen?: false | Partial<SubscriptionPolicy>
  readonly lists?: ListBounds
  /**
   * Where the results of a modern server are kept while they are fresh, and for whom; `false` keeps none. By
   * default in memory, for this client alone. See `CacheOptions`.
   */
  readonly cache?: false | CacheOptions
  /**
   * Whether the structured content of a tool's result is held against the tool's output schema; `check` by
   * default. See `docs/output-schemas.md` (V25-TOOL-07, V26-TOOL-08).
   */
  readonly outputSchemas?: OutputSchemaUse
  /** Where verdicts on servers' eras are kept; one store per process by default. */
  readonly verdicts?: VerdictStore
  /** Keeps a legacy HTTP session over restarts of this side (C022). */
  readonly sessions?: SessionStore
  /**
   * Hears every notification of the server, known or not, from the first message on; also those that come
   * before the connection is ready, which later listeners have missed (C058). Of its log, what was asked for.
   */
  readonly onNotification?: (notification: JsonRpcNotification) => void
  /** Receives everything observed; nothing is recorded without one. */
  readonly trace?: Trace
  /**
   * Stands between callers and the server and sees JSON-RPC messages; of several the first is the outermost.
   * See `Middleware`.
   */
  readonly middleware?: Middleware | ReadonlyArray<Middleware>
  /** Tells a tracer and a meter of every request; nobody is told without it. See `TelemetryOptions`. */
  readonly telemetry?: TelemetryOptions
}

export const defaultClientInfo: ClientInfo = { name: "entente", version: "0.1.0" }

/** The layers of middleware, the outermost first. */
export const middlewareOf = ({ middleware = [] }: ConnectOptions): ReadonlyArray<Middleware> =>
  [middleware].flat()

/** The times of a connection in milliseconds, with their defaults filled in. */
export interface Deadlines {
  readonly request: number
  /** For a request whose progress is reported. */
  readonly total: number
  readonly probe: number
  readonly initialize: number
  /** For all that a package runner does before it starts the server. */
  readonly install: number
}

/** A probe over stdio has a deadline of its own; over HTTP silence is an outage, so it waits longer. */
export const deadlinesOf = (options: ConnectOptions, dialect: Dialect): Deadlines => ({
  request: options.timeoutMs ?? 60_000,
  total: options.maxTotalTimeoutMs ?? Math.max(3_600_000, options.timeoutMs ?? 0),
  probe: dialect === "stream" ? (options.probeMs ?? 1_500) : (options.handshakeMs ?? 10_000),
  initialize: options.handshakeMs ?? 60_000,
  install: options.installMs ?? 600_000,
})
