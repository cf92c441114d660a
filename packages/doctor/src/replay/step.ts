import type {
  ChannelEvent,
  ErrorEvent,
  FrameEvent,
  TraceEvent,
  TransitionEvent,
} from "@entente/trace"
import type { ChartStates } from "./chart-states.js"

/** What every step has. */
interface StepFields {
  /** From 1. */
  readonly number: number
  /** Milliseconds since the first event of the recording, on the recording's own clock. */
  readonly sinceStartMs: number
  /** The states of the charts after it, before the next step. */
  readonly states: ChartStates
  /** What the charts did meanwhile; the first step has what came before it as well. */
  readonly transitions: ReadonlyArray<TransitionEvent>
}

/** What a step is about. */
export type StepSubject =
  /** A message. */
  | {
      readonly kind: "frame"
      readonly frame: FrameEvent
      /** The method of the request that an answer answers, where it is known. */
      readonly answers?: string
      /** The `seq` of the same message in the recording; absent where it has none. */
      readonly recorded?: number
    }
  /** The channel was opened, could not be opened, or ended by itself. */
  | { readonly kind: "channel"; readonly event: ChannelEvent }
  /** The owner of the connection closes it. */
  | { readonly kind: "close" }
  /** The client that runs and the one that was recorded part here; the replay goes on as far as it can. */
  | {
      readonly kind: "diverged"
      readonly reason: DivergenceReason
      /** One sentence. */
      readonly detail: string
      /** The `seq` of the event in the recording that it is about. */
      readonly recorded?: number
      readonly frame?: FrameEvent
    }

/**
 * `extra`: our client sent what the recording does not have. `missing`: the recording has what did not happen.
 * `assumed`: something that the recording leaves out was taken for granted.
 */
export type DivergenceReason = "extra" | "missing" | "assumed"

/** One step of a replay. */
export type ReplayStep = StepSubject &
  StepFields & {
    /** The HTTP status of the answer that brought the message, or of the refusal of it. */
    readonly status?: number
    /** What the connection ended in, where it ended here. */
    readonly error?: Pick<ErrorEvent, "code" | "stage" | "message">
  }

/** Whether an event begins a step by itself. */
export const beginsStep = (event: TraceEvent): event is FrameEvent | ChannelEvent =>
  event.type === "frame" || (event.type === "channel" && event.event !== "released")

/** Whether an event is the owner's wish to close the connection. */
export const isClosing = (event: TraceEvent): event is TransitionEvent =>
  event.type === "transition" && event.chart === "connection" && event.event === "close"
