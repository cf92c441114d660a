import type { Era, JsonObject, LegacyRevision, ModernRevision } from "@entente/protocol"
import { makeDresser, type Dresser, type SessionId } from "@entente/session"
import type { ClientInfo } from "../options.js"

/** Who this client is, dressed as each era and moment of the handshake wants it (V26-DUAL-07). */
export class Identities {
  readonly #clientInfo: JsonObject
  readonly #capabilities: { readonly [E in Era]: JsonObject }
  readonly #http: boolean

  constructor(
    clientInfo: ClientInfo,
    capabilities: { readonly [E in Era]: JsonObject },
    http: boolean,
  ) {
    this.#clientInfo = { ...clientInfo }
    this.#capabilities = capabilities
    this.#http = http
  }

  /** Every request with its metadata; no session id, ever (V26-META-01, V26-HDR-11). */
  modern(revision: ModernRevision): Dresser {
    return makeDresser({
      era: "modern",
      revision,
      clientInfo: this.#clientInfo,
      clientCapabilities: this.#capabilities.modern,
      http: this.#http,
    })
  }

  /** Before anything is agreed: no session id, and no version header unless the server insists. */
  opening(versionHeader: boolean): Dresser {
    return makeDresser({ era: "legacy", revision: undefined, versionHeader, http: this.#http })
  }

  /** After the handshake: the negotiated version, and the session's id where there is one. */
  legacy(revision: LegacyRevision, sessionId: SessionId | undefined): Dresser {
    return makeDresser({
      era: "legacy",
      revision,
      versionHeader: true,
      http: this.#http,
      ...(sessionId === undefined ? {} : { session: { id: sessionId } }),
    })
  }

  initializeParams(revision: LegacyRevision): JsonObject {
    return {
      protocolVersion: revision,
      capabilities: this.#capabilities.legacy,
      clientInfo: this.#clientInfo,
    }
  }
}
