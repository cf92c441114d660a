import {
  isJsonObject,
  isLegacyRevision,
  isModernRevision,
  readFreshness,
  type Era,
  type JsonObject,
  type LegacyRevision,
  type ModernRevision,
} from "@entente/protocol"
import { isDiscoverResult, versionsDiscovered } from "./discover-result.js"
import { outcomeLimit, plainText } from "./plain-text.js"
import { bestModern, type Candidates } from "./version-choice.js"

const quirks = ["version-header-at-initialize", "http+sse"] as const

/**
 * A peculiarity of a server that is worth knowing before the next start:
 * - `version-header-at-initialize`: it wants `MCP-Protocol-Version` before one is negotiated (C027);
 * - `http+sse`: it refuses Streamable HTTP and speaks the transport of 2024-11-05 at the same URL.
 */
export type Quirk = (typeof quirks)[number]

interface VerdictFields<E extends Era, R> {
  readonly era: E
  /** The revision that was agreed on. */
  readonly revision: R
  /** The answer that decided, in plain words. */
  readonly evidence: string
  /** When it was decided, as an ISO date. */
  readonly at: string
  readonly quirks: ReadonlyArray<Quirk>
}

export interface ModernVerdict extends VerdictFields<"modern", ModernRevision> {
  /** The DiscoverResult, so that the next start needs no probe. */
  readonly discover?: JsonObject
}

export type LegacyVerdict = VerdictFields<"legacy", LegacyRevision>

/**
 * What is remembered about a server between connections, kept per target (V26-ERA-12, V26-ERA-13) and
 * plain JSON. A verdict comes only from a negotiation that succeeded.
 */
export type Verdict = ModernVerdict | LegacyVerdict

const isIsoDate = (value: unknown): value is string =>
  typeof value === "string" && value.length <= 40 && !Number.isNaN(Date.parse(value))

const quirksIn = (value: unknown): ReadonlyArray<Quirk> =>
  Array.isArray(value) ? quirks.filter((quirk) => value.includes(quirk)) : []

/**
 * A verdict from a file, or nothing if it is none: what a disk holds is no more trusted than what a peer
 * sends. Unknown members and quirks are dropped, so a newer file does no harm.
 */
export const readVerdict = (value: unknown): Verdict | undefined => {
  if (!isJsonObject(value)) return undefined
  const { era, revision, evidence, at, discover } = value
  if (typeof evidence !== "string" || !isIsoDate(at)) return undefined
  const fields = {
    evidence: plainText(evidence, outcomeLimit),
    at,
    quirks: quirksIn(value["quirks"]),
  }
  if (era === "legacy" && isLegacyRevision(revision)) return { era, revision, ...fields }
  if (era !== "modern" || !isModernRevision(revision)) return undefined
  return isJsonObject(discover) && isDiscoverResult(discover)
    ? { era, revision, ...fields, discover }
    : { era, revision, ...fields }
}

/**
 * What to remember when the answer to `server/discover` came after `initialize` had been sent: the
 * server is modern after all, and the next start begins there. A result that names no modern version
 * of ours leaves the verdict as it is.
 */
export const rememberDiscover = (
  verdict: Verdict,
  discover: JsonObject,
  candidates: Candidates,
  at: string,
): Verdict => {
  const revision = bestModern(versionsDiscovered(discover), candidates)
  if (!revision) return verdict
  const evidence = "server/discover: answered after initialize was sent"
  return { era: "modern", revision, evidence, at, quirks: verdict.quirks, discover }
}

/** The era alone: whoever goes on from here asks for a DiscoverResult of its own. */
export const withoutDiscover = (verdict: Verdict): Verdict => {
  if (verdict.era === "legacy") return verdict
  const { discover: _, ...rest } = verdict
  return rest
}

/**
 * A verdict as another connection may use it at `now` (milliseconds since 1970). The era is the server's and
 * goes along. A DiscoverResult is a kept result like any other: it goes along only while it is fresh
 * (V26-CACHE-02), and only if it is public, because the other connection may come with other credentials
 * (V26-CACHE-08).
 */
export const verdictForAnother = (verdict: Verdict, now: number): Verdict => {
  if (verdict.era === "legacy" || verdict.discover === undefined) return verdict
  const { ttlMs, scope } = readFreshness(verdict.discover)
  const age = now - Date.parse(verdict.at)
  // A clock that was set back proves no freshness.
  return scope === "public" && age >= 0 && age < ttlMs ? verdict : withoutDiscover(verdict)
}
