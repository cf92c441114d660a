import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type {
  InvalidInput,
  JsonRpcMessage,
  Note,
  ProcessPhase,
  ProcessReport,
  TransportError,
} from "@entente/protocol"

export type TransportKind =
  | "stdio"
  | "streamable-http"
  | "http+sse"
  | "websocket"
  | "unix-socket"
  | "tcp-socket"
  | "memory"
  | (string & {})

/** How far something reaches: within this process, over this machine, or over several. */
export type Reach = "process" | "machine" | "anywhere"

/**
 * A way to a server, described but not yet open. Opening it twice gives two independent channels;
 * closing the scope releases everything the channel holds, processes included.
 */
export interface Transport {
  readonly kind: TransportKind
  /** The server as errors, traces and people name it; without credentials. */
  readonly target: string
  /** What remembered verdicts are kept under: the whole endpoint, not only its origin (V26-ERA-13). */
  readonly key: string
  /** How far `key` names the same server; within this process where absent. */
  readonly reach?: Reach
  /**
   * What tells one authorization from another: a fingerprint, never a secret. Results that are private to an
   * authorization are kept under it (V26-CACHE-08). Undefined where the next request may come with another
   * one, which only a function knows; absent where nothing is known of it.
   */
  readonly credentials?: () => string | undefined
  readonly open: Effect.Effect<Channel, TransportError, Scope.Scope>
  /**
   * What may be spoken at the same place where this transport turns out not to be: HTTP+SSE instead of
   * Streamable HTTP (V25-DET-02). The negotiation decides whether it is opened.
   */
  readonly fallback?: Transport
}

/** An open way to a server. It carries messages and adds no protocol meaning of its own. */
export interface Channel {
  /**
   * `shared`: all messages use one pipe, so a request is cancelled by a message. `per-request`: each
   * message is an exchange with a response stream of its own (HTTP) (V26-CUST-08, V26-CANC-01).
   */
  readonly exchanges: "shared" | "per-request"
  /** Takes the one receiver; called once, before the first send. Earlier arrivals are kept for it. */
  readonly listen: (receiver: Receiver) => void
  /**
   * Encodes and sends one message, in order. Never throws: what goes wrong is told to `settled`, which
   * is called exactly once per send (see `SendOutcome`), also after an abort.
   */
  readonly send: (outgoing: Outgoing, settled: (outcome: SendOutcome) => void) => Sent
  /** HTTP only: ends a legacy session with DELETE (V25-HTTP-34). Succeeds with the status. */
  readonly endSession?: (
    headers: Readonly<Record<string, string>>,
  ) => Effect.Effect<number, TransportError | InvalidInput>
  /**
   * HTTP only: a GET whose answer is a stream of events: what the server says by itself (V25-HTTP-11),
   * or, with a position, the rest of a stream that broke off (V25-HTTP-18). Its messages reach the
   * receiver like all others; the listener hears how the stream fares.
   */
  readonly openStream?: (request: StreamRequest, listener: StreamListener) => Sent
  /**
   * WebSocket only: ends the channel because its receiver does not tolerate what was noted, with a code
   * that tells the server why. Nothing is heard of the channel from then on.
   */
  readonly refuse?: (code: Note["code"]) => void
  /** stdio only: how the process stands. */
  readonly process?: () => ProcessReport
  /**
   * stdio only: how far the start of the process has come. The deadlines of the handshake ask for it
   * when they pass, because a package runner has to install first (C061).
   */
  readonly startup?: () => Startup
}

/** How far the start of a process has come. */
export interface Startup {
  readonly phase: ProcessPhase
  /** Milliseconds since the phase began. */
  readonly phaseMs: number
  /** Milliseconds since the process was started. */
  readonly ageMs: number
  /** Milliseconds since its last sign of life: its start, or anything on stdout or stderr. */
  readonly quietMs: number
  /** The package runner that the command is, for example `npx` or `pnpm dlx`. */
  readonly runner: string | undefined
}

/** Where the reader of an event stream stands, over all the connections that carried it. */
export interface StreamPosition {
  /** The id of the last event that was dispatched, to go on from (V25-HTTP-25). */
  readonly lastEventId: string | undefined
  /** Milliseconds that the server asks to wait before the next connection (V25-HTTP-22). */
  readonly retryMs: number | undefined
  /** Headers of the answer that began the stream. */
  readonly headers: Readonly<Record<string, string>>
}

/** A stream to be opened with GET. */
export interface StreamRequest {
  /** Headers the session wants on it. */
  readonly headers: Readonly<Record<string, string>>
  /** Headers of the caller for the request whose stream this is. */
  readonly extraHeaders?: Readonly<Record<string, string>>
  /** Where to go on, as it was given by this transport; it moves on with the stream. */
  readonly from?: StreamPosition
  /** The exchange whose answer this continues; a new one if absent. */
  readonly exchange?: number
}

/** Hears how a stream fares. After `abort` it hears nothing. */
export interface StreamListener {
  /** The answer is an event stream. */
  readonly opened: () => void
  /** An event was dispatched. */
  readonly delivered: () => void
  /** Called exactly once, unless the stream was aborted before. */
  readonly ended: (end: StreamEnd) => void
}

/** How a stream came to its end. */
export type StreamEnd =
  /** It ended, or broke off with an error. */
  | {
      readonly _tag: "Dropped"
      readonly position: StreamPosition
      readonly error?: TransportError | InvalidInput
    }
  /** The answer was a 2xx, but no event stream; or a redirect that was refused. */
  | { readonly _tag: "NoStream"; readonly error: TransportError }
  | { readonly _tag: "Rejected"; readonly rejection: HttpRejection }
  /** There was no answer. */
  | {
      readonly _tag: "Failed"
      readonly error: TransportError | InvalidInput
      /** False when it is certain that the server saw nothing of it. */
      readonly mayHaveArrived: boolean
    }

export interface Outgoing {
  readonly message: JsonRpcMessage
  /** Headers the session wants on this message; a transport without headers ignores them. */
  readonly headers?: Readonly<Record<string, string>>
  /** Headers of the caller for this one message, for example a token; they win over fixed ones. */
  readonly extraHeaders?: Readonly<Record<string, string>>
  /**
   * The answer is meant to stay open and may be silent for days: the deadlines `idle` and `total` are not for
   * it (V26-HTTP-13, V26-SUB-17).
   */
  readonly standing?: boolean
}

/** A message under way. */
export interface Sent {
  /** The exchange it travels in; 0 on a shared channel. */
  readonly exchange: number
  /** Closes the exchange. On a shared channel, and after the end, it does nothing. */
  readonly abort: () => void
  /**
   * HTTP: for how many milliseconds from now on a later message might still overtake this one (V25-CANC-09).
   * Infinity while nothing of it has left this side: after an abort it never will. 0 once its answer has
   * begun. Absent where messages keep their order.
   */
  readonly overtakable?: () => number
}

/** What became of a message that was sent. */
export type SendOutcome =
  /** Shared channel: handed to the operating system; HTTP+SSE: acknowledged with a 2xx. */
  | { readonly _tag: "Written" }
  /** HTTP: a 2xx, and its body (if any) is over; every message in it was received before this. */
  | {
      readonly _tag: "Ended"
      readonly status: number
      readonly messages: number
      /** True when the answer was a stream of events, false when it was one body or none. */
      readonly streamed: boolean
      /** Where a stream stood that ended before the answer, if it can be gone on with. */
      readonly position?: StreamPosition
    }
  /** HTTP, HTTP+SSE: any other status. */
  | { readonly _tag: "Rejected"; readonly rejection: HttpRejection }
  /** The message did not get through, or its answer broke off. */
  | {
      readonly _tag: "Failed"
      /** `InvalidInput` where the message or a header cannot be sent at all. */
      readonly error: TransportError | InvalidInput
      /** False when it is certain that the server saw nothing of it. */
      readonly mayHaveArrived: boolean
      /** Where the stream of the answer stood when it broke off, if it can be gone on with. */
      readonly position?: StreamPosition
    }
  /** `abort` was called before any other outcome. */
  | { readonly _tag: "Aborted" }

/** An HTTP answer that is not 2xx. The session decides what it means. */
export interface HttpRejection {
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** The body as text, at most 64 KiB of it. */
  readonly text: string
  /** The body as JSON, where it is JSON, whatever its content type (V26-HTTP-14). */
  readonly json: unknown
}

/** Where a received message came from, so that late or foreign ones are recognised, not guessed. */
export interface Origin {
  /** The exchange whose answer carried it; 0 on a shared channel. */
  readonly exchange: number
  /** Response headers with lower-case names; absent on a shared channel. */
  readonly headers?: Readonly<Record<string, string>>
  /** The request that something unreadable began to answer, where its beginning shows that. */
  readonly answers?: number
}

export interface Receiver {
  /** One parsed JSON value: a message, or an array of them. Called in order of arrival. */
  readonly message: (value: unknown, origin: Origin) => void
  /**
   * A tolerated deviation in the bytes, for example noise on stdout; with its origin where it belongs to
   * one exchange, which alone fails if it is not tolerated after all.
   */
  readonly note: (note: Note, origin?: Origin) => void
  /**
   * Something that can't be read arrived, and the message is gone. On an exchange of its own it is the
   * end of that exchange too.
   */
  readonly unreadable: (error: TransportError, origin: Origin) => void
  /** The channel ended by itself; called at most once, and never after the scope was closed. */
  readonly closed: (cause: TransportError) => void
}
