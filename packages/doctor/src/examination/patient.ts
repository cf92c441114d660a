import type { ConnectOptions } from "@entente/client"
import type { TraceReader } from "@entente/trace"
import type { Transport } from "@entente/transport"

/** A server that is to be examined, and the ways to it. */
export interface Patient {
  /** Opens nothing by itself; every call gives a transport of its own. */
  readonly transport: () => Transport
  /** The same without the credentials that were given, where some were. */
  readonly withoutCredentials?: () => Transport
}

export interface ExamineOptions {
  /** Which era or revision the client speaks; `auto` by default. */
  readonly mode?: NonNullable<ConnectOptions["mode"]>
  /** Milliseconds that each answer may take; 10,000 by default. */
  readonly timeoutMs?: number
  /** Milliseconds that the client waits for the answer to its handshake; `timeoutMs` by default. */
  readonly handshakeMs?: number
  /** Milliseconds after which an empty list is read once more; 3,000 by default. */
  readonly waitMs?: number
  /** `false` lets only the client do what it would do by itself. */
  readonly experiments?: boolean
  /** An origin that a browser would be on; by default one that nobody has. */
  readonly origin?: string
  /** Hears every event as it happens, redacted. */
  readonly reader?: TraceReader
  /** Hears what is begun, in a few words for a person who waits. */
  readonly onProgress?: (what: string) => void
  /** What else is secret in the trace: names of headers and members. */
  readonly secretNames?: ReadonlyArray<string>
}
