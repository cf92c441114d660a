import { isJsonObject } from "@entente/protocol"
import { experiment, type Act, type Case } from "../../case.js"
import { callsOf, saidByClient } from "../../conversation/conversation.js"
import type { Call, Reply } from "../../conversation/frame.js"
import { evidence } from "../../evidence.js"
import {
  askedShown,
  failedPage,
  replyShown,
  span,
  statusShown,
  type FailedPage,
} from "./listing.js"
import { examineAgain, type Finding, type Rule } from "../rule.js"

/** Milliseconds without an answer that show nothing yet: a trace may simply end there. */
const tooShort = 500
/** The same where the trace is still being written. */
const tooShortYet = 5_000

/** Whether the channel of a call ended by itself after it: then nobody was there to answer. */
const wasCutOff = ({ conversation: { channels } }: Act, call: Call): boolean =>
  channels.some(({ event, index }) => event === "closed" && index > call.index)

/** How long an answer was waited for, in milliseconds. */
const waitedFor = ({ main: { conversation } }: Case, { at, ended }: Call): number =>
  Math.max(
    0,
    (ended !== undefined && ended.tag !== "Written" ? ended.at : (conversation.last?.at ?? at)) -
      at,
  )

/** The first page, where nothing at all came of it, and nothing ended it. */
const unanswered = (given: Case): FailedPage | undefined => {
  const failed = failedPage(given.main)
  if (failed === undefined || failed.number !== 0 || failed.call.reply !== undefined)
    return undefined
  const { call } = failed
  const ended = call.ended?.tag
  if (ended === "Ended" || ended === "Failed" || wasCutOff(given.main, call)) return undefined
  // A log may have the status of a refusal, and nothing of its body.
  if ((call.http?.answered?.status ?? 200) >= 300) return undefined
  return failed
}

/** When the client gave calls up, by their ids, where it said so. */
const cancelled = ({ conversation }: Act): ReadonlyMap<unknown, number> =>
  new Map(
    saidByClient(conversation, "notifications/cancelled").flatMap(({ message, index }) => {
      const params = isJsonObject(message) ? message["params"] : undefined
      return isJsonObject(params) ? [[params["requestId"], index] as const] : []
    }),
  )

/** An answer that came after the client had gone. */
const lateIn = (act: Act): { readonly call: Call; readonly reply: Reply } | undefined => {
  const notices = cancelled(act)
  for (const call of callsOf(act.conversation, "tools/list")) {
    const { id, index, ended, reply } = call
    const left = ended?.tag === "Aborted" ? ended.index : (notices.get(id) ?? -1)
    if (reply !== undefined && left > index && reply.index > left) return { call, reply }
  }
  return undefined
}

/** The answer that more patience got. */
const patientIn = (given: Case): { readonly call: Call; readonly reply: Reply } | undefined => {
  const act = experiment(given, "patiently")
  const call = act && callsOf(act.conversation, "tools/list")[0]
  return call?.reply?.kind === "result" ? { call, reply: call.reply } : undefined
}

/** Family 2: `tools/list` has no answer, or it comes too late. */
export const listingSilenceRules: ReadonlyArray<Rule> = [
  {
    code: "list-answered-late",
    family: 2,
    stage: "list",
    weight: "fails",
    title: "The answer to tools/list comes after the client has given up",
    expected: "An answer within the time that the client waits.",
    fix: {
      server:
        "Answer tools/list from memory: connect to databases and other servers before, or while no client waits.",
      proxy: "Do not ask all servers behind you anew for each tools/list; keep their lists.",
      client: "Raise the time-out for this server.",
    },
    next: examineAgain("--timeout 60"),
    supersedes: ["list-unanswered"],
    find: (given): Finding | undefined => {
      const failed = unanswered(given)
      const patient = failed === undefined ? undefined : patientIn(given)
      const late = patient ?? lateIn(given.main)
      if (late === undefined) return undefined
      const { call, reply } = late
      return {
        confidence: 0.95,
        title: `The server answers tools/list only after ${span(reply.at - call.at)}, when the client has given up`,
        evidence: [
          askedShown(given, failed?.call ?? call),
          ...(patient === undefined ? [] : [askedShown(given, call)]),
          replyShown(given, reply, `"id":${JSON.stringify(call.id)}`),
        ],
      }
    },
  },
  {
    code: "list-unanswered",
    family: 2,
    stage: "list",
    weight: "fails",
    title: "The server does not answer tools/list",
    expected: "An answer with the same id: a result, or an error that says why there is none.",
    fix: {
      server:
        "Find out what tools/list waits for. Answer every request, also with an error; never drop one.",
      proxy: "Check that the request reaches the server, and that its answer is handed back.",
      client: "Raise the time-out for this server, if it may be slow.",
    },
    next: examineAgain("--timeout 60"),
    find: (given): Finding | undefined => {
      const failed = unanswered(given)
      if (failed === undefined) return undefined
      const { call } = failed
      const waited = waitedFor(given, call)
      if (waited < (given.context.open === true ? tooShortYet : tooShort)) return undefined
      return {
        confidence: experiment(given, "patiently") === undefined ? 0.85 : 0.92,
        title: `The server does not answer tools/list (${span(waited)} were waited)`,
        evidence: [askedShown(given, call)],
      }
    },
  },
  {
    code: "list-answered-with-nothing",
    family: 2,
    stage: "list",
    weight: "fails",
    title: "The HTTP answer to tools/list ends without the answer in it",
    expected:
      "HTTP 200 with the answer as JSON, or as an event of a stream that ends only after it.",
    fix: {
      server:
        "Answer a request in the response to its own POST. 202 is for notifications only; end the stream after the answer, not before.",
      proxy: "Hand the body on, and do not end it before the server does.",
      client: "Nothing: the answer is lost. Tell the server's author.",
    },
    next: examineAgain(),
    find: (given): Finding | undefined => {
      const failed = failedPage(given.main)
      const { call } = failed ?? {}
      if (call === undefined || call.reply !== undefined || call.ended?.tag !== "Ended")
        return undefined
      const status = call.ended.outcome["status"]
      const streamed = call.ended.outcome["streamed"] === true
      return {
        confidence: 0.93,
        title: streamed
          ? "The event stream that should bring the tools ends without an answer"
          : `tools/list is answered with HTTP ${String(status)} and nothing in it`,
        evidence: [
          askedShown(given, call),
          ...statusShown(given, call),
          evidence(given.trace, call.ended.index, '"messages":'),
        ],
      }
    },
  },
  {
    code: "list-connection-cut",
    family: 2,
    stage: "list",
    weight: "fails",
    title: "The connection is cut while tools/list waits for its answer",
    expected: "The connection stays until the answer is there.",
    fix: {
      server: "Look into its log: does it crash, or is it restarted, while it makes the list?",
      proxy: "Allow more time for an answer, and look into your log for why the connection ended.",
      client: "Try again; ask the server directly, without what stands between, if you can.",
    },
    next: examineAgain(),
    supersedes: ["connection-cut"],
    find: (given): Finding | undefined => {
      const failed = failedPage(given.main)
      const { call } = failed ?? {}
      if (call?.ended?.tag !== "Failed" || call.reply !== undefined) return undefined
      // A body that breaks off is an answer that is cut; a process that ends is a crash.
      if (call.http?.answered !== undefined || wasCutOff(given.main, call)) return undefined
      return {
        confidence: 0.85,
        evidence: [askedShown(given, call), evidence(given.trace, call.ended.index, '"message":')],
      }
    },
  },
]
