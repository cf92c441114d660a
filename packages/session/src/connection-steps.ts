import type { Attempt, EntenteError } from "@entente/protocol"
import type { Agreement } from "./agreement.js"
import type { ChannelLoss, ConnectionContext, ConnectionOutcome } from "./connection-context.js"
import { withAttempts } from "./failure.js"
import type { Contradiction, NegotiationOutcome } from "./negotiation-context.js"
import { required } from "./negotiation-exchange.js"
import { plainText } from "./plain-text.js"
import { withoutDiscover } from "./verdict.js"

type Change = Partial<ConnectionContext>

/** Adds a failure to the story since the connection was last steady; the first one stays the cause. */
export const recordFailure = (
  context: ConnectionContext,
  error: EntenteError,
  attempts: ReadonlyArray<Attempt>,
): Change => ({
  attempts: [...context.attempts, ...attempts],
  first: context.first ?? error,
  latest: error,
})

/** A failure that is told in one line. */
export const recordOne = (context: ConnectionContext, what: string, error: EntenteError): Change =>
  recordFailure(context, error, [{ what, outcome: plainText(error.message) }])

export const beginChannel = (): Change => ({ losses: 0, lost: undefined })

export const noteLoss = (context: ConnectionContext, lost: ChannelLoss): Change => ({
  losses: context.losses + 1,
  lost: { error: lost.error, restart: lost.restart },
})

/**
 * With the channel goes what was agreed on it, and the DiscoverResult that it brought; the era of the
 * server stays remembered.
 */
export const loseAgreement = (context: ConnectionContext): Change => {
  const { prior, ...negotiation } = context.negotiation
  return {
    ...recordOne(context, "channel", required(context.lost, "lost channel").error),
    agreement: undefined,
    negotiation: prior ? { ...negotiation, prior: withoutDiscover(prior) } : negotiation,
  }
}

/** The connection is ready, and the next negotiation begins where this one ended. */
export const settle = (context: ConnectionContext, agreement: Agreement): Change => {
  const { contradiction: _, ...negotiation } = context.negotiation
  return {
    agreement,
    negotiation: { ...negotiation, prior: agreement.verdict },
    losses: 0,
    lost: undefined,
  }
}

export const contradict = (
  context: ConnectionContext,
  { attempt, error, proves }: Contradiction,
): Change => ({
  agreement: undefined,
  wasContradicted: true,
  negotiation: proves
    ? { ...context.negotiation, prior: proves }
    : { ...context.negotiation, contradiction: { attempt, error } },
})

export const recordRefusal = (context: ConnectionContext, outcome: NegotiationOutcome): Change =>
  outcome._tag === "Refused" ? recordFailure(context, outcome.error, outcome.attempts) : {}

/** Whether the same thing may succeed a little later. */
const mayPass = (error: EntenteError): boolean =>
  error._tag === "Unreachable" ||
  error._tag === "ProcessExited" ||
  error._tag === "SpawnFailed" ||
  error.code === "handshake-timeout"

export const mayTryAgain = (context: ConnectionContext, error: EntenteError): boolean =>
  mayPass(error) &&
  context.lost?.restart !== false &&
  context.recoveries < context.reconnect.maxAttempts

export const mayRecover = (context: ConnectionContext, { restart }: ChannelLoss): boolean =>
  restart && context.recoveries < context.reconnect.maxAttempts

/**
 * What the connection fails with. If the latest failure is one that might have passed, trying again is
 * what failed, and the first cause is there to tell; any other latest failure is the news itself, with
 * the first one as its cause.
 */
export const giveUp = (context: ConnectionContext): Change => {
  const latest = required(context.latest, "failure")
  const error = mayPass(latest) ? (context.first ?? latest) : latest
  return { failure: withAttempts(error, context.attempts, context.first) }
}

/** Milliseconds before the next try: doubling up to a limit, of which chance takes up to a half. */
export const backoff = ({ reconnect, recoveries, random }: ConnectionContext): number => {
  const full = Math.min(reconnect.maxMs, reconnect.baseMs * 2 ** (recoveries - 1))
  return full * (1 - random() / 2)
}

export const outcomeOfConnection = (context: ConnectionContext): ConnectionOutcome =>
  context.failure
    ? { _tag: "Failed", error: context.failure, attempts: context.attempts }
    : { _tag: "Closed" }
