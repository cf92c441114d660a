import {
  bareMessage,
  isTolerance,
  tolerates,
  type EntenteError,
  type JsonObject,
  type Note,
} from "@entente/protocol"
import { outcomeOf, type Answer } from "./answer.js"
import { classifyInitialize } from "./classify-initialize.js"
import { classifyProbe } from "./classify-probe.js"
import { isDiscoverResult } from "./discover-result.js"
import { failureOf } from "./failure.js"
import { candidatesIn, type NegotiationContext } from "./negotiation-context.js"
import { required, type Opened } from "./negotiation-exchange.js"
import { legacyNamed, nextToAsk } from "./negotiation-rules.js"
import { plainText } from "./plain-text.js"
import { troubleIn, troubleOf } from "./trouble.js"

type Change = Partial<NegotiationContext>

const tried = (context: NegotiationContext, method: string, how: ReadonlyArray<string>): string => {
  const what = how.length === 0 ? method : `${method} (${how.join(", ")})`
  return context.attempts.some((attempt) => attempt.what === what) ? `${what}, again` : what
}

const attempted = (context: NegotiationContext, what: string, outcome: string): Change => ({
  attempts: [...context.attempts, { what, outcome: plainText(outcome) }],
})

const failed = (context: NegotiationContext, error: EntenteError): Change => ({
  first: context.first ?? error,
  latest: error,
})

const noted = (context: NegotiationContext, code: Note["code"], detail: string): Change => ({
  notes: [...context.notes, { code, detail }],
})

const spend = (context: NegotiationContext, what: keyof NegotiationContext["spent"]): Change => ({
  spent: { ...context.spent, [what]: true },
})

/** What an answer adds to every kind of record. */
const answered = (
  context: NegotiationContext,
  answer: Answer,
  method: string,
  how: ReadonlyArray<string>,
  outcome = outcomeOf(answer),
): Change => ({
  answer,
  ...attempted(context, tried(context, method, how), outcome),
})

export const recordProbe = (context: NegotiationContext, answer: Answer): Change => {
  const asking = required(context.asking, "modern version")
  const probe = classifyProbe(answer, context.dialect)
  return {
    ...answered(
      context,
      answer,
      "server/discover",
      asking === context.candidates.modern[0] ? [] : [asking],
    ),
    ...(answer._tag === "Result" && isDiscoverResult(answer.result)
      ? {}
      : failed(context, failureOf(answer, "server/discover", context.target))),
    step: "probe",
    probe,
    probes: context.probes + 1,
    versionsRefused:
      probe.verdict === "retryVersion"
        ? [...context.versionsRefused, asking]
        : context.versionsRefused,
    trouble: troubleIn(probe.verdict),
    modernProved:
      context.modernProved || ["modern", "retryVersion", "correct"].includes(probe.verdict),
  }
}

export const recordInitialize = (context: NegotiationContext, answer: Answer): Change => {
  const { candidates, dialect, target, versionHeader } = context
  const offering = required(context.offering, "legacy version")
  const initialize = classifyInitialize(answer, offering, candidates, dialect, target)
  const how = [
    ...(dialect === "http+sse" ? ["HTTP+SSE"] : []),
    ...(offering === candidates.legacy[0] ? [] : [offering]),
    ...(versionHeader ? ["with MCP-Protocol-Version"] : []),
  ]
  // A result that is well formed has not failed, even if its version is none of ours.
  const wellFormed = initialize.kind === "accepted" || initialize.kind === "otherVersion"
  const malformed = initialize.kind === "malformed" ? initialize.error : undefined
  const failure = malformed ?? failureOf(answer, "initialize", target)
  // What is wrong with a result says more than what is in it.
  const outcome = malformed && bareMessage(malformed).replace(/\.$/, "")
  return {
    ...answered(context, answer, "initialize", how, outcome),
    ...(wellFormed ? {} : failed(context, failure)),
    step: "initialize",
    initialize,
    trouble: troubleIn(initialize.kind),
  }
}

export const recordConfirmation = (context: NegotiationContext, answer: Answer): Change => ({
  ...answered(context, answer, "notifications/initialized", []),
  ...failed(context, failureOf(answer, "notifications/initialized", context.target)),
  step: "confirm",
  trouble: troubleOf(answer, context.dialect),
})

/** A channel that the chart itself had opened. */
const recordOpening = (
  context: NegotiationContext,
  opened: Opened,
  what: string,
  outcome: string,
): Change => ({
  ...attempted(context, what, opened.ok ? outcome : opened.error.message),
  ...(opened.ok ? {} : failed(context, opened.error)),
  trouble: undefined,
})

export const recordReopening = (context: NegotiationContext, opened: Opened): Change => ({
  ...recordOpening(context, opened, "reopen", "the channel is open again"),
  ...spend(context, "reopen"),
})

export const recordFallback = (context: NegotiationContext, opened: Opened): Change => ({
  ...recordOpening(context, opened, "GET (HTTP+SSE)", "an endpoint event, as in 2024-11-05"),
  ...spend(context, "fallback"),
})

/**
 * A new beginning with the transport that the server does speak: nothing that was conceded to get
 * through by the other one counts any more.
 */
export const speakOldTransport = (context: NegotiationContext): Change => {
  const candidates = candidatesIn("http+sse", context.candidates)
  const kept = context.notes.filter(({ code }) => !isTolerance(code))
  const detail = "HTTP+SSE of 2024-11-05 is spoken at this URL"
  return {
    ...noted({ ...context, notes: kept }, "old-transport", detail),
    dialect: "http+sse",
    candidates,
    offering: candidates.legacy[0],
    versionHeader: false,
    initialize: undefined,
  }
}

export const rememberLateDiscover = (
  context: NegotiationContext,
  discover: JsonObject,
): Change => ({
  lateDiscover: discover,
  ...noted(context, "late-discover", "server/discover was answered after initialize was sent"),
})

export const spendOutageRetry = (context: NegotiationContext): Change =>
  spend(context, "outageRetry")

export const renewVerdict = (context: NegotiationContext, why: string): Change =>
  noted(context, "verdict-renewed", why)

/** A probe on the strength of a remembered modern verdict came back legacy: that is the renewal. */
export const offerNewest = (context: NegotiationContext): Change => ({
  offering: context.candidates.legacy[0],
  ...(context.prior?.era === "modern"
    ? renewVerdict(context, "the server was remembered as modern")
    : {}),
})

export const offerNamed = (context: NegotiationContext): Change => ({
  ...offerNewest(context),
  offering: legacyNamed(context),
})

export const askNamed = (context: NegotiationContext): Change => ({ asking: nextToAsk(context) })

const addVersionHeader = (context: NegotiationContext): Change => ({
  versionHeader: true,
  ...noted(
    context,
    "version-header-at-initialize",
    "initialize was sent with MCP-Protocol-Version",
  ),
})

/** A quirk of the last time is met before it hurts, as far as it is still tolerated. */
export const offerRemembered = (context: NegotiationContext): Change =>
  context.prior?.quirks.includes("version-header-at-initialize") &&
  tolerates(context.tolerances, "version-header-at-initialize")
    ? addVersionHeader(context)
    : {}

export const changeHeader = (context: NegotiationContext): Change => ({
  ...spend(context, "headerChange"),
  ...(context.versionHeader ? { versionHeader: false } : addVersionHeader(context)),
})

export const openVersionGate = (context: NegotiationContext): Change => {
  const older = context.initialize?.kind === "namesVersions" && context.initialize.older
  return {
    ...spend(context, "versionGate"),
    offering: older || context.offering,
    ...noted(
      context,
      "version-gate",
      `initialize was refused with ${context.offering} and repeated with ${older}`,
    ),
  }
}
