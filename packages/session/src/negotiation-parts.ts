import { assign, setup } from "xstate"
import type { Answer } from "./answer.js"
import { isDiscoverResult } from "./discover-result.js"
import type {
  NegotiationContext,
  NegotiationEvent,
  NegotiationInput,
  NegotiationOutcome,
} from "./negotiation-context.js"
import {
  outagePause,
  type Confirmation,
  type ConfirmInput,
  type InitializeInput,
  type ProbeInput,
  type Opened,
} from "./negotiation-exchange.js"
import * as outcome from "./negotiation-outcome.js"
import { negotiationRules } from "./negotiation-rules.js"
import * as steps from "./negotiation-steps.js"
import { notProvided } from "./not-provided.js"
import type { RefusalReason } from "./refusal.js"

/**
 * The named parts of the negotiation chart. The actors are the I/O: they resolve with data and never
 * reject, so that every decision is a transition of the chart.
 */
export const negotiationParts = setup({
  types: {
    context: {} as NegotiationContext,
    events: {} as NegotiationEvent,
    input: {} as NegotiationInput,
    output: {} as NegotiationOutcome,
  },
  actors: {
    /** Sends `server/discover` and waits for its answer, at most as long as the transport allows. */
    probe: notProvided<Answer, ProbeInput>("probe"),
    initialize: notProvided<Answer, InitializeInput>("initialize"),
    /** Sends `notifications/initialized` and waits until it is accepted (V25-LIFE-10). */
    confirm: notProvided<Confirmation, ConfirmInput>("confirm"),
    /** Opens the channel again after the probe has ended it. */
    reopen: notProvided<Opened>("reopen"),
    /**
     * Opens HTTP+SSE at the same URL, with its GET and `endpoint` event, in the place of the channel that
     * is open (V25-DET-03). Where that fails, the channel stays.
     */
    fallBack: notProvided<Opened>("fallBack"),
  },
  guards: {
    ...negotiationRules,
    isDiscoverResult: ({ event }) => isDiscoverResult(event.result),
    isConfirmed: (_, params: { readonly confirmation: Confirmation }) =>
      params.confirmation._tag === "Accepted",
    isOpen: (_, params: { readonly opened: Opened }) => params.opened.ok,
    /** What is there is no HTTP+SSE, although that is remembered; trouble on the way proves nothing. */
    isNoOldTransport: (_, { opened }: { readonly opened: Opened }) =>
      !opened.ok &&
      (opened.error._tag === "HttpRejected" || opened.error._tag === "ProtocolViolation"),
  },
  actions: {
    recordProbe: assign(({ context }, params: { readonly answer: Answer }) =>
      steps.recordProbe(context, params.answer),
    ),
    recordInitialize: assign(({ context }, params: { readonly answer: Answer }) =>
      steps.recordInitialize(context, params.answer),
    ),
    recordConfirmation: assign(({ context }, params: { readonly confirmation: Confirmation }) =>
      params.confirmation._tag === "Accepted"
        ? {}
        : steps.recordConfirmation(context, params.confirmation),
    ),
    recordReopening: assign(({ context }, params: { readonly opened: Opened }) =>
      steps.recordReopening(context, params.opened),
    ),
    recordFallback: assign(({ context }, params: { readonly opened: Opened }) =>
      steps.recordFallback(context, params.opened),
    ),
    speakOldTransport: assign(({ context }) => steps.speakOldTransport(context)),
    forgetPrior: assign({ prior: undefined }),
    rememberLateDiscover: assign(({ context, event }) =>
      steps.rememberLateDiscover(context, event.result),
    ),
    askNamed: assign(({ context }) => steps.askNamed(context)),
    offerNamed: assign(({ context }) => steps.offerNamed(context)),
    offerNewest: assign(({ context }) => steps.offerNewest(context)),
    offerRemembered: assign(({ context }) => steps.offerRemembered(context)),
    openVersionGate: assign(({ context }) => steps.openVersionGate(context)),
    changeHeader: assign(({ context }) => steps.changeHeader(context)),
    spendOutageRetry: assign(({ context }) => steps.spendOutageRetry(context)),
    renewVerdict: assign(({ context }, params: { readonly why: string }) =>
      steps.renewVerdict(context, params.why),
    ),
    agreeModern: assign(({ context }) => outcome.agreeModern(context)),
    agreeRemembered: assign(({ context }) => outcome.agreeRemembered(context)),
    agreeLate: assign(({ context }) => outcome.agreeLate(context)),
    agreeLegacy: assign(({ context }) => outcome.agreeLegacy(context)),
    refuse: assign({ refusal: (_, params: { readonly because: RefusalReason }) => params.because }),
  },
  delays: {
    outagePause: ({ context }) => outagePause(context),
  },
})
