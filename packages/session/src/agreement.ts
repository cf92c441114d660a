import {
  isJsonObject,
  type JsonObject,
  type LegacyRevision,
  type ModernRevision,
  type Note,
} from "@entente/protocol"
import type { SessionId } from "./session-id.js"
import type { Verdict } from "./verdict.js"

interface AgreementFields {
  /** What to remember about this server; it may name the other era (see `rememberDiscover`). */
  readonly verdict: Verdict
  /** What was tolerated or noticed on the way. */
  readonly notes: ReadonlyArray<Note>
}

/** A connection whose requests each carry their own metadata. */
export interface ModernAgreement extends AgreementFields {
  readonly era: "modern"
  readonly revision: ModernRevision
  /** The DiscoverResult, probed or remembered: capabilities are known before the first gated call. */
  readonly discover: JsonObject
  /** There are no sessions in the modern era (V26-HDR-11). */
  readonly sessionId?: never
}

/** A connection that was opened with `initialize`. */
export interface LegacyAgreement extends AgreementFields {
  readonly era: "legacy"
  readonly revision: LegacyRevision
  /** The InitializeResult. */
  readonly initialize: JsonObject
  /** The session the server assigned, over HTTP (V25-HTTP-27). */
  readonly sessionId?: SessionId
}

/** What both sides agreed on. */
export type Agreement = ModernAgreement | LegacyAgreement

/** The capabilities the server declared. */
export const capabilitiesOf = (agreement: Agreement): JsonObject => {
  const { capabilities } = agreement.era === "modern" ? agreement.discover : agreement.initialize
  return isJsonObject(capabilities) ? capabilities : {}
}
