import { tolerates, type LegacyRevision, type ModernRevision } from "@entente/protocol"
import { versionsDiscovered } from "./discover-result.js"
import type { NegotiationContext } from "./negotiation-context.js"
import { bestLegacy, bestModern } from "./version-choice.js"

/** The versions that the answer to the probe named, if it is one that names versions. */
const namedByProbe = ({ probe }: NegotiationContext): ReadonlyArray<string> | undefined => {
  if (!probe || !("supported" in probe)) return undefined
  return probe.verdict === "legacy" && probe.supported.length === 0 ? undefined : probe.supported
}

/** The versions the server named in the answer that decides now. */
export const versionsNamed = (context: NegotiationContext): ReadonlyArray<string> => {
  const { step, initialize } = context
  if (step === "probe") return namedByProbe(context) ?? []
  if (initialize?.kind === "otherVersion") return [initialize.version]
  return initialize?.kind === "namesVersions" ? initialize.named : []
}

/**
 * The version to ask after −32022: the best one both sides name, even if it is the one just refused,
 * because some servers refuse the first request by accident (V26-VER-05). Each candidate is asked once,
 * and one of them twice (C107).
 */
export const nextToAsk = ({
  probe,
  candidates,
  versionsRefused,
}: NegotiationContext): ModernRevision | undefined => {
  if (probe?.verdict !== "retryVersion") return undefined
  const repeated = new Set(versionsRefused).size < versionsRefused.length
  return candidates.modern.find(
    (revision) =>
      probe.supported.includes(revision) && !(repeated && versionsRefused.includes(revision)),
  )
}

/** The modern revision that a DiscoverResult, if there is one, and this client have in common. */
export const modernDiscovered = (
  discover: NegotiationContext["lateDiscover"],
  { candidates }: NegotiationContext,
): ModernRevision | undefined => discover && bestModern(versionsDiscovered(discover), candidates)

/** The legacy version to offer when the server named versions, and no modern one is ours (V26-VER-08). */
export const legacyNamed = (context: NegotiationContext): LegacyRevision | undefined => {
  const named = namedByProbe(context)
  if (!named || bestModern(named, context.candidates)) return undefined
  return bestLegacy(named, context.candidates)
}

const mayProbe = ({ candidates }: NegotiationContext): boolean => candidates.modern.length > 0

/** In auto mode `initialize` is sent once: neither after a proof of the modern era nor after a refusal. */
const mayInitialize = ({ candidates, initialize, modernProved }: NegotiationContext): boolean =>
  candidates.legacy.length > 0 && initialize === undefined && !modernProved

const isVersionGate = ({ initialize, spent }: NegotiationContext): boolean =>
  initialize?.kind === "namesVersions" && initialize.older !== undefined && !spent.versionGate

/** A refusal that the server itself expressed; trouble on the way and silence are none. */
const isConclusive = ({ initialize }: NegotiationContext): boolean =>
  initialize !== undefined && ["refused", "namesVersions", "malformed"].includes(initialize.kind)

interface Facts {
  readonly context: NegotiationContext
}

/** The guards of the negotiation chart, by the name under which its arrows show them. */
export const negotiationRules = {
  hasNothingToOffer: ({ context: { candidates } }: Facts) =>
    candidates.modern.length === 0 && candidates.legacy.length === 0,
  remembersDiscover: ({ context }: Facts) =>
    context.prior?.era === "modern" &&
    modernDiscovered(context.prior.discover, context) !== undefined,
  isContradicted: ({ context }: Facts) => context.contradiction !== undefined && mayProbe(context),
  remembersOldTransport: ({ context }: Facts) =>
    context.dialect === "http" &&
    context.fallback &&
    context.prior?.era === "legacy" &&
    context.prior.quirks.includes("http+sse"),
  remembersLegacy: ({ context }: Facts) => context.prior?.era === "legacy",
  mayProbe: ({ context }: Facts) => mayProbe(context),

  agreesOnModern: ({ context }: Facts) =>
    context.probe?.verdict === "modern" &&
    bestModern(context.probe.supported, context.candidates) !== undefined,
  /** A deliberate step beyond the letter of the stdio page: the list is followed (T-03). */
  namesOnlyLegacy: ({ context }: Facts) =>
    context.initialize === undefined && legacyNamed(context) !== undefined,
  mayAskAgain: ({ context }: Facts) => nextToAsk(context) !== undefined,
  namesNothingNew: ({ context }: Facts) => {
    const named = namedByProbe(context)
    return named !== undefined && legacyNamed(context) === undefined
  },
  refusesAsModern: ({ context }: Facts) => context.probe?.verdict === "correct",
  mayReopen: ({ context }: Facts) =>
    context.trouble === "gone" && !context.spent.reopen && mayInitialize(context),
  mayInitialize: ({ context }: Facts) => mayInitialize(context),
  wantsModernOnly: ({ context }: Facts) => context.candidates.legacy.length === 0,

  isAccepted: ({ context }: Facts) => context.initialize?.kind === "accepted",
  /** V25-LIFE-05: then the client leaves, without `notifications/initialized`. */
  isOtherVersion: ({ context }: Facts) => context.initialize?.kind === "otherVersion",
  /** A DiscoverResult that came late decides once `initialize` is refused or unanswered. */
  lateDiscoverDecides: ({ context }: Facts) =>
    context.trouble === undefined &&
    context.initialize?.kind !== "accepted" &&
    modernDiscovered(context.lateDiscover, context) !== undefined,
  opensVersionGate: ({ context }: Facts) =>
    isVersionGate(context) && tolerates(context.tolerances, "version-gate"),
  meetsVersionGate: ({ context }: Facts) => isVersionGate(context),
  namesNoneOfOurs: ({ context: { initialize } }: Facts) =>
    initialize?.kind === "namesVersions" && !initialize.common,
  /** C027; a remembered header that is no longer welcome is left out again, by the same single retry. */
  mayChangeHeader: ({ context }: Facts) =>
    context.dialect !== "stream" &&
    context.initialize?.kind === "refused" &&
    context.initialize.badRequest &&
    !context.spent.headerChange &&
    (context.versionHeader || tolerates(context.tolerances, "version-header-at-initialize")),
  /**
   * V26-DUAL-13: a remembered legacy server that refuses `initialize` may have become modern. That is
   * asked once, because after a refused `initialize` no other one follows.
   */
  contradictsPrior: ({ context }: Facts) =>
    context.prior?.era === "legacy" && mayProbe(context) && isConclusive(context),
  /** Only here, and only once: after the one repetition of C026 or C027, never before (C025). */
  mayBeOldTransport: ({ context: { dialect, fallback, initialize, spent } }: Facts) =>
    dialect === "http" &&
    fallback &&
    !spent.fallback &&
    initialize?.kind === "refused" &&
    initialize.oldTransport,
  hasInitialized: ({ context: { initialize } }: Facts) => initialize !== undefined,

  isOutageThatMayPass: ({ context: { trouble, spent } }: Facts) =>
    trouble === "outage" && !spent.outageRetry,
  isOutage: ({ context }: Facts) =>
    context.trouble === "outage" &&
    !(context.step === "probe" && context.outagePolicy === "legacy" && mayInitialize(context)),
  hasTrouble: ({ context }: Facts) => context.trouble !== undefined,
  needsAuthorization: ({ context: { trouble } }: Facts) => trouble === "unauthorized",
  isOutOfReach: ({ context: { trouble } }: Facts) =>
    trouble === "unreachable" || trouble === "rejected" || trouble === "gone",
  wasProbing: ({ context: { step } }: Facts) => step === "probe",
}
