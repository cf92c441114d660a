import {
  VersionMismatch,
  explain,
  isJsonObject,
  type EntenteError,
  type LegacyRevision,
  type ModernRevision,
} from "@entente/protocol"
import {
  bestLegacy,
  bestModern,
  candidatesOf,
  stringsIn,
  type NegotiationMode,
} from "@entente/session"

/** What to do about a request whose version a modern server refused. */
export type VersionRemedy =
  | { readonly _tag: "AskAgain"; readonly revision: ModernRevision }
  /** Only legacy versions are mutual: they are reached through `initialize` alone. */
  | { readonly _tag: "Initialize"; readonly revision: LegacyRevision }
  | { readonly _tag: "GiveUp"; readonly error: EntenteError }

/**
 * Reads the −32022 that a request met in the middle of a connection (V26-VER-09). The best mutual
 * modern version is tried once more, even if it is the one just refused (V26-VER-05); no request ever
 * carries a legacy version in its `_meta` (C107).
 */
export const versionRemedy = (
  data: unknown,
  resends: number,
  context: {
    readonly mode: NegotiationMode
    readonly target: string
    readonly refusal: EntenteError
  },
): VersionRemedy => {
  const supported = isJsonObject(data) ? stringsIn(data["supported"]) : []
  const candidates = candidatesOf(context.mode)
  const revision = bestModern(supported, candidates)
  if (revision !== undefined && resends === 0) return { _tag: "AskAgain", revision }
  const legacy = revision === undefined ? bestLegacy(supported, candidates) : undefined
  if (legacy !== undefined) return { _tag: "Initialize", revision: legacy }
  const offered = [...candidates.modern, ...candidates.legacy]
  const theirs = supported.length > 0 ? supported.join(", ") : "none by name"
  const what = `This client speaks ${offered.join(", ")}; the server supports ${theirs}.`
  return {
    _tag: "GiveUp",
    error: new VersionMismatch({
      ...explain("no-common-version", "request", context.target, what),
      offered,
      supported,
      cause: context.refusal,
    }),
  }
}
