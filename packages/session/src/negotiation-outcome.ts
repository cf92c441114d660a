import type { JsonObject } from "@entente/protocol"
import type { NegotiationContext, NegotiationOutcome } from "./negotiation-context.js"
import { modernDiscovered, versionsNamed } from "./negotiation-rules.js"
import { required } from "./negotiation-exchange.js"
import { refusalOf, type RefusalReason } from "./refusal.js"
import { rememberDiscover, type LegacyVerdict, type Quirk } from "./verdict.js"

type Change = Partial<NegotiationContext>

const today = (context: NegotiationContext): string => new Date(context.now()).toISOString()

/** The last attempt, which is the one that decided. */
const evidenceOf = ({ attempts }: NegotiationContext): string => {
  const last = attempts.at(-1)
  return last ? `${last.what}: ${last.outcome}` : "nothing was tried"
}

const quirksOf = ({ versionHeader, dialect }: NegotiationContext): ReadonlyArray<Quirk> => [
  ...(versionHeader ? (["version-header-at-initialize"] as const) : []),
  ...(dialect === "http+sse" ? (["http+sse"] as const) : []),
]

const agreeOn = (context: NegotiationContext, discover: JsonObject, evidence: string): Change => {
  const revision = required(modernDiscovered(discover, context), "mutual modern version")
  const at = today(context)
  return {
    agreement: {
      era: "modern",
      revision,
      discover,
      verdict: { era: "modern", revision, evidence, at, quirks: [], discover },
      notes: context.notes,
    },
  }
}

/** The answer to the probe decides. */
export const agreeModern = (context: NegotiationContext): Change => {
  const discover = context.probe?.verdict === "modern" ? context.probe.discover : undefined
  return agreeOn(context, required(discover, "DiscoverResult"), evidenceOf(context))
}

/** An answer to the probe that came late decides, because `initialize` led nowhere. */
export const agreeLate = (context: NegotiationContext): Change =>
  agreeOn(
    context,
    required(context.lateDiscover, "late DiscoverResult"),
    "server/discover: answered after initialize was sent",
  )

/** What is remembered decides: nothing is sent, and the verdict keeps its evidence and date. */
export const agreeRemembered = (context: NegotiationContext): Change => {
  const prior = context.prior?.era === "modern" ? context.prior : undefined
  const verdict = required(prior, "remembered verdict")
  const discover = required(verdict.discover, "remembered DiscoverResult")
  const revision = required(modernDiscovered(discover, context), "mutual modern version")
  return { agreement: { era: "modern", revision, discover, verdict, notes: context.notes } }
}

/** The server accepted `initialize`, and then `notifications/initialized`. */
export const agreeLegacy = (context: NegotiationContext): Change => {
  const { initialize, lateDiscover, notes, candidates } = context
  const accepted = required(
    initialize?.kind === "accepted" ? initialize : undefined,
    "accepted initialize",
  )
  const verdict: LegacyVerdict = {
    era: "legacy",
    revision: accepted.revision,
    evidence: evidenceOf(context),
    at: today(context),
    quirks: quirksOf(context),
  }
  return {
    agreement: {
      era: "legacy",
      revision: accepted.revision,
      initialize: accepted.initialize,
      ...(accepted.sessionId === undefined ? {} : { sessionId: accepted.sessionId }),
      verdict: lateDiscover
        ? rememberDiscover(verdict, lateDiscover, candidates, verdict.at)
        : verdict,
      notes,
    },
  }
}

/** How the negotiation ended. */
export const outcomeOfNegotiation = (context: NegotiationContext): NegotiationOutcome => {
  const { agreement, attempts, refusal } = context
  if (agreement) return { _tag: "Agreed", agreement, reopened: context.spent.reopen ? 1 : 0 }
  const reason: RefusalReason = required(refusal, "reason to refuse")
  const error = refusalOf(reason, { ...context, named: versionsNamed(context) })
  return { _tag: "Refused", error, attempts }
}
