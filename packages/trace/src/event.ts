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
}

/** Something failed. */
export interface ErrorEvent extends Stamp {
  readonly type: "error"
  readonly code: string
  readonly stage: string
  readonly message: string
}

/** Everything that can be observed of a connection, redacted at the moment it is made. */
export type TraceEvent =
  | FrameEvent
  | HttpEvent
  | ProcessEvent
  | TransitionEvent
  | NoteEvent
  | ErrorEvent

/** An event before it is stamped. */
export type Unstamped = TraceEvent extends infer E
  ? E extends TraceEvent
    ? Omit<E, keyof Stamp>
    : never
  : never
