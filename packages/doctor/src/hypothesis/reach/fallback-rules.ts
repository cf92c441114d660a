import type { Case } from "../../case.js"
import type { Mark } from "../../conversation/frame.js"
import { evidence } from "../../evidence.js"
import { hasPage, isSpokenWith } from "./how-far.js"
import { examineAgain, type Finding, type Rule } from "../rule.js"

const common = { family: 0, weight: "fails", next: examineAgain() } as const

/** Whether only what somebody says of a connection is there, and none of its messages. */
const isHearsay = ({ main: { conversation } }: Case): boolean =>
  conversation.frames.length === 0 &&
  conversation.exchanges.length === 0 &&
  conversation.channels.length === 0 &&
  conversation.failures.length === 0 &&
  conversation.notes.length + conversation.processes.length > 0

const isEmpty = ({ main: { conversation } }: Case): boolean =>
  conversation.frames.length === 0 &&
  conversation.exchanges.length === 0 &&
  conversation.processes.length === 0 &&
  conversation.channels.length === 0 &&
  conversation.failures.length === 0

/** The first thing that went wrong, as far as the trace names anything. */
const firstTrouble = ({ main: { conversation } }: Case): Mark | undefined => {
  const { failures, unreadable, transitions, exchanges, calls } = conversation
  const refused = exchanges.flatMap(({ answered }) =>
    answered !== undefined && answered.status >= 400 ? [answered] : [],
  )
  const errors = calls.flatMap(({ reply }) =>
    reply !== undefined && reply.kind !== "result" ? [reply] : [],
  )
  const broken = transitions.filter(({ to }) => /\b(?:failed|refused|unavailable)\b/.test(to))
  return [...failures, ...unreadable, ...refused, ...errors, ...broken].toSorted(
    (one, other) => one.index - other.index,
  )[0]
}

/**
 * What is said where no rule has a cause, the first that fits: nothing that is not healthy is left without a
 * word. They are asked only then.
 */
export const fallbackRules: ReadonlyArray<Rule> = [
  {
    ...common,
    code: "messages-not-logged",
    stage: "list",
    weight: "costs",
    title: "The log has no messages of the protocol, only what the client says of them",
    expected: "The messages themselves, tools/list and its answer among them.",
    fix: {
      server: "Nothing is known of it yet.",
      proxy: "Nothing is known of it yet.",
      client:
        "Record the exchange with entente tap, or raise the level of the client's log, and diagnose that.",
    },
    next: () => "entente tap --trace exchange.jsonl -- COMMAND",
    find: (given): Finding | undefined => {
      if (!isHearsay(given)) return undefined
      const { notes, last } = given.main.conversation
      const mark = notes.findLast(({ code }) => code === "client-said") ?? last
      const { shown } = given.context
      return {
        confidence: 0.8,
        ...(shown !== undefined && {
          title: `The log has no messages of the protocol; the client says that it has ${shown} ${shown === 1 ? "tool" : "tools"}`,
        }),
        evidence: mark === undefined ? [] : [evidence(given.trace, mark.index)],
      }
    },
  },
  {
    ...common,
    code: "nothing-seen",
    stage: "spawn",
    weight: "costs",
    title: "Nothing of a connection is in this trace",
    expected: "At least the first message of a handshake, or the start of a process.",
    fix: {
      server: "Nothing: it was never asked.",
      proxy: "Check that the client's traffic passes you.",
      client:
        "Check that the client is set up to start this server, and that this is its log; record the exchange with entente tap.",
    },
    find: (given): Finding | undefined =>
      isEmpty(given) ? { confidence: 0.9, evidence: [] } : undefined,
  },
  {
    ...common,
    code: "trace-too-short",
    stage: "list",
    weight: "costs",
    title: "The trace ends before tools were asked for, or before they came",
    expected: "tools/list and its answer.",
    fix: {
      server: "Nothing is known of it yet.",
      proxy: "Nothing is known of it yet.",
      client: "Record for longer: until the client shows its tools, or fails.",
    },
    find: (given): Finding | undefined => {
      const { main, trace } = given
      const { last } = main.conversation
      if (last === undefined || firstTrouble(given) !== undefined) return undefined
      if (main.walk?.complete === true) return undefined
      return {
        confidence: main.walk === undefined ? 0.8 : 0.6,
        ...(isSpokenWith(main)
          ? {}
          : { title: "The trace ends before the server has answered anything" }),
        evidence: [evidence(trace, last.index)],
      }
    },
  },
  {
    ...common,
    code: "unexplained",
    stage: "list",
    title: "Something fails, and no known cause fits",
    expected: "A handshake, tools/list, and a list that is complete.",
    fix: {
      server: "Look into its log at the time of the first failure that is shown.",
      proxy: "Look into its log at the time of the first failure that is shown.",
      client: "Examine the server itself; if it is well there, the cause lies with the client.",
    },
    find: (given): Finding | undefined => {
      const trouble = firstTrouble(given) ?? given.main.conversation.last
      return {
        confidence: 0.3,
        ...(hasPage(given.main) && {
          title: "The tools did not all reach the model, and no known cause fits",
        }),
        evidence: trouble === undefined ? [] : [evidence(given.trace, trouble.index)],
      }
    },
  },
]
