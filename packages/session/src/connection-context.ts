import type { Attempt, EntenteError } from "@entente/protocol"
import type { Agreement, LegacyAgreement } from "./agreement.js"
import type { Contradiction, NegotiationInput } from "./negotiation-context.js"

/** How often, and how soon, a lost connection is opened again. Times are in milliseconds. */
export interface ReconnectPolicy {
  readonly maxAttempts: number
  /** The first pause; each further one is twice as long. */
  readonly baseMs: number
  readonly maxMs: number
}

export const defaultReconnect: ReconnectPolicy = { maxAttempts: 5, baseMs: 500, maxMs: 30_000 }

export interface ConnectionInput {
  /** What every negotiation of this connection starts from; `prior` is renewed by each agreement. */
  readonly negotiation: Omit<NegotiationInput, "contradiction">
  /** `never`: the loss of the channel ends the connection. Missing members are the defaults. */
  readonly reconnect?: Partial<ReconnectPolicy> | "never"
  /** From 0 up to 1, like `Math.random`: spreads the pauses of many clients. */
  readonly random: () => number
}

export interface ChannelLoss {
  readonly error: EntenteError
  /** False when opening the channel again cannot help. */
  readonly restart: boolean
}

export type ConnectionEvent =
  | { readonly type: "open" }
  /** Wins in every state, and starts nothing new (C118). */
  | { readonly type: "close" }
  /** The channel ended by itself: sent once for each channel, whenever that is. */
  | ({ readonly type: "channelLost" } & ChannelLoss)
  /** A request contradicted the remembered verdict that this connection relies on (V26-DUAL-13). */
  | ({ readonly type: "verdictContradicted" } & Contradiction)
  /** The session chart has lost its session, and asks for a new one. */
  | { readonly type: "sessionExpired" }
  | { readonly type: "sessionRenewed"; readonly agreement: LegacyAgreement }
  | { readonly type: "sessionDead"; readonly error: EntenteError }

export type ConnectionOutcome =
  | { readonly _tag: "Closed" }
  | {
      readonly _tag: "Failed"
      /** The first cause. */
      readonly error: EntenteError
      readonly attempts: ReadonlyArray<Attempt>
    }

export interface ConnectionContext {
  /** What the next negotiation starts from. */
  readonly negotiation: NegotiationInput
  readonly reconnect: ReconnectPolicy
  readonly random: () => number
  /** What was agreed on; present in `ready`, and while only the session is renewed. */
  readonly agreement: Agreement | undefined
  /** Whether a verdict was contradicted already: that is believed once in the life of a connection. */
  readonly wasContradicted: boolean
  /** Recoveries tried since the connection was last steady. */
  readonly recoveries: number
  /** Channels that ended since the negotiation under way began, and the last of them. */
  readonly losses: number
  readonly lost: ChannelLoss | undefined
  readonly attempts: ReadonlyArray<Attempt>
  /** The first failure since the connection was last steady. */
  readonly first: EntenteError | undefined
  /** The latest failure. */
  readonly latest: EntenteError | undefined
  /** Set when the connection is given up; `close` takes it back. */
  readonly failure: EntenteError | undefined
}

export const initialConnection = (input: ConnectionInput): ConnectionContext => ({
  negotiation: input.negotiation,
  reconnect:
    input.reconnect === "never"
      ? { ...defaultReconnect, maxAttempts: 0 }
      : { ...defaultReconnect, ...input.reconnect },
  random: input.random,
  agreement: undefined,
  wasContradicted: false,
  recoveries: 0,
  losses: 0,
  lost: undefined,
  attempts: [],
  first: undefined,
  latest: undefined,
  failure: undefined,
})
