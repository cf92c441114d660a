import { getShortestPaths } from "xstate/graph"
import {
  negotiationMachine,
  type Answer,
  type Dialect,
  type NegotiationInput,
  type Verdict,
} from "../../src/index.js"
import * as answers from "./answers.js"
import type { EventsByState } from "./replay.js"

const modern = "2026-07-28"
const newest = "2025-11-25"
const older = "2025-06-18"

/** One answer for every reading; what only HTTP can say is apart. */
const probeAnswers: ReadonlyArray<Answer> = [
  answers.discovered(modern, newest),
  answers.discovered(newest, older),
  answers.unsupported(modern, newest),
  answers.unsupported("1999-01-01"),
  answers.rpcError(-32021, "elicitation is required"),
  answers.rpcError(-32601, "unknown method"),
  answers.silence,
  answers.exited,
]

const initializeAnswers: ReadonlyArray<Answer> = [
  answers.initialized(newest, "session-1"),
  answers.initialized("2099-01-01"),
  answers.rpcError(-32602, "refused", { data: { supported: [older], requested: newest } }),
  answers.rpcError(-32602, "refused", { data: { supported: ["1999-01-01"] } }),
  answers.rpcError(-32603, "broken"),
  answers.silence,
  answers.exited,
]

const overHttp: ReadonlyArray<Answer> = [
  answers.status(400, "bad request"),
  answers.status(503),
  answers.unauthorized,
]

const confirmations = [
  { _tag: "Accepted" } as const,
  answers.status(503),
  answers.exited,
  answers.silence,
]

const done = (actor: string, outputs: ReadonlyArray<unknown>) =>
  outputs.map((output) => ({ type: `xstate.done.actor.${actor}`, output }))

const late = { type: "lateDiscover", result: answers.discoverResult(modern) }

const eventsIn = (dialect: Dialect): EventsByState => {
  const more = dialect === "stream" ? [] : overHttp
  return {
    probing: done("probe", [...probeAnswers, ...more]),
    retryingVersion: done("probe", [...probeAnswers, ...more]),
    pausing: [{ type: "xstate.after.outagePause.negotiation.pausing" }],
    reopening: done("reopen", [{ ok: true }, { ok: false, error: answers.unreachable }]),
    initializing: [
      ...done("initialize", [...initializeAnswers, ...more]),
      ...(dialect === "stream" ? [late] : []),
    ],
    confirming: done("confirm", confirmations),
    fallingBack: done("fallBack", [
      { ok: true },
      { ok: false, error: answers.noStream },
      { ok: false, error: answers.unreachable },
    ]),
  }
}

const seen = { evidence: "seen", at: "2026-08-01T00:00:00.000Z", quirks: [] }
const rememberedLegacy: Verdict = { era: "legacy", revision: newest, ...seen }
const rememberedModern: Verdict = { era: "modern", revision: modern, ...seen }

const base = { target: answers.target, now: () => Date.UTC(2026, 7, 2) } as const

/** Every way a negotiation can begin. */
export const beginnings: Readonly<Record<string, NegotiationInput>> = {
  "stream, auto": { ...base, dialect: "stream" },
  "http, auto": { ...base, dialect: "http" },
  "http, auto, with a fallback": { ...base, dialect: "http", fallback: true },
  "http, where an outage means legacy": { ...base, dialect: "http", outagePolicy: "legacy" },
  "http, strict": { ...base, dialect: "http", fallback: true, tolerances: { strict: true } },
  "stream, modern only": { ...base, dialect: "stream", mode: "modern" },
  "http, legacy only": { ...base, dialect: "http", mode: "legacy" },
  "stream, one legacy revision": { ...base, dialect: "stream", mode: older },
  "http, remembered as legacy": {
    ...base,
    dialect: "http",
    fallback: true,
    prior: rememberedLegacy,
  },
  "http, remembered as HTTP+SSE": {
    ...base,
    dialect: "http",
    fallback: true,
    prior: { ...rememberedLegacy, quirks: ["http+sse"] },
  },
  "http+sse": { ...base, dialect: "http+sse" },
  "stream, remembered as legacy": { ...base, dialect: "stream", prior: rememberedLegacy },
  "stream, remembered as modern": { ...base, dialect: "stream", prior: rememberedModern },
  "http, remembered with its DiscoverResult": {
    ...base,
    dialect: "http",
    prior: { ...rememberedModern, discover: answers.discoverResult(modern) },
  },
  "http, contradicted, modern only": {
    ...base,
    dialect: "http",
    mode: "modern",
    prior: rememberedModern,
    contradiction: {
      attempt: { what: "tools/list", outcome: "HTTP 404" },
      error: answers.unreachable,
    },
  },
  "nothing to offer": { ...base, dialect: "http", clientVersions: [] },
}

export type NegotiationPath = ReturnType<typeof pathsFrom>[number]

/** The shortest path to every end: one for each different list of attempts and what they meant. */
export const pathsFrom = (input: NegotiationInput) =>
  getShortestPaths(negotiationMachine, {
    input,
    // The generator wants the declared events only; ends of actors are events all the same.
    events: (state) =>
      (eventsIn(input.dialect)[String(state.value)] ?? []).filter(
        (event) => event !== late || state.context.lateDiscover === undefined,
      ) as never,
    serializeState: ({ value, context }) =>
      JSON.stringify([
        value,
        context.attempts.length,
        context.probe?.verdict,
        context.initialize && { ...context.initialize, error: undefined },
        context.spent,
        context.versionHeader,
        context.modernProved,
        context.trouble,
        context.lateDiscover !== undefined,
        context.refusal,
      ]),
  }).filter(({ state }) => state.status === "done")
