import { initialContext } from "./negotiation-context.js"
import { confirmInput, initializeInput, probeInput } from "./negotiation-exchange.js"
import { outcomeOfNegotiation } from "./negotiation-outcome.js"
import { negotiationParts } from "./negotiation-parts.js"
import type { RefusalReason } from "./refusal.js"

const refuse = <Reason extends RefusalReason>(because: Reason) =>
  ({ target: "refused", actions: { type: "refuse", params: { because } } }) as const

/**
 * How both sides come to one version of the protocol. The actors are the I/O: they resolve with data
 * and never reject, so that every decision is a transition of this chart. Leaving a state stops its
 * actor, but `initialize` is only ever left by its answer: it is never cancelled (V25-LIFE-13).
 */
export const negotiationMachine = negotiationParts.createMachine({
  id: "negotiation",
  description: "From an open channel to an agreed revision of the protocol, or a reason why not.",
  context: ({ input }) => initialContext(input),
  initial: "recalling",
  on: {
    lateDiscover: { guard: "isDiscoverResult", actions: "rememberLateDiscover" },
  },
  states: {
    recalling: {
      description: "What is allowed, and what is remembered of this server, choose the first step.",
      always: [
        { guard: "hasNothingToOffer", ...refuse("nothingToOffer") },
        { guard: "remembersDiscover", target: "agreed", actions: "agreeRemembered" },
        { guard: "remembersOldTransport", target: "fallingBack" },
        { guard: "remembersLegacy", target: "initializing", actions: "offerRemembered" },
        {
          guard: "isContradicted",
          target: "probing",
          actions: {
            type: "renewVerdict",
            params: { why: "a live connection contradicted what was remembered" },
          },
        },
        { guard: "mayProbe", target: "probing" },
        { target: "initializing" },
      ],
    },
    probing: {
      description: "server/discover was sent, naming the newest modern version.",
      invoke: {
        id: "probe",
        src: "probe",
        input: ({ context }) => probeInput(context),
        onDone: {
          target: "judgingProbe",
          actions: { type: "recordProbe", params: ({ event }) => ({ answer: event.output }) },
        },
      },
    },
    retryingVersion: {
      description: "The server is modern but refused that version; the best one it named is asked.",
      invoke: {
        id: "probe",
        src: "probe",
        input: ({ context }) => probeInput(context),
        onDone: {
          target: "judgingProbe",
          actions: { type: "recordProbe", params: ({ event }) => ({ answer: event.output }) },
        },
      },
    },
    judgingProbe: {
      description: "What came back to server/discover decides the era, or proves nothing.",
      always: [
        { guard: "agreesOnModern", target: "agreed", actions: "agreeModern" },
        { guard: "namesOnlyLegacy", target: "initializing", actions: "offerNamed" },
        { guard: "mayAskAgain", target: "retryingVersion", actions: "askNamed" },
        { guard: "namesNothingNew", ...refuse("noCommonVersion") },
        { guard: "refusesAsModern", ...refuse("latestFailure") },
        { guard: "needsAuthorization", ...refuse("latestFailure") },
        { guard: "isOutageThatMayPass", target: "pausing" },
        { guard: "isOutage", ...refuse("outage") },
        { guard: "mayReopen", target: "reopening" },
        { guard: "isOutOfReach", ...refuse("latestFailure") },
        { guard: "mayInitialize", target: "initializing", actions: "offerNewest" },
        { guard: "mayBeOldTransport", target: "fallingBack" },
        { guard: "wantsModernOnly", ...refuse("legacyServer") },
        refuse("handshake"),
      ],
    },
    pausing: {
      description: "The server is out of order; the same step is tried once more after a while.",
      entry: "spendOutageRetry",
      after: {
        outagePause: [{ guard: "wasProbing", target: "probing" }, { target: "initializing" }],
      },
    },
    reopening: {
      description: "The probe ended the server process; it is started again, once.",
      invoke: {
        id: "reopen",
        src: "reopen",
        onDone: [
          {
            guard: { type: "isOpen", params: ({ event }) => ({ opened: event.output }) },
            target: "initializing",
            actions: [
              { type: "recordReopening", params: ({ event }) => ({ opened: event.output }) },
              "offerNewest",
            ],
          },
          {
            target: "refused",
            actions: [
              { type: "recordReopening", params: ({ event }) => ({ opened: event.output }) },
              { type: "refuse", params: { because: "latestFailure" } },
            ],
          },
        ],
      },
    },
    initializing: {
      description: "initialize was sent; no other request goes out before it is accepted.",
      invoke: {
        id: "initialize",
        src: "initialize",
        input: ({ context }) => initializeInput(context),
        onDone: {
          target: "judgingInitialize",
          actions: { type: "recordInitialize", params: ({ event }) => ({ answer: event.output }) },
        },
      },
    },
    judgingInitialize: {
      description:
        "The answer to initialize is accepted, worth one change of the offer, or the end.",
      always: [
        { guard: "isAccepted", target: "confirming" },
        { guard: "lateDiscoverDecides", target: "agreed", actions: "agreeLate" },
        { guard: "isOtherVersion", ...refuse("noCommonVersion") },
        { guard: "opensVersionGate", target: "initializing", actions: "openVersionGate" },
        { guard: "meetsVersionGate", ...refuse("versionGate") },
        { guard: "mayChangeHeader", target: "initializing", actions: "changeHeader" },
        { guard: "isOutageThatMayPass", target: "pausing" },
        { guard: "isOutage", ...refuse("outage") },
        { guard: "needsAuthorization", ...refuse("latestFailure") },
        { guard: "isOutOfReach", ...refuse("latestFailure") },
        {
          guard: "contradictsPrior",
          target: "probing",
          actions: {
            type: "renewVerdict",
            params: { why: "the server was remembered as legacy and refused initialize" },
          },
        },
        { guard: "namesNoneOfOurs", ...refuse("noCommonVersion") },
        { guard: "mayBeOldTransport", target: "fallingBack" },
        refuse("handshake"),
      ],
    },
    confirming: {
      description:
        "initialize was accepted; notifications/initialized goes first, and must arrive.",
      invoke: {
        id: "confirm",
        src: "confirm",
        input: ({ context }) => confirmInput(context),
        onDone: [
          {
            guard: { type: "isConfirmed", params: ({ event }) => ({ confirmation: event.output }) },
            target: "agreed",
            actions: "agreeLegacy",
          },
          {
            target: "judgingConfirmation",
            actions: {
              type: "recordConfirmation",
              params: ({ event }) => ({ confirmation: event.output }),
            },
          },
        ],
      },
    },
    judgingConfirmation: {
      description: "notifications/initialized did not arrive; the answer says why.",
      always: [
        { guard: "isOutage", ...refuse("outage") },
        { guard: "hasTrouble", ...refuse("latestFailure") },
        refuse("handshake"),
      ],
    },
    fallingBack: {
      description:
        "HTTP+SSE is opened at the same URL, with a GET in search of its endpoint event.",
      invoke: {
        id: "fallBack",
        src: "fallBack",
        onDone: [
          {
            guard: { type: "isOpen", params: ({ event }) => ({ opened: event.output }) },
            target: "initializing",
            actions: [
              { type: "recordFallback", params: ({ event }) => ({ opened: event.output }) },
              "speakOldTransport",
            ],
          },
          {
            guard: "hasInitialized",
            target: "refused",
            actions: [
              { type: "recordFallback", params: ({ event }) => ({ opened: event.output }) },
              { type: "refuse", params: { because: "handshake" } },
            ],
          },
          {
            guard: { type: "isNoOldTransport", params: ({ event }) => ({ opened: event.output }) },
            target: "recalling",
            actions: [
              { type: "recordFallback", params: ({ event }) => ({ opened: event.output }) },
              {
                type: "renewVerdict",
                params: { why: "the server was remembered to speak HTTP+SSE" },
              },
              "forgetPrior",
            ],
          },
          {
            target: "refused",
            actions: [
              { type: "recordFallback", params: ({ event }) => ({ opened: event.output }) },
              { type: "refuse", params: { because: "latestFailure" } },
            ],
          },
        ],
      },
    },
    agreed: {
      description: "Both sides speak the same revision; the connection may be used.",
      type: "final",
    },
    refused: {
      description: "No agreement; the error keeps the first cause and every attempt in order.",
      type: "final",
    },
  },
  output: ({ context }) => outcomeOfNegotiation(context),
})
