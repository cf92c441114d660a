import type { Act, Case } from "../../case.js"
import { methodOf, type ProcessMoment } from "../../conversation/conversation.js"
import type { Call, Frame } from "../../conversation/frame.js"
import type { StageName } from "../../diagnosis.js"
import { evidence } from "../../evidence.js"
import { examineAgain, type Finding, type Rule } from "../rule.js"

/** Lines of stderr that are shown: the last ones mostly say why. */
const lastLines = 3

interface Crash {
  readonly exit: ProcessMoment
  readonly last: Frame
  /** The request that was sent last, where it is not answered. */
  readonly waiting: Call | undefined
  readonly stderr: ReadonlyArray<ProcessMoment>
}

const ownerEnded = /^(?:exit code 0|signal SIG(?:TERM|INT|KILL))$/

/**
 * The process ended, and nobody here had asked it to. Where the channel was closed by its owner it is the
 * normal end; in a log without channels an end that looks like one is taken for it.
 */
const crashIn = ({ conversation }: Act): Crash | undefined => {
  const { processes, channels, frames, calls } = conversation
  const exit = processes.findLast(({ event, index }) => {
    if (event !== "exited") return false
    const next = channels.find((moment) => moment.index > index && moment.event !== "opened")
    return next?.event === "closed"
  })
  const lone =
    channels.length > 0
      ? undefined
      : processes.findLast(({ event, detail }) => event === "exited" && !ownerEnded.test(detail))
  const found = exit ?? lone
  if (found === undefined) return undefined
  const last = frames.findLast(({ direction, index }) => direction === "out" && index < found.index)
  // A process that ended before it was spoken to did not start; that is another family's.
  if (last === undefined) return undefined
  const call = calls.find(({ index }) => index === last.index)
  return {
    exit: found,
    last,
    waiting: call?.reply === undefined ? call : undefined,
    stderr: processes
      .filter(({ event, index }) => event === "stderr" && index < found.index && index > last.index)
      .slice(-lastLines),
  }
}

/** Whether it is the end of the conversation: a client may have started the server again since. */
const wasFatal = ({ walk }: Act, { exit }: Crash): boolean =>
  walk?.complete !== true || (walk.pages[0]?.call.index ?? 0) < exit.index

const handshake: ReadonlySet<string> = new Set(["initialize", "server/discover"])

const stageOf = (method: string | undefined): StageName =>
  method !== undefined && handshake.has(method) ? "negotiate" : "list"

const crash = (given: Case): Crash | undefined => {
  for (const act of [given.main, ...given.experiments.map((one) => one.act)]) {
    const found = crashIn(act)
    if (found !== undefined && wasFatal(act, found)) return found
  }
  return undefined
}

const isOpening = (method: string | undefined): boolean =>
  method === "initialize" || method === "server/discover"

/** Family 2: the process ends while the tools are read, or at another message. */
export const listingCrashRules: ReadonlyArray<Rule> = [
  {
    code: "server-crashed-after",
    family: 2,
    stage: "list",
    weight: "fails",
    title: "The server's process ends",
    expected: "A process that goes on: a message it cannot deal with is answered, or ignored.",
    fix: {
      server:
        "Catch what fails while a message is handled: answer a request with an error, and ignore a notification you do not know. The lines on stderr say where it failed.",
      proxy: "If you start the server, look at how it ends and start it again.",
      client:
        "Update the server. If it dies at a notification, switch that one off for this server.",
    },
    next: examineAgain(),
    supersedes: [
      "list-connection-cut",
      "later-page-unanswered",
      "list-unanswered",
      "line-never-ends",
      "process-exited",
      "process-done-at-once",
      "process-killed",
    ],
    find: (given): Finding | undefined => {
      const found = crash(given)
      if (found === undefined) return undefined
      const { exit, last, waiting, stderr } = found
      const method = methodOf(last.message)
      // A process that never got through its handshake has more exact rules.
      if (isOpening(method) && given.main.era === undefined) return undefined
      const isNotice = method?.startsWith("notifications/") === true
      const isClean = exit.detail === "exit code 0"
      if (waiting === undefined && !isNotice && isClean) return undefined
      const unfinished = given.main.conversation.notes.some(({ code }) => code === "truncated-line")
      const said = stderr.at(-1)?.detail
      return {
        stage: stageOf(method),
        confidence: waiting === undefined && !isNotice ? 0.6 : isClean && unfinished ? 0.6 : 0.95,
        title: `The server's process ends (${exit.detail}) after ${method ?? "an answer"} was sent${
          said === undefined ? "" : `; it said: ${said.slice(0, 200)}`
        }`,
        evidence: [
          evidence(given.trace, last.index, method && `"method":${JSON.stringify(method)}`),
          ...stderr.map(({ index, detail }) => evidence(given.trace, index, detail)),
          evidence(given.trace, exit.index, exit.detail),
        ],
      }
    },
  },
]
