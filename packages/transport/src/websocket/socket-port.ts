import type { HttpRejection } from "../transport.js"
import type { Timers } from "../timers.js"
import type { HeaderRecord } from "../http/request-decorator.js"

/** How a WebSocket is asked for. */
export interface UpgradeRequest {
  readonly url: URL
  /** Offered in this order; empty for none. */
  readonly subprotocols: ReadonlyArray<string>
  readonly headers: HeaderRecord
  /** The largest message accepted, in bytes. */
  readonly maxMessageBytes: number
}

/** What went wrong below the messages. */
export type SocketFault =
  /** The network, TLS, or an answer that is no WebSocket handshake. */
  | { readonly kind: "Network"; readonly cause: unknown }
  /** A message is larger than the limit. */
  | { readonly kind: "TooLarge" }
  /** Frames that break the WebSocket protocol. */
  | { readonly kind: "Broken"; readonly what: string }

export interface SocketEnd {
  /** The code of the close frame; 1005 where it had none, 1006 where there was no close frame. */
  readonly code: number
  /** The reason in the close frame: untrusted text. */
  readonly reason: string
  readonly fault?: SocketFault
}

/**
 * Hears of one socket: `opened` or `rejected` at most once, then any number of frames, and `ended` once
 * before `gone`. Nothing is heard before the function that opens the socket has returned.
 */
export interface SocketEvents {
  /** The head of the answer to the handshake, for the trace. Platforms that hide it never say it. */
  readonly head: (status: number, headers: HeaderRecord) => void
  /** @param subprotocol the one that the server selected; empty for none */
  readonly opened: (subprotocol: string) => void
  /** The handshake was answered with an HTTP status. */
  readonly rejected: (rejection: HttpRejection) => void
  readonly text: (text: string) => void
  readonly binary: (bytes: number) => void
  readonly ended: (end: SocketEnd) => void
  /** Nothing of the socket is left. */
  readonly gone: () => void
}

/** Asks whether anybody is there. */
export interface SocketProbe {
  readonly ping: () => void
  /** Bytes that have come in so far. */
  readonly received: () => number
  /** Bytes that wait to go out. */
  readonly queued: () => number
}

export interface Socket {
  /** Whether messages can still be sent. */
  readonly isOpen: () => boolean
  /** `written` is called later, once the message has left this process; never, if it may not have. */
  readonly send: (text: string, written: () => void) => void
  /** Says goodbye; `gone` comes when the other side has answered. */
  readonly close: (code: number) => void
  /** Ends it without another word; `gone` comes soon. */
  readonly drop: () => void
  /** Absent where the platform cannot ping. */
  readonly probe?: SocketProbe
}

/** All that this transport asks of a WebSocket client. It may throw where the request cannot be made. */
export type OpenSocket = (request: UpgradeRequest, events: SocketEvents, timers: Timers) => Socket
