import { initialConnection } from "./connection-context.js"
import { connectionParts } from "./connection-parts.js"
import { outcomeOfConnection } from "./connection-steps.js"

/**
 * The life of a connection to one server. `ready` carries what was agreed on; what fails keeps its first
 * cause and every attempt; `close` wins in every state. A channel is always given back before the chart
 * ends, also when it fails.
 */
export const connectionMachine = connectionParts.createMachine({
  id: "connection",
  description: "A connection to one server, from the first attempt to its end.",
  context: ({ input }) => initialConnection(input),
  initial: "idle",
  on: { close: ".closing" },
  states: {
    idle: {
      description: "Nothing has happened yet.",
      on: { open: "opening", close: "closed" },
    },
    opening: {
      description: "The transport is being opened: a process starts, or a connection is made.",
      entry: "beginChannel",
      invoke: {
        id: "open",
        src: "open",
        input: ({ context }) => ({ attempt: context.recoveries }),
        onDone: [
          {
            guard: { type: "isOpen", params: ({ event }) => ({ opened: event.output }) },
            target: "negotiating",
          },
          {
            target: "closing",
            actions: [
              { type: "recordOpening", params: ({ event }) => ({ opened: event.output }) },
              "giveUp",
            ],
          },
        ],
      },
      on: { channelLost: { actions: { type: "noteLoss", params: ({ event }) => event } } },
    },
    negotiating: {
      description: "Both sides come to one version of the protocol; see the negotiation chart.",
      invoke: {
        id: "negotiate",
        src: "negotiate",
        input: ({ context }) => context.negotiation,
        onDone: [
          {
            guard: {
              type: "isLostAndMayRecover",
              params: ({ event }) => ({ outcome: event.output }),
            },
            target: "recovering",
            actions: "loseAgreement",
          },
          {
            guard: { type: "isLost", params: ({ event }) => ({ outcome: event.output }) },
            target: "closing",
            actions: ["loseAgreement", "giveUp"],
          },
          {
            guard: { type: "isModern", params: ({ event }) => ({ outcome: event.output }) },
            target: "ready.modern",
            actions: { type: "settle", params: ({ event }) => ({ outcome: event.output }) },
          },
          {
            guard: { type: "isLegacy", params: ({ event }) => ({ outcome: event.output }) },
            target: "ready.legacy",
            actions: { type: "settle", params: ({ event }) => ({ outcome: event.output }) },
          },
          {
            target: "closing",
            actions: [
              { type: "recordRefusal", params: ({ event }) => ({ outcome: event.output }) },
              "giveUp",
            ],
          },
        ],
      },
      on: { channelLost: { actions: { type: "noteLoss", params: ({ event }) => event } } },
    },
    ready: {
      description: "Requests may be made, within the era, version and capabilities agreed on.",
      initial: "modern",
      on: {
        channelLost: [
          {
            guard: { type: "mayRecover", params: ({ event }) => event },
            target: "recovering",
            actions: [{ type: "noteLoss", params: ({ event }) => event }, "loseAgreement"],
          },
          {
            target: "closing",
            actions: [
              { type: "noteLoss", params: ({ event }) => event },
              "loseAgreement",
              "giveUp",
            ],
          },
        ],
      },
      after: { steadyTime: { actions: "forgetFailures" } },
      states: {
        modern: {
          description: "Every request carries its own version, identity and capabilities.",
          on: {
            verdictContradicted: {
              guard: "isNewContradiction",
              target: "#connection.recovering.renegotiating",
              actions: { type: "contradict", params: ({ event }) => event },
            },
          },
        },
        legacy: {
          description: "initialize was accepted; version and capabilities hold for the session.",
          on: {
            sessionExpired: "#connection.recovering.renewingSession",
            sessionDead: {
              target: "#connection.closing",
              actions: [{ type: "recordSessionLoss", params: ({ event }) => event }, "giveUp"],
            },
          },
        },
      },
    },
    recovering: {
      description: "What was agreed on is lost, in whole or in part, and is won back.",
      initial: "backingOff",
      states: {
        backingOff: {
          description: "A pause before the next try, twice as long each time.",
          entry: "countRecovery",
          after: { backoff: "reopening" },
          on: {
            channelLost: {
              guard: { type: "isForGood", params: ({ event }) => event },
              target: "#connection.closing",
              actions: [{ type: "noteLoss", params: ({ event }) => event }, "giveUp"],
            },
          },
        },
        reopening: {
          description: "The transport is being opened again.",
          entry: "beginChannel",
          invoke: {
            id: "open",
            src: "open",
            input: ({ context }) => ({ attempt: context.recoveries }),
            onDone: [
              {
                guard: { type: "isOpen", params: ({ event }) => ({ opened: event.output }) },
                target: "renegotiating",
              },
              {
                guard: {
                  type: "openingMayPass",
                  params: ({ event }) => ({ opened: event.output }),
                },
                target: "backingOff",
                actions: {
                  type: "recordOpening",
                  params: ({ event }) => ({ opened: event.output }),
                },
              },
              {
                target: "#connection.closing",
                actions: [
                  { type: "recordOpening", params: ({ event }) => ({ opened: event.output }) },
                  "giveUp",
                ],
              },
            ],
          },
          on: { channelLost: { actions: { type: "noteLoss", params: ({ event }) => event } } },
        },
        renegotiating: {
          description: "A new channel is a new beginning: the version is negotiated again.",
          invoke: {
            id: "negotiate",
            src: "negotiate",
            input: ({ context }) => context.negotiation,
            onDone: [
              {
                guard: {
                  type: "isLostAndMayRecover",
                  params: ({ event }) => ({ outcome: event.output }),
                },
                target: "backingOff",
                actions: "loseAgreement",
              },
              {
                guard: { type: "isLost", params: ({ event }) => ({ outcome: event.output }) },
                target: "#connection.closing",
                actions: ["loseAgreement", "giveUp"],
              },
              {
                guard: { type: "isModern", params: ({ event }) => ({ outcome: event.output }) },
                target: "#connection.ready.modern",
                actions: { type: "settle", params: ({ event }) => ({ outcome: event.output }) },
              },
              {
                guard: { type: "isLegacy", params: ({ event }) => ({ outcome: event.output }) },
                target: "#connection.ready.legacy",
                actions: { type: "settle", params: ({ event }) => ({ outcome: event.output }) },
              },
              {
                guard: {
                  type: "refusalMayPass",
                  params: ({ event }) => ({ outcome: event.output }),
                },
                target: "backingOff",
                actions: {
                  type: "recordRefusal",
                  params: ({ event }) => ({ outcome: event.output }),
                },
              },
              {
                target: "#connection.closing",
                actions: [
                  { type: "recordRefusal", params: ({ event }) => ({ outcome: event.output }) },
                  "giveUp",
                ],
              },
            ],
          },
          on: { channelLost: { actions: { type: "noteLoss", params: ({ event }) => event } } },
        },
        renewingSession: {
          description: "The session chart asks for a new session; the channel is still there.",
          on: {
            sessionRenewed: {
              target: "#connection.ready.legacy",
              actions: { type: "settleSession", params: ({ event }) => event },
            },
            sessionDead: {
              target: "#connection.closing",
              actions: [{ type: "recordSessionLoss", params: ({ event }) => event }, "giveUp"],
            },
            channelLost: [
              {
                guard: { type: "mayRecover", params: ({ event }) => event },
                target: "backingOff",
                actions: [{ type: "noteLoss", params: ({ event }) => event }, "loseAgreement"],
              },
              {
                target: "#connection.closing",
                actions: [
                  { type: "noteLoss", params: ({ event }) => event },
                  "loseAgreement",
                  "giveUp",
                ],
              },
            ],
          },
        },
      },
    },
    closing: {
      description: "The session is given back and the channel closed, whatever comes of it.",
      on: { close: { actions: "forgiveFailure" } },
      invoke: {
        id: "close",
        src: "close",
        onDone: [{ guard: "hasFailed", target: "failed" }, { target: "closed" }],
        onError: [{ guard: "hasFailed", target: "failed" }, { target: "closed" }],
      },
    },
    closed: {
      description: "The owner wanted it so.",
      type: "final",
    },
    failed: {
      description: "It could not be opened, or not be kept; the first cause is in the error.",
      type: "final",
    },
  },
  output: ({ context }) => outcomeOfConnection(context),
})
