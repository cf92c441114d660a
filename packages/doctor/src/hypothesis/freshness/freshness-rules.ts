import { plainText, readFreshness } from "@entente/protocol"
import { experiment, type Act, type Case } from "../../case.js"
import { callsOf, saidByServer } from "../../conversation/conversation.js"
import type { Call } from "../../conversation/frame.js"
import { declaresChanges, deafnessOf } from "./listening.js"
import type { ToolWalk } from "../../conversation/tool-walk.js"
import type { Evidence } from "../../diagnosis.js"
import { evidence, member } from "../../evidence.js"
import { hasPage, isSpokenWith } from "../reach/how-far.js"
import { command, examineAgain, type Finding, type Rule } from "../rule.js"

const common = { family: 5, stage: "list" } as const

/** A client that reads a list anew after a change has nothing to explain; this long it may take. */
const reactionMs = 5_000

const replyOf = (walk: ToolWalk | undefined) => walk?.pages[0]?.call.reply

const shown = (
  { trace }: Case,
  walk: ToolWalk | undefined,
  marked = '"tools":[',
): ReadonlyArray<Evidence> => {
  const reply = replyOf(walk)
  return reply === undefined ? [] : [evidence(trace, reply.index, marked)]
}

const namesOf = ({ tools }: ToolWalk): ReadonlyArray<string> => tools.map(({ name }) => name)

/** In a person's words: the largest unit that fits. */
const ageOf = (ms: number): string => {
  const units = [
    [86_400_000, "days"],
    [3_600_000, "hours"],
    [60_000, "minutes"],
  ] as const
  const [size, unit] = units.find(([least]) => ms >= 2 * least) ?? [1_000, "seconds"]
  return `${Math.round(ms / size)} ${unit}`
}

/** A list of the client that lacks what the server offers. */
interface Stale {
  readonly walk: ToolWalk
  readonly missing: ReadonlyArray<string>
  /** The newer list, where it is in the trace. */
  readonly newer: ToolWalk | undefined
  /** Milliseconds between the two, as far as the trace tells. */
  readonly ageMs: number
}

/** What the server offers by somebody's later word, be it a list in the trace or what the caller knows. */
const laterList = (given: Case): ToolWalk | undefined =>
  given.main.walk?.raw === 0
    ? undefined // why a list was empty at first is family 1
    : experiment(given, "again")?.walks.findLast(({ complete, raw }) => complete && raw > 0)

const staleList = (given: Case): Stale | undefined => {
  const { walk, conversation } = given.main
  const reply = replyOf(walk)
  if (walk === undefined || reply === undefined || !walk.complete) return undefined
  const newer = laterList(given)
  const offered = given.context.offered ?? (newer && namesOf(newer))
  if (offered === undefined) return undefined
  const own = new Set(namesOf(walk))
  const missing = offered.filter((name) => !own.has(name))
  if (missing.length === 0) return undefined
  const end = replyOf(newer)?.at ?? conversation.last?.at ?? reply.at
  return { walk, missing, newer, ageMs: Math.max(0, end - reply.at) }
}

const missingTools = ({ missing }: Stale): string => {
  const names = missing.slice(0, 3).map((name) => plainText(name, 40))
  return `${names.join(", ")}${missing.length > names.length ? " and others" : ""}`
}

/** A call that was made although no list had brought its tool. */
const callsWithoutList = ({ main }: Case): ReadonlyArray<Call> =>
  main.walks.length === 0 ? callsOf(main.conversation, "tools/call") : []

const declaresTools = ({ opening: { agreed } }: Act): boolean =>
  agreed === undefined || agreed.capabilities?.["tools"] !== undefined

/** What the client asked after the handshake: a sign that it went on without listing. */
const wentOn = ({ main: { conversation, opening } }: Case): number | undefined => {
  const { agreed } = opening
  if (agreed === undefined) return undefined
  const asked = conversation.calls.find(
    ({ index, method }) => index > agreed.index && method !== "ping" && method !== "initialize",
  )
  const left = conversation.channels.find(
    ({ event, index }) => event === "released" && index > agreed.index,
  )
  return asked?.index ?? left?.index
}

/** A change that the server told of, and that the client did not follow although it went on for a while. */
const unfollowed = ({
  main,
  trace,
}: Case):
  | { readonly index: number; readonly lateMs: number; readonly went: boolean }
  | undefined => {
  const { conversation, walks } = main
  const notice = saidByServer(conversation, "notifications/tools/list_changed").at(-1)
  if (notice === undefined || !hasPage(main)) return undefined
  if (walks.some(({ pages }) => (pages[0]?.call.index ?? -1) > notice.index)) return undefined
  const went = conversation.calls.some(({ index }) => index > notice.index)
  const end = conversation.last?.at ?? notice.at
  return trace.length === 0 ? undefined : { index: notice.index, lateMs: end - notice.at, went }
}

/** Family 5, as far as it shows in a trace: the list is an old one, or a part of it is kept back. */
export const freshnessRules: ReadonlyArray<Rule> = [
  {
    ...common,
    code: "tools-from-an-older-list",
    weight: "costs",
    title: "The client calls tools, and has not asked for the list in this trace",
    expected: "tools/list after the handshake, before the first call.",
    fix: {
      server: "Nothing: it was not asked. A shorter ttlMs makes clients ask sooner.",
      proxy: "If you answer tools/list from a cache of your own, empty it.",
      client:
        "Make the client read the list again: restart it, reconnect the server, or empty its cache.",
    },
    next: command("tools"),
    supersedes: ["never-listed"],
    find: (given): Finding | undefined => {
      const [call] = callsWithoutList(given)
      return (
        call && { confidence: 0.92, evidence: [evidence(given.trace, call.index, "tools/call")] }
      )
    },
  },
  {
    ...common,
    code: "never-listed",
    weight: "fails",
    title: "The client never asked for tools",
    expected: "tools/list after the handshake.",
    fix: {
      server: "Nothing: it was not asked.",
      proxy: "Check that you hand tools/list on.",
      client:
        "Check that this server is switched on in the client, and that the mode in use may have tools; restart it, so that it does not use an old list.",
    },
    next: command("tools"),
    find: (given): Finding | undefined => {
      const { main, context } = given
      if (main.walks.length > 0 || !isSpokenWith(main) || !declaresTools(main)) return undefined
      const index = wentOn(given)
      if (index === undefined || context.open === true) return undefined
      // A connection that broke is explained by what broke it.
      if (main.conversation.failures.length > 0) return undefined
      return {
        confidence: 0.8,
        evidence: [
          ...(main.opening.agreed === undefined
            ? []
            : [
                evidence(
                  given.trace,
                  main.opening.agreed.index,
                  member("tools", main.opening.agreed.capabilities?.["tools"]),
                ),
              ]),
          evidence(given.trace, index),
        ],
      }
    },
  },
  {
    ...common,
    code: "list-out-of-date",
    weight: "costs",
    title: "The client's list is older than the server's",
    expected: "The tools that the server offers now.",
    fix: {
      server: "Announce changes: declare listChanged and send notifications/tools/list_changed.",
      proxy: "Do not keep lists, or no longer than their ttlMs.",
      client: "Read the list again: reconnect the server, or restart the client.",
    },
    next: command("tools"),
    find: (given): Finding | undefined => {
      const stale = staleList(given)
      return (
        stale && {
          confidence: 0.93,
          title: `The client's list is ${stale.ageMs < 1_000 ? "" : `${ageOf(stale.ageMs)} `}older than the server's, and lacks ${missingTools(stale)}`,
          evidence: [...shown(given, stale.walk), ...shown(given, stale.newer)],
        }
      )
    },
  },
  {
    ...common,
    code: "ttl-not-expired",
    weight: "costs",
    title: "The list changed while the server's own word kept the old one fresh",
    expected:
      "A ttlMs that is shorter than the time between changes, or a subscription to them (V26-CACHE-02).",
    fix: {
      server:
        "Send a shorter ttlMs, or 0; with listChanged a notice ends it at once (V26-CACHE-10).",
      proxy: "Hand ttlMs and cacheScope on as they are.",
      client: "Subscribe with subscriptions/listen, or read the list again by hand.",
    },
    next: command("tools"),
    supersedes: ["list-out-of-date"],
    find: (given): Finding | undefined => {
      const stale = staleList(given)
      const reply = replyOf(stale?.walk)
      if (stale === undefined || given.main.era !== "modern" || reply?.kind !== "result")
        return undefined
      const { ttlMs } = readFreshness(reply.result)
      if (ttlMs === 0 || ttlMs <= stale.ageMs) return undefined
      return {
        confidence: 0.94,
        title: `The server lets its list be used for ${ageOf(ttlMs)}, and has changed it meanwhile: ${missingTools(stale)}`,
        evidence: [
          evidence(given.trace, reply.index, member("ttlMs", reply.result["ttlMs"])),
          ...shown(given, stale.newer),
        ],
      }
    },
  },
  {
    ...common,
    code: "changes-not-listened-for",
    weight: "costs",
    title: "The list changed, and nobody listened for changes",
    expected:
      "subscriptions/listen with toolsListChanged, acknowledged; in the older era a GET stream that stays open.",
    fix: {
      server:
        "Answer the GET with an event stream, or subscriptions/listen with an acknowledgement.",
      proxy: "Let event streams stay open, and do not buffer them.",
      client:
        "Open the stream after the handshake, and again when it is lost; until then read the list now and then.",
    },
    next: command("tools"),
    supersedes: ["list-out-of-date", "ttl-not-expired"],
    find: (given): Finding | undefined => {
      const { main, trace } = given
      const stale = staleList(given)
      const deafness = stale && declaresChanges(main) ? deafnessOf(main) : undefined
      if (stale === undefined || deafness === undefined) return undefined
      const { agreed } = main.opening
      return {
        confidence: 0.95,
        title: `The list changed (${missingTools(stale)}), and ${deafness.why}`,
        evidence: [
          ...(agreed === undefined ? [] : [evidence(trace, agreed.index, '"listChanged":true')]),
          ...(deafness.index === undefined
            ? []
            : [evidence(trace, deafness.index, deafness.marked)]),
          ...shown(given, stale.walk),
        ],
      }
    },
  },
  {
    ...common,
    code: "change-not-followed",
    weight: "costs",
    title: "The server said that its tools have changed, and the client did not read them again",
    expected: "tools/list after notifications/tools/list_changed.",
    fix: {
      server: "Nothing: it has announced the change.",
      proxy: "Hand tools/list on instead of answering it yourself.",
      client: "Read the list again at each notice; until that is repaired, reconnect the server.",
    },
    next: command("tools"),
    supersedes: ["list-out-of-date", "ttl-not-expired", "changes-not-listened-for"],
    find: (given): Finding | undefined => {
      const found = unfollowed(given)
      if (found === undefined || given.context.open === true) return undefined
      const sure = found.went || staleList(given) !== undefined
      if (!sure && found.lateMs < reactionMs) return undefined
      return {
        confidence: sure ? 0.93 : 0.75,
        evidence: [evidence(given.trace, found.index, "notifications/tools/list_changed")],
      }
    },
  },
  {
    family: 5,
    stage: "expose",
    code: "fewer-tools-shown",
    weight: "costs",
    title: "The client shows fewer tools than it was given",
    expected: "Every valid tool of the list.",
    fix: {
      server: "Check names and schemas: clients leave out what they cannot offer.",
      proxy: "Nothing: the list has passed.",
      client: "Look for a list of allowed or denied tools, a picker, and a limit on their number.",
    },
    next: examineAgain("--client NAME"),
    find: (given): Finding | undefined => {
      const { shown: count } = given.context
      const { walk } = given.main
      const accepted = walk?.tools.length ?? 0
      return count === undefined || walk === undefined || count >= accepted
        ? undefined
        : {
            confidence: 0.9,
            title: `The client shows ${count} of the ${accepted} tools that it was given`,
            evidence: shown(given, walk),
          }
    },
  },
]
