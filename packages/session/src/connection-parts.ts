import type { EntenteError } from "@entente/protocol"
import { assign, setup } from "xstate"
import type { Agreement } from "./agreement.js"
import {
  type ChannelLoss,
  type ConnectionContext,
  type ConnectionEvent,
  type ConnectionInput,
  type ConnectionOutcome,
} from "./connection-context.js"
import * as steps from "./connection-steps.js"
import { negotiationMachine } from "./negotiation.js"
import type { Contradiction, NegotiationOutcome } from "./negotiation-context.js"
import type { Opened } from "./negotiation-exchange.js"
import { notProvided } from "./not-provided.js"

/**
 * The named parts of the connection chart. The actors are the I/O; `open` resolves with data, and what
 * `close` rejects with changes nothing.
 */
export const connectionParts = setup({
  types: {
    context: {} as ConnectionContext,
    events: {} as ConnectionEvent,
    input: {} as ConnectionInput,
    output: {} as ConnectionOutcome,
  },
  actors: {
    /** Releases the channel that was lost, if any, and opens a new one; `attempt` 0 is the first. */
    open: notProvided<Opened, { readonly attempt: number }>("open"),
    /** The negotiation chart, with its own actors provided. */
    negotiate: negotiationMachine,
    /** Ends the session, closes the channel and waits until everything it held is gone. */
    close: notProvided<unknown>("close"),
  },
  guards: {
    isOpen: (_, params: { readonly opened: Opened }) => params.opened.ok,
    /** The channel ended, and it is not one that the negotiation opened again itself. */
    isLost: ({ context }, params: { readonly outcome: NegotiationOutcome }) =>
      params.outcome._tag === "Agreed" && context.losses > params.outcome.reopened,
    isLostAndMayRecover: ({ context }, params: { readonly outcome: NegotiationOutcome }) =>
      params.outcome._tag === "Agreed" &&
      context.losses > params.outcome.reopened &&
      context.lost !== undefined &&
      steps.mayRecover(context, context.lost),
    isModern: (_, params: { readonly outcome: NegotiationOutcome }) =>
      params.outcome._tag === "Agreed" && params.outcome.agreement.era === "modern",
    isLegacy: (_, params: { readonly outcome: NegotiationOutcome }) =>
      params.outcome._tag === "Agreed" && params.outcome.agreement.era === "legacy",
    mayRecover: ({ context }, params: ChannelLoss) => steps.mayRecover(context, params),
    /** The negotiation has told of the loss already; now it is known that a new channel cannot help. */
    isForGood: (_, params: ChannelLoss) => !params.restart,
    openingMayPass: ({ context }, { opened }: { readonly opened: Opened }) =>
      !opened.ok && steps.mayTryAgain(context, opened.error),
    refusalMayPass: ({ context }, { outcome }: { readonly outcome: NegotiationOutcome }) =>
      outcome._tag === "Refused" && steps.mayTryAgain(context, outcome.error),
    isNewContradiction: ({ context }) => !context.wasContradicted,
    hasFailed: ({ context }) => context.failure !== undefined,
  },
  actions: {
    beginChannel: assign(() => steps.beginChannel()),
    noteLoss: assign(({ context }, params: ChannelLoss) => steps.noteLoss(context, params)),
    loseAgreement: assign(({ context }) => steps.loseAgreement(context)),
    recordOpening: assign(({ context }, params: { readonly opened: Opened }) =>
      params.opened.ok ? {} : steps.recordOne(context, "open", params.opened.error),
    ),
    recordRefusal: assign(({ context }, params: { readonly outcome: NegotiationOutcome }) =>
      steps.recordRefusal(context, params.outcome),
    ),
    recordSessionLoss: assign(({ context }, params: { readonly error: EntenteError }) =>
      steps.recordOne(context, "session", params.error),
    ),
    settle: assign(({ context }, params: { readonly outcome: NegotiationOutcome }) =>
      params.outcome._tag === "Agreed" ? steps.settle(context, params.outcome.agreement) : {},
    ),
    settleSession: assign(({ context }, params: { readonly agreement: Agreement }) =>
      steps.settle(context, params.agreement),
    ),
    contradict: assign(({ context }, params: Contradiction) => steps.contradict(context, params)),
    countRecovery: assign({ recoveries: ({ context }) => context.recoveries + 1 }),
    forgetFailures: assign({
      recoveries: 0,
      attempts: [],
      first: undefined,
      latest: undefined,
    }),
    giveUp: assign(({ context }) => steps.giveUp(context)),
    forgiveFailure: assign({ failure: undefined }),
  },
  delays: {
    backoff: ({ context }) => steps.backoff(context),
    /** A connection that stays ready for this long has recovered: earlier failures are forgotten. */
    steadyTime: ({ context }) => context.reconnect.maxMs,
  },
})
