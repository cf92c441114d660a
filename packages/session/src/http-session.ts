import { tolerates, type EntenteError, type TolerancePolicy } from "@entente/protocol"
import { assign, setup } from "xstate"
import { notProvided } from "./not-provided.js"
import type { SessionId } from "./session-id.js"

export interface HttpSessionInput {
  /** What the server assigned at `initialize`, or what was kept from an earlier run (C022). */
  readonly sessionId?: SessionId
  readonly tolerances?: TolerancePolicy
}

/** Every event about an exchange says under which generation of the session it was sent. */
export type HttpSessionEvent =
  /** An answer arrived on the session, so the server knows it. */
  | { readonly type: "answered"; readonly generation: number }
  /** 404 to a request that carried the id (V25-HTTP-32). */
  | { readonly type: "missing"; readonly generation: number; readonly error: EntenteError }
  /** A 400 whose JSON-RPC error without id speaks of the session (C020). */
  | { readonly type: "shaped400"; readonly generation: number; readonly error: EntenteError }
  /** The owner is done with the session. */
  | { readonly type: "end" }

/** What one fresh `initialize`, without a session id, came to. */
export type Renewal =
  | { readonly _tag: "Renewed"; readonly sessionId?: SessionId }
  | { readonly _tag: "Failed"; readonly error: EntenteError }

export type HttpSessionOutcome =
  | { readonly reason: "closed" }
  /** The session is lost for good; `error` is the first failure that showed it. */
  | { readonly reason: "dead"; readonly error: EntenteError }

export interface HttpSessionContext {
  readonly tolerances: TolerancePolicy
  /** Counts the sessions of this connection, from 1. */
  readonly generation: number
  readonly sessionId: SessionId | undefined
  /** Whether an answer has come on this generation: before that, the session is provisional. */
  readonly proven: boolean
  /** Failures of older generations, which changed nothing (V25-HTTP-33). */
  readonly lateFailures: number
  readonly error: EntenteError | undefined
}

export interface OfGeneration {
  readonly generation: number
}

export interface WithError {
  readonly error: EntenteError
}

interface Facts {
  readonly context: HttpSessionContext
}

const isCurrent = ({ context }: Facts, { generation }: OfGeneration): boolean =>
  generation === context.generation

/**
 * The session of a legacy Streamable HTTP connection. Its id exists only here. A 404 with the current id
 * leads to exactly one new `initialize`, however many requests fail with it (C019); a 404 on a session
 * that was renewed and never worked ends it, so there is no third (V25-HTTP-33).
 */
export const httpSessionMachine = setup({
  types: {
    context: {} as HttpSessionContext,
    events: {} as HttpSessionEvent,
    input: {} as HttpSessionInput,
    output: {} as HttpSessionOutcome,
  },
  actors: {
    /** `initialize` without an id, then `notifications/initialized` (V25-HTTP-30). */
    renew: notProvided<Renewal>("renew"),
    /** DELETE with the id; 405, 404 and any failure are as good as success (V25-HTTP-34). */
    endSession: notProvided<unknown, { readonly sessionId: SessionId | undefined }>("endSession"),
  },
  guards: {
    hasId: ({ context }) => context.sessionId !== undefined,
    isCurrent,
    isLate: (facts: Facts, params: OfGeneration) => !isCurrent(facts, params),
    /** The first session may be a stored one that died meanwhile; a renewed one must work at once. */
    mayRenew: (facts: Facts, params: OfGeneration) =>
      isCurrent(facts, params) && (facts.context.proven || facts.context.generation === 1),
    isSessionLoss: (facts: Facts, params: OfGeneration) =>
      isCurrent(facts, params) &&
      facts.context.proven &&
      tolerates(facts.context.tolerances, "session-shaped-400"),
    isRenewedWithId: (_, params: { readonly renewal: Renewal }) =>
      params.renewal._tag === "Renewed" && params.renewal.sessionId !== undefined,
    isRenewed: (_, params: { readonly renewal: Renewal }) => params.renewal._tag === "Renewed",
  },
  actions: {
    prove: assign({ proven: true }),
    countLateFailure: assign({ lateFailures: ({ context }) => context.lateFailures + 1 }),
    rememberError: assign({ error: (_, params: WithError) => params.error }),
    forgetId: assign({ sessionId: undefined, proven: false }),
    hold: assign(({ context }, params: { readonly renewal: Renewal }) => ({
      generation: context.generation + 1,
      sessionId: params.renewal._tag === "Renewed" ? params.renewal.sessionId : undefined,
      error: params.renewal._tag === "Failed" ? params.renewal.error : undefined,
    })),
  },
  delays: {
    /** How long an unanswered DELETE may delay the end, in milliseconds. */
    endSessionGrace: 2_000,
  },
}).createMachine({
  id: "httpSession",
  description: "The session that a legacy server may assign over HTTP, from its id to its end.",
  context: ({ input }) => ({
    tolerances: input.tolerances ?? {},
    generation: 1,
    sessionId: input.sessionId,
    proven: false,
    lateFailures: 0,
    error: undefined,
  }),
  initial: "none",
  states: {
    none: {
      description: "The server assigned no id: none is sent, and a 404 is an ordinary failure.",
      always: { guard: "hasId", target: "held" },
      on: { end: "ended" },
    },
    held: {
      description: "The server knows this client by an id, which goes with every request.",
      on: {
        answered: {
          guard: { type: "isCurrent", params: ({ event }) => event },
          actions: "prove",
        },
        missing: [
          {
            guard: { type: "isLate", params: ({ event }) => event },
            actions: "countLateFailure",
          },
          {
            guard: { type: "mayRenew", params: ({ event }) => event },
            target: "expired",
          },
          {
            target: "ended",
            actions: { type: "rememberError", params: ({ event }) => event },
          },
        ],
        shaped400: [
          {
            guard: { type: "isLate", params: ({ event }) => event },
            actions: "countLateFailure",
          },
          {
            guard: { type: "isSessionLoss", params: ({ event }) => event },
            target: "expired",
          },
        ],
        end: "ending",
      },
    },
    expired: {
      description: "The server has forgotten the session; its id is dropped and never sent again.",
      entry: "forgetId",
      always: "renewing",
    },
    renewing: {
      description: "One initialize, shared by every request that failed, asks for a new session.",
      invoke: {
        id: "renew",
        src: "renew",
        onDone: [
          {
            guard: { type: "isRenewedWithId", params: ({ event }) => ({ renewal: event.output }) },
            target: "held",
            actions: { type: "hold", params: ({ event }) => ({ renewal: event.output }) },
          },
          {
            guard: { type: "isRenewed", params: ({ event }) => ({ renewal: event.output }) },
            target: "none",
            actions: { type: "hold", params: ({ event }) => ({ renewal: event.output }) },
          },
          {
            target: "ended",
            actions: { type: "hold", params: ({ event }) => ({ renewal: event.output }) },
          },
        ],
      },
      on: {
        missing: { actions: "countLateFailure" },
        shaped400: { actions: "countLateFailure" },
        end: "ended",
      },
    },
    ending: {
      description: "The session is given back with DELETE; whatever comes of it, it is over.",
      invoke: {
        id: "endSession",
        src: "endSession",
        input: ({ context }) => ({ sessionId: context.sessionId }),
        onDone: "ended",
        onError: "ended",
      },
      after: { endSessionGrace: "ended" },
    },
    ended: {
      description: "There is no session any more.",
      type: "final",
      entry: "forgetId",
    },
  },
  output: ({ context }): HttpSessionOutcome =>
    context.error ? { reason: "dead", error: context.error } : { reason: "closed" },
})
