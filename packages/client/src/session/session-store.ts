import type { JsonObject } from "@entente/protocol"

/**
 * What is needed to go on with a legacy HTTP session after a restart of this side. The session id is
 * a secret (V25-SEC-01): a store keeps it as it would keep a password.
 */
export interface StoredSession {
  readonly sessionId: string
  /** The `InitializeResult` of the handshake that opened the session. */
  readonly initialize: JsonObject
}

/** Keeps one session between runs; `save` is also told of every renewal. */
export interface SessionStore {
  readonly load: () => StoredSession | undefined
  readonly save: (session: StoredSession) => void
  readonly clear: () => void
}
