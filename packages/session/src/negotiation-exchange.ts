import type { EntenteError, LegacyRevision, ModernRevision } from "@entente/protocol"
import type { Answer } from "./answer.js"
import type { NegotiationContext } from "./negotiation-context.js"
import type { SessionId } from "./session-id.js"

/** One `server/discover`, naming a version; `attempt` counts from 1. */
export interface ProbeInput {
  readonly revision: ModernRevision
  readonly attempt: number
}

/** One `initialize`, offering a version; over HTTP with or without `MCP-Protocol-Version`. */
export interface InitializeInput {
  readonly revision: LegacyRevision
  readonly versionHeader: boolean
}

/** `notifications/initialized`, in the session that `initialize` may have been given. */
export interface ConfirmInput {
  readonly revision: LegacyRevision
  readonly sessionId: SessionId | undefined
}

/** Written (stream) or answered with a 2xx (HTTP); anything else is an answer like any other. */
export type Confirmation = { readonly _tag: "Accepted" } | Answer

/** What became of opening a channel. */
export type Opened = { readonly ok: true } | { readonly ok: false; readonly error: EntenteError }

/** What the chart's own guards have made sure of; its absence is a fault of the chart. */
export const required = <A>(value: A | undefined, what: string): A => {
  if (value === undefined) throw new Error(`The negotiation has no ${what} at this step`)
  return value
}

export const probeInput = ({ asking, probes }: NegotiationContext): ProbeInput => ({
  revision: required(asking, "modern version"),
  attempt: probes + 1,
})

export const initializeInput = (context: NegotiationContext): InitializeInput => ({
  revision: required(context.offering, "legacy version"),
  versionHeader: context.versionHeader,
})

export const confirmInput = ({ initialize }: NegotiationContext): ConfirmInput => {
  const accepted = initialize?.kind === "accepted" ? initialize : undefined
  const { revision, sessionId } = required(accepted, "accepted initialize")
  return { revision, sessionId }
}

const shortestPause = 1_000
const longestPause = 10_000

/** Milliseconds before the one retry after an outage: a second, or what the server asks for, up to ten. */
export const outagePause = ({ answer }: NegotiationContext): number => {
  const asked = answer?._tag === "Status" ? (answer.retryAfterMs ?? 0) : 0
  return Math.min(longestPause, Math.max(shortestPause, asked))
}
