import { rpcCode } from "@entente/protocol"
import type { Arrival } from "./arrival.js"
import { checkRule, checkSteps, type Medium } from "./check-script.js"
import { matches } from "./match.js"
import type { ArrivalKind, Rule, Script, Step } from "./script.js"

/** The rules in force, and how far each of them is used up. */
export interface RuleBook {
  /** The reply an arrival gets; choosing it counts as a use. */
  readonly replyTo: (arrival: Arrival) => ReadonlyArray<Step>
  /** Puts a rule before all others. */
  readonly add: (rule: Rule) => void
  /** Takes other rules instead, unused. */
  readonly replace: (rules: ReadonlyArray<Rule>) => void
}

interface RuleState {
  readonly rule: Rule
  /** Arrivals for which its conditions held, whichever rule was played. */
  seen: number
  used: number
}

const failure = (code: number, message: string): ReadonlyArray<Step> => [
  { error: { code, message }, id: null, status: 400 },
]

/** What an arrival gets that no rule matches; for requests the script may say otherwise. */
const defaultReplies: Record<ArrivalKind, (arrival: Arrival) => ReadonlyArray<Step>> = {
  request: () => [{ error: { code: rpcCode.methodNotFound, message: "Method not found" } }],
  notification: () => [],
  response: () => [],
  batch: () => failure(rpcCode.invalidRequest, "Batches are not accepted"),
  invalid: ({ text }) =>
    text === undefined
      ? failure(rpcCode.invalidRequest, "Not a JSON-RPC message")
      : failure(rpcCode.parseError, "Not JSON"),
  bodiless: () => [{ http: { status: 405, headers: { allow: "POST" } } }],
  open: () => [],
  end: () => [{ exit: 0 }],
  signal: ({ signal }) => [{ exit: signal ?? 1 }],
  disconnect: () => [],
}

export const makeRuleBook = (script: Script, medium: Medium, endpoint: string): RuleBook => {
  const unused = (rule: Rule, index: number): RuleState => {
    checkRule(rule, medium, `rules[${index}]`)
    return { rule, seen: 0, used: 0 }
  }
  let states = script.rules.map(unused)
  if (script.unmatched !== undefined) checkSteps(script.unmatched, medium, "unmatched")

  const unmatchedReply = (arrival: Arrival): ReadonlyArray<Step> => {
    if (arrival.httpMethod !== undefined && arrival.path?.split("?", 1)[0] !== endpoint) {
      return [{ http: { status: 404 } }]
    }
    const own = arrival.kind === "request" ? script.unmatched : undefined
    return own ?? defaultReplies[arrival.kind](arrival)
  }

  return {
    replyTo: (arrival) => {
      let chosen: RuleState | undefined
      for (const state of states) {
        const { when, times = Number.POSITIVE_INFINITY } = state.rule
        if (!matches(when, arrival, endpoint)) continue
        state.seen += 1
        if (state.used < times && (when.nth ?? state.seen) === state.seen) chosen ??= state
      }
      if (chosen === undefined) return unmatchedReply(arrival)
      chosen.used += 1
      return chosen.rule.reply
    },
    add: (rule) => {
      states = [unused(rule, 0), ...states]
    },
    replace: (rules) => {
      states = rules.map(unused)
    },
  }
}
