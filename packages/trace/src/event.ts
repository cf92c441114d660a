/** Fields that every event has. */
interface Stamp {
  /** Position in this trace, from 0. */
  readonly seq: number
  /** Milliseconds since the Unix epoch. */
  readonly at: number
}

/** A JSON-RPC message that was sent or received, redacted. */
export interface FrameEvent extends Stamp {
  readonly type: "frame"
  readonly direction: "out" | "in"
  readonly message: unknown
  /** The HTTP exchange it belongs to, where the transport has exchanges. */
  readonly exchange?: number
  /** In a recording: the opening of the transport it travelled on, from 1. Others have none. */
  readonly channel?: number
  /** In a recording: its number among the messages sent on its channel, from 1. */
  readonly send?: number
  /** In a recording: the headers of the answer that carried it, with the first message of each. */
  readonly headers?: Readonly<Record<string, string>>
}

/** The head of an HTTP request, or of its answer. */
export interface HttpEvent extends Stamp {
  readonly type: "http"
  readonly exchange: number
  readonly method: string
  readonly url: string
  /** Absent while the request is on its way out. */
  readonly status?: number
  readonly headers: Readonly<Record<string, string>>
}

/** Something in the life of a child process. */
export interface ProcessEvent extends Stamp {
  readonly type: "process"
  readonly event: "spawned" | "stderr" | "noise" | "exited" | "signalled"
  readonly detail: string
}

/** A state chart took a transition. */
export interface TransitionEvent extends Stamp {
  readonly type: "transition"
  readonly chart: string
  readonly event: string
  readonly from: string
  readonly to: string
}

/** Something harmless was noticed. */
export interface NoteEvent extends Stamp {
  readonly type: "note"
  readonly code: string
  readonly detail: string
  /** In a recording: the opening of the transport that made it, from 1. */
  readonly channel?: number
}

/** Something failed. */
export interface ErrorEvent extends Stamp {
  readonly type: "error"
  readonly code: string
  readonly stage: string
  readonly message: string
}

/** Something in the life of a channel, in a recording of its transport. */
export interface ChannelEvent extends Stamp {
  readonly type: "channel"
  /** Which opening of the transport it is, from 1. A 1 begins a recording. */
  readonly channel: number
  /** `closed`: it ended by itself; `released`: its owner closed it. */
  readonly event: "opened" | "failed" | "closed" | "released"
  /** The kind of the transport. */
  readonly transport: string
  readonly target: string
  /** With `opened`. */
  readonly exchanges?: "shared" | "per-request"
  /** With `failed` and `closed`: the error as a plain object. */
  readonly error?: unknown
}

/** What became of a message that was sent, in a recording. */
export interface OutcomeEvent extends Stamp {
  readonly type: "outcome"
  readonly channel: number
  /** The number of the message, as its frame has it. */
  readonly send: number
  /** The outcome as the transport told it, its errors as plain objects. */
  readonly outcome: unknown
}

/** Something arrived that could not be read, in a recording. */
export interface UnreadableEvent extends Stamp {
  readonly type: "unreadable"
  readonly channel: number
  readonly exchange: number
  readonly error: unknown
}

/** A stream that was opened beside the messages, and how it fared, in a recording. */
export interface StreamEvent extends Stamp {
  readonly type: "stream"
  readonly channel: number
  /** Its number among everything that was sent on its channel, from 1. */
  readonly send: number
  /** The exchange whose messages it carries. */
  readonly exchange: number
  readonly event: "asked" | "opened" | "delivered" | "ended"
  /** With `ended`: how, its errors as plain objects. */
  readonly end?: unknown
}

/** What a channel was asked for besides messages, and what came of it, in a recording. */
export interface AskEvent extends Stamp {
  readonly type: "ask"
  readonly channel: number
  /** The member of the channel that was asked. */
  readonly what: string
  /** `{ value }`, or `{ error }` with the error as a plain object. */
  readonly outcome: unknown
}

/** What follows was done to find something out: it is no part of the conversation before it. */
export interface ExperimentEvent extends Stamp {
  readonly type: "experiment"
  readonly name: string
}

/** Everything that can be observed of a connection, redacted at the moment it is made. */
export type TraceEvent =
  | FrameEvent
  | HttpEvent
  | ProcessEvent
  | TransitionEvent
  | NoteEvent
  | ErrorEvent
  | ChannelEvent
  | OutcomeEvent
  | UnreadableEvent
  | StreamEvent
  | AskEvent
  | ExperimentEvent

/** An event before it is stamped. */
export type Unstamped = TraceEvent extends infer E
  ? E extends TraceEvent
    ? Omit<E, keyof Stamp>
    : never
  : never
