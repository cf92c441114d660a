import type { ErrorEvent, NoteEvent, TransitionEvent } from "@entente/trace"
import type { Call, Frame, HttpExchange, Mark, Saying } from "./frame.js"
import type { Failure } from "./failure.js"

/** Something in the life of a server's process. */
export interface ProcessMoment extends Mark {
  readonly event: "spawned" | "stderr" | "noise" | "exited" | "signalled"
  readonly detail: string
}

/** Something in the life of a channel. */
export interface ChannelMoment extends Mark {
  readonly event: "opened" | "failed" | "closed" | "released"
  readonly transport: string
  readonly target: string
  /** The stable code of its error, where there is one. */
  readonly code: string | undefined
  readonly message: string | undefined
}

/** Something that arrived and could not be read. */
export interface Unreadable extends Mark {
  readonly exchange: number
  readonly code: string
  readonly message: string
}

/** An answer that belongs to no request of the client, or to one that had been answered already. */
export interface Stray {
  readonly frame: Frame
  /** The call whose exchange carried it, where that can be told. */
  readonly carriedBy: Call | undefined
}

/** How a stream beside the messages fared: the GET stream of a legacy session, or one that was resumed. */
export interface StreamMoment extends Mark {
  readonly event: "asked" | "opened" | "delivered" | "ended"
  /** How it ended, with its status where a server refused it. */
  readonly end: { readonly tag: string; readonly status: number | undefined } | undefined
}

/** What a trace shows of one conversation: what was asked, what came back, and all that happened beside it. */
export interface Conversation {
  /** Empty where nothing was seen at all. */
  readonly calls: ReadonlyArray<Call>
  /** Requests and notifications of the client, in order. */
  readonly sayings: ReadonlyArray<Saying>
  readonly frames: ReadonlyArray<Frame>
  readonly exchanges: ReadonlyArray<HttpExchange>
  readonly strays: ReadonlyArray<Stray>
  readonly processes: ReadonlyArray<ProcessMoment>
  readonly channels: ReadonlyArray<ChannelMoment>
  readonly streams: ReadonlyArray<StreamMoment>
  readonly unreadable: ReadonlyArray<Unreadable>
  readonly notes: ReadonlyArray<Mark & Pick<NoteEvent, "code" | "detail">>
  readonly errors: ReadonlyArray<Mark & Pick<ErrorEvent, "code" | "stage" | "message">>
  /** All that failed, whoever tells of it, in order: channels, exchanges, messages, and the client itself. */
  readonly failures: ReadonlyArray<Failure>
  readonly transitions: ReadonlyArray<Mark & Pick<TransitionEvent, "chart" | "from" | "to">>
  /** Whether it went over HTTP; undefined where that cannot be told. */
  readonly http: boolean | undefined
  /** The last moment that was seen. */
  readonly last: Mark | undefined
}

/** Calls of a method, in order. */
export const callsOf = ({ calls }: Conversation, method: string): ReadonlyArray<Call> =>
  calls.filter((call) => call.method === method)

/** What the server said with a method, in order. */
export const saidByServer = ({ frames }: Conversation, method: string): ReadonlyArray<Frame> =>
  frames.filter(({ direction, message }) => direction === "in" && methodOf(message) === method)

/** What the client said with a method, in order. */
export const saidByClient = ({ frames }: Conversation, method: string): ReadonlyArray<Frame> =>
  frames.filter(({ direction, message }) => direction === "out" && methodOf(message) === method)

/** The answer to a list of tools of which a log holds only a part, where it is so. */
export const cutList = ({ notes }: Conversation): Conversation["notes"][number] | undefined =>
  notes.find(
    ({ code, detail }) =>
      code === "log-cut" && detail.startsWith("in: ") && detail.includes("tools/list"),
  )

/** The method of a message, where it has one. */
export const methodOf = (message: unknown): string | undefined => {
  if (typeof message !== "object" || message === null || !("method" in message)) return undefined
  return typeof message.method === "string" ? message.method : undefined
}
