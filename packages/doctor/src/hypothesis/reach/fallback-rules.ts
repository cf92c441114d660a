import type { Case } from "../../case.js"
import { cutList } from "../../conversation/conversation.js"
import type { Mark } from "../../conversation/frame.js"
import { evidence } from "../../evidence.js"
import { hasPage, isSpokenWith, sumsUp } from "./how-far.js"
import { examineAgain, type Finding, type Rule } from "../rule.js"

const common = { family: 0, weight: "fails", next: examineAgain() } as const

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

/** What a client's count of tools says, which is all that a log without messages has of them. */
const saidOfTools = (count: number | undefined): Partial<Finding> => {
  if (count === undefined) return {}
  if (count === 0) {
    return {
      title: "The client says that the server has no tools; its log holds no messages",
      fix: {
        server: "Check that tools are declared and registered before the list is asked for.",
      },
    }
  }
  return {
    title: `The client says that it has ${count} tool${count === 1 ? "" : "s"}; its log holds no messages`,
    fix: {
      client:
        "If the model does not see them, look at lists, switches and caps: entente doctor --client CLIENT.",
    },
  }
}

/**
 * What is said where no rule has a cause, the first that fits: nothing that is not healthy is left without a
 * word. They are asked only then.
 */
export const fallbackRules: ReadonlyArray<Rule> = [
  {
    ...common,
    code: "log-sums-up",
    stage: "list",
    weight: "costs",
    title: "The log holds no messages, only what the client says of the connection",
    expected: "The messages themselves: tools/list and its answer.",
    fix: {
      server: "Nothing is known of it yet.",
      proxy: "Nothing is known of it yet.",
      client:
        "Raise the level of the log, if that shows messages; or put entente tap between this client and the server.",
    },
    find: (given): Finding | undefined => {
      const { main, trace, context } = given
      const words = main.conversation.notes.filter(({ code }) => code === "client-said")
      if (words.length === 0 || !sumsUp(main) || firstTrouble(given) !== undefined) return undefined
      const counting = words.findLast(({ detail }) => /\btools?\b/i.test(detail)) ?? words.at(-1)
      const noise = main.conversation.processes.find(({ event }) => event === "noise")
      const shown = [noise, counting].flatMap((mark) => (mark === undefined ? [] : [mark.index]))
      return {
        confidence: 0.8,
        ...saidOfTools(context.shown),
        evidence: shown.map((index) => evidence(trace, index)),
      }
    },
  },
  {
    ...common,
    code: "log-cuts-list",
    stage: "list",
    weight: "costs",
    title: "The log holds only a part of the answer to tools/list",
    expected: 'The whole answer: {"tools":[…]}.',
    fix: {
      server: "Nothing is known of it yet: it has answered.",
      proxy: "Nothing is known of it yet.",
      client: "This client's log cuts long messages: put entente tap between it and the server.",
    },
    find: (given): Finding | undefined => {
      const cut = cutList(given.main.conversation)
      return cut === undefined || hasPage(given.main)
        ? undefined
        : { confidence: 0.9, evidence: [evidence(given.trace, cut.index, "tools/list")] }
    },
  },
  {
    ...common,
    family: 2,
    code: "next-page-not-asked-for",
    stage: "list",
    weight: "costs",
    title: "The list has a next page, and the client does not ask for it",
    expected: "tools/list with the nextCursor of the page before, until there is none.",
    fix: {
      server: "Send all tools on one page, if there are few: some clients read only the first.",
      proxy: "Read every page where you answer for the server.",
      client: "Ask for every page; if this trace just ends early, record for longer.",
    },
    find: (given): Finding | undefined => {
      const { conversation, walk } = given.main
      const last = walk?.pages.at(-1)
      const reply = last?.call.reply
      if (last?.reading?.ok !== true || reply === undefined) return undefined
      if (last.reading.nextCursor === undefined || firstTrouble(given) !== undefined)
        return undefined
      const isOver =
        conversation.channels.some(({ event }) => event === "closed" || event === "released") ||
        conversation.processes.some(({ event }) => event === "exited")
      const count = walk?.pages.length ?? 0
      return {
        // While it goes on, the client may still ask.
        confidence: isOver ? 0.85 : 0.55,
        title: `The client has read ${count} page${count === 1 ? "" : "s"} of the list and does not ask for the next`,
        evidence: [evidence(given.trace, reply.index, '"nextCursor":')],
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
