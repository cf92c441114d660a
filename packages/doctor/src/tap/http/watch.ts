import type { Trace } from "@entente/trace"
import type { Handles } from "@entente/transport/tapping"
import type { Conversations } from "./conversations.js"
import type { WayPast } from "./way-past.js"

/** What everything that looks at the exchanges of one tap shares. */
export interface Watch {
  readonly trace: Trace
  readonly handles: Handles
  readonly conversations: Conversations
  readonly wayPast: WayPast
  /** The server as a trace names it. */
  readonly target: string
  /** The address that messages are meant to go to. */
  readonly endpoint: URL
  /** The longest message that is read, in bytes. */
  readonly maxMessageBytes: number
}

/** What was asked, as it goes on to the server. */
export interface ObservedRequest {
  /** The number of the exchange among all of the tap, from 1. */
  readonly exchange: number
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
}

export const sessionIdOf = (headers: Readonly<Record<string, string>>): string | undefined =>
  headers["mcp-session-id"]
