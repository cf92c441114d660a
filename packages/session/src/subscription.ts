import type { EntenteError } from "@entente/protocol"
import { assign, fromCallback, setup } from "xstate"
import {
  grantsNothing,
  initialSubscription,
  reopenDelay,
  type AcknowledgedFilter,
  type Drop,
  type SubscriptionContext,
  type SubscriptionEvent,
  type SubscriptionInput,
  type SubscriptionOutcome,
  type SubscriptionReason,
} from "./subscription-context.js"

export interface WithError {
  readonly error: EntenteError
}

/**
 * One interest in what a server says by itself, and the stream that serves it: the GET stream of a
 * legacy session, `subscriptions/listen` of the modern era. A stream that drops is opened again with
 * growing pauses; one that the server does not offer, or that never brings anything, is let go. None of
 * that touches the connection (V25-HTTP-12, V25-HTTP-14).
 */
export const subscriptionMachine = setup({
  types: {
    context: {} as SubscriptionContext,
    events: {} as SubscriptionEvent,
    input: {} as SubscriptionInput,
    output: {} as SubscriptionOutcome,
  },
  actors: {
    /** Opens the stream, tells what comes of it, and closes it when it is stopped. */
    stream: fromCallback<SubscriptionEvent>(() => {
      throw new Error(`The actor "stream" is not provided: give it with machine.provide`)
    }),
  },
  guards: {
    isFirstOutage: ({ context }) => !context.hadOutage,
    grantsNothing: (_, params: { readonly filter: AcknowledgedFilter }) =>
      grantsNothing(params.filter),
    isHopeless: ({ context }) => context.fruitless >= context.policy.maxFruitless,
  },
  actions: {
    acknowledge: assign({
      filter: (_, params: { readonly filter: AcknowledgedFilter }) => params.filter,
      hadOutage: false,
    }),
    bearFruit: assign({ fruitful: true, fruitless: 0, error: undefined }),
    beginStream: assign({
      fruitful: false,
      filter: undefined,
      retryMs: undefined,
      graceful: false,
    }),
    noteDrop: assign(({ context }, { retryMs, graceful = false, error }: Drop) => ({
      retryMs,
      graceful,
      error: context.error ?? error,
    })),
    countDrop: assign(({ context }) => ({
      filter: undefined,
      fruitless: context.fruitful ? 0 : context.fruitless + 1,
    })),
    noteOutage: assign((_, { error }: WithError) => ({ hadOutage: true, error })),
    end: assign(
      (
        { context },
        params: { readonly reason: SubscriptionReason; readonly error?: EntenteError },
      ) => ({ reason: params.reason, error: params.error ?? context.error }),
    ),
    /** The stream is gone and what it would have said meanwhile is missed: its covers go stale. */
    markStale: (_facts, _drop: Drop) => {},
  },
  delays: {
    openDeadline: ({ context }) => context.policy.openMs,
    steadyTime: ({ context }) => context.policy.steadyMs,
    reopenDelay: ({ context }) => reopenDelay(context),
  },
}).createMachine({
  id: "subscription",
  description: "What a server says by itself: one interest, and the stream that serves it.",
  context: ({ input }) => initialSubscription(input),
  initial: "closed",
  on: {
    release: {
      target: ".ended",
      actions: { type: "end", params: { reason: "released" } },
    },
  },
  states: {
    closed: {
      description: "Nobody has asked for the stream yet.",
      on: { want: "streaming" },
    },
    streaming: {
      description: "A stream is being opened, or is open.",
      entry: "beginStream",
      invoke: { id: "stream", src: "stream" },
      initial: "opening",
      on: {
        dropped: {
          target: "dropped",
          actions: [
            { type: "noteDrop", params: ({ event }) => event },
            { type: "markStale", params: ({ event }) => event },
          ],
        },
        expired: {
          target: "ended",
          actions: {
            type: "end",
            params: ({ event }) => ({ reason: "expired", error: event.error }),
          },
        },
      },
      states: {
        opening: {
          description: "The request is out; requests of the caller do not wait for it.",
          on: {
            acknowledged: [
              {
                guard: { type: "grantsNothing", params: ({ event }) => event },
                target: "#subscription.ended",
                actions: [
                  { type: "acknowledge", params: ({ event }) => event },
                  { type: "end", params: { reason: "unsupported" } },
                ],
              },
              {
                target: "acknowledged",
                actions: { type: "acknowledge", params: ({ event }) => event },
              },
            ],
            refused: {
              target: "#subscription.ended",
              actions: {
                type: "end",
                params: ({ event }) => ({ reason: "unsupported", error: event.error }),
              },
            },
            outage: [
              {
                guard: "isFirstOutage",
                target: "#subscription.backingOff",
                actions: { type: "noteOutage", params: ({ event }) => event },
              },
              {
                target: "#subscription.ended",
                actions: {
                  type: "end",
                  params: ({ event }) => ({ reason: "unavailable", error: event.error }),
                },
              },
            ],
          },
          after: {
            openDeadline: {
              target: "#subscription.ended",
              actions: { type: "end", params: { reason: "unavailable" } },
            },
          },
        },
        acknowledged: {
          description: "The server has agreed; the filter it named is what counts.",
          on: { delivered: { actions: "bearFruit" } },
          after: { steadyTime: { actions: "bearFruit" } },
        },
      },
    },
    dropped: {
      description: "The stream ended although it is still wanted.",
      entry: "countDrop",
      always: [
        {
          guard: "isHopeless",
          target: "ended",
          actions: { type: "end", params: { reason: "unavailable" } },
        },
        { target: "backingOff" },
      ],
    },
    backingOff: {
      description: "A pause: the server's own, or ours, longer each time nothing came.",
      after: { reopenDelay: "streaming" },
    },
    ended: {
      description: "There is no stream, and none is asked for again.",
      type: "final",
    },
  },
  output: ({ context }): SubscriptionOutcome => ({ reason: context.reason, error: context.error }),
})
