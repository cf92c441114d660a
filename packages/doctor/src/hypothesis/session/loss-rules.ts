import { experiment, type Act, type Case } from "../../case.js"
import type { HttpExchange } from "../../conversation/frame.js"
import { sessionsOf, type SessionLife, type SessionUse } from "../../conversation/session-life.js"
import type { Evidence } from "../../diagnosis.js"
import { evidence } from "../../evidence.js"
import { answeredShown, refusalShown, sentShown } from "../exhibit.js"
import { failedBefore } from "../reach/how-far.js"
import { examineAgain, type Finding, type Rule } from "../rule.js"

/** Sessions that are lost within this time of their creation were never known where they were used. */
const atOnceMs = 5_000

/** No server means to forget a client that it has answered within this time. */
const earlyMs = 60_000

/** How a server says that it knows a session no more. */
const sessionGone =
  /session.{0,40}?(?:not found|unknown|expired|invalid|terminated|does not exist)/i

type LostLife = SessionLife & { readonly loss: SessionUse }

const lostIn = (...acts: ReadonlyArray<Act>): ReadonlyArray<LostLife> =>
  acts
    .flatMap(sessionsOf)
    .flatMap(({ loss, ...life }) =>
      loss === undefined || life.assigned === false ? [] : [{ ...life, loss }],
    )

const time = (ms: number): string => {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  const seconds = Math.round(ms / 1_000)
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}

/** Ages as a sentence says them: all of a few, the least and the most of many. */
const ages = (lost: ReadonlyArray<LostLife>): string => {
  const all = lost.map(({ loss }) => loss.ageMs)
  return all.length <= 3
    ? all.map(time).join(", ")
    : `${time(Math.min(...all))} to ${time(Math.max(...all))}`
}

const lostAtOnce = (lost: ReadonlyArray<LostLife>): string =>
  lost.length === 1
    ? `A session is lost as soon as it was created (after ${ages(lost)})`
    : `${lost.length} sessions are lost as soon as they were created (after ${ages(lost)})`

const lossShown = ({ trace }: Case, { agreed, loss }: LostLife): ReadonlyArray<Evidence> => [
  answeredShown(trace, agreed.call, "mcp-session-id"),
  ...(loss.refusal === undefined ? [] : [refusalShown(trace, loss.refusal)]),
]

/** How a session fared on connections of its own; undefined where that was not tried. */
const elsewhere = (given: Case) => {
  const act = experiment(given, "second-connection")
  const uses = (act === undefined ? [] : sessionsOf(act)).flatMap((life) =>
    life.uses.filter(({ saying }) => saying.method !== "notifications/initialized"),
  )
  const of = (result: SessionUse["result"]) => uses.filter((use) => use.result === result)
  return uses.length === 0 ? undefined : { worked: of("worked"), lost: of("lost") }
}

const usesShown = ({ trace }: Case, uses: ReadonlyArray<SessionUse>): ReadonlyArray<Evidence> =>
  uses
    .slice(0, 1)
    .flatMap(({ saying, refusal }) =>
      refusal === undefined
        ? [sentShown(trace, saying, "mcp-session-id")]
        : [refusalShown(trace, refusal)],
    )

const farewell = ({ main, context }: Case): HttpExchange | undefined =>
  main.conversation.exchanges.find(
    ({ method, answered }) =>
      method === "DELETE" &&
      (answered === undefined
        ? context.open !== true
        : answered.status >= 300 && answered.status !== 404 && answered.status !== 405),
  )

/** Family 3: sessions that were given and used, and that the server knows no more. */
export const sessionLossRules: ReadonlyArray<Rule> = [
  {
    code: "replicas-without-affinity",
    family: 3,
    stage: "session",
    weight: "fails",
    title: "Some replicas of the server do not know the session: requests go to any of them",
    expected:
      "Whoever gets a request knows the session that it carries, from the first request on.",
    fix: {
      server:
        "Keep sessions where all replicas find them, or do without: serve every request by itself.",
      proxy:
        "Send all requests with one Mcp-Session-Id to one replica (sticky routing by that header, or by a cookie).",
      client:
        "Keep the cookies of the server, if routing goes by them; else there is no way around it.",
    },
    next: examineAgain(),
    supersedes: [
      "session-expired-early",
      "session-expired",
      "session-not-renewed",
      "session-bound-to-connection",
      // What becomes of the next attempt comes after it.
      "list-connection-cut",
      "unreachable",
    ],
    find: (given): Finding | undefined => {
      const tried = elsewhere(given)
      const isMixed = tried !== undefined && tried.worked.length > 0 && tried.lost.length > 0
      const lost = lostIn(given.main, ...given.experiments.map(({ act }) => act))
      const young = lost.filter(({ loss }) => loss.ageMs < atOnceMs)
      const shown = (lives: ReadonlyArray<LostLife>) =>
        lives.slice(0, 2).flatMap((life) => lossShown(given, life))
      if (isMixed) {
        const { worked } = tried
        const count = worked.length + tried.lost.length
        return {
          confidence: 0.97,
          evidence: [...shown(young), ...usesShown(given, worked), ...usesShown(given, tried.lost)],
          title: `${lostAtOnce(young)}; one session is known on ${worked.length} of ${count} connections: replicas without sticky routing`,
        }
      }
      const back = lost.filter(({ cameBack }) => cameBack)
      if (back.length > 0) {
        return {
          confidence: 0.95,
          evidence: shown(back),
          title: `${lostAtOnce(back)}, and known again later: replicas without sticky routing`,
        }
      }
      const isFirst = young.some(({ worked }) => !worked)
      if (young.length === 0 || (young.length < 2 && !isFirst)) return undefined
      // A session that every connection knows was lost by something else.
      if (young.length > 1 && (tried?.worked.length ?? 0) > 0 && !isFirst) return undefined
      return {
        confidence: young.length > 1 ? 0.85 : 0.6,
        evidence: shown(young),
        title: `${lostAtOnce(young)}: there may be replicas without sticky routing`,
      }
    },
  },
  {
    code: "session-reported-lost",
    family: 3,
    stage: "session",
    weight: "fails",
    title: "The server knows the session no more, as the client's log says",
    expected: "A session is known until it ends; then 404, and the client opens a new one.",
    fix: {
      server:
        "Keep sessions for some minutes after their last request, where all replicas find them.",
      proxy: "Send all requests with one Mcp-Session-Id to one replica.",
      client:
        "Open a new session with initialize on 404, once; until it can: connect again by hand.",
    },
    next: examineAgain(),
    find: (given): Finding | undefined => {
      // A log that does not say which message an exchange carried has only the client's words for it.
      if (lostIn(given.main).length > 0) return undefined
      const told = failedBefore(
        given,
        ({ code, message }) => code === "http-status" && sessionGone.test(message),
      )
      return (
        told && {
          confidence: 0.85,
          evidence: [evidence(given.trace, told.index, sessionGone.exec(told.message)?.[0])],
        }
      )
    },
  },
  {
    code: "session-bound-to-connection",
    family: 3,
    stage: "session",
    weight: "costs",
    title: "The server knows a session only on the connection that opened it",
    expected: "A session is known by its id, on whichever connection a request comes.",
    fix: {
      server: "Look sessions up by Mcp-Session-Id, not by the socket.",
      proxy: "If you choose a server for each connection, choose it by Mcp-Session-Id instead.",
      client: "Send everything on one connection, as far as that can be had.",
    },
    next: examineAgain(),
    find: (given): Finding | undefined => {
      const tried = elsewhere(given)
      const worked = sessionsOf(given.main).some((life) => life.worked)
      if (tried === undefined || !worked || tried.worked.length > 0 || tried.lost.length < 2)
        return undefined
      return { confidence: 0.92, evidence: usesShown(given, tried.lost) }
    },
  },
  {
    code: "session-expired-early",
    family: 3,
    stage: "session",
    weight: "costs",
    title: "The server forgets a session that it has just used",
    expected:
      "A session lives as long as it is used: minutes after its last request, not less; its end is told by 404.",
    fix: {
      server:
        "Keep sessions for some minutes after their last request; check for restarts, and for limits on how many are kept.",
      proxy: "Check for time limits, and whether a server behind you is restarted.",
      client: "Open a new session with initialize on 404, once.",
    },
    next: examineAgain(),
    supersedes: ["session-expired"],
    find: (given): Finding | undefined => {
      const early = lostIn(given.main).find(({ loss, worked }) => worked && loss.idleMs < earlyMs)
      if (early === undefined) return undefined
      const { ageMs, idleMs, refusal } = early.loss
      return {
        confidence: refusal?.status === 404 ? 0.9 : 0.85,
        title: `The server forgets a session ${time(ageMs)} after its creation, ${time(idleMs)} after it had used it`,
        evidence: lossShown(given, early),
      }
    },
  },
  {
    code: "session-not-renewed",
    family: 3,
    stage: "session",
    weight: "fails",
    title: "The client goes on with a session that the server has ended",
    expected:
      "After 404 the client sends initialize, without the old id, and goes on in the new session.",
    fix: {
      server: "Nothing: 404 is the right word for a session that is over.",
      proxy: "Hand the 404 on as it is.",
      client: "Open a new session on 404. Until it can: connect again by hand.",
    },
    next: examineAgain(),
    find: (given): Finding | undefined => {
      const last = sessionsOf(given.main).at(-1)
      if (last?.loss === undefined || last.assigned === false || !last.worked) return undefined
      const again = last.uses.slice(last.uses.indexOf(last.loss) + 1)
      const second = again.find(({ result }) => result === "lost")
      if (second === undefined) return undefined
      return {
        confidence: 0.93,
        evidence: [
          ...lossShown(given, { ...last, loss: last.loss }),
          sentShown(given.trace, second.saying, "mcp-session-id"),
          ...usesShown(given, [second]),
        ],
      }
    },
  },
  {
    code: "session-expired",
    family: 3,
    stage: "session",
    weight: "remark",
    title: "A session ended, and a new one was opened",
    expected: "Nothing else: servers may end sessions, and clients open new ones.",
    fix: {
      server: "Nothing, unless it happens too often: keep sessions longer then.",
      proxy: "Nothing.",
      client: "Nothing.",
    },
    next: examineAgain(),
    find: (given): Finding | undefined => {
      const first = lostIn(given.main).find(({ worked }) => worked)
      if (first === undefined) return undefined
      const { ageMs, idleMs } = first.loss
      return {
        confidence: 0.95,
        title: `A session ended ${time(ageMs)} after its creation, ${time(idleMs)} after its last answer`,
        evidence: lossShown(given, first),
      }
    },
  },
  {
    code: "session-end-refused",
    family: 3,
    stage: "session",
    weight: "remark",
    title: "The server does not take the end of a session",
    expected: "DELETE is answered with a success, or with 405 where sessions end by themselves.",
    fix: {
      server: "Answer DELETE with 204, or with 405.",
      proxy: "Let DELETE through.",
      client: "Nothing: the session ends on the server's own time.",
    },
    next: examineAgain(),
    find: (given): Finding | undefined => {
      const exchange = farewell(given)
      const at = exchange?.answered ?? exchange?.sent
      if (exchange === undefined || at === undefined) return undefined
      const { answered } = exchange
      return {
        confidence: answered === undefined ? 0.7 : 0.95,
        evidence: [
          evidence(
            given.trace,
            at.index,
            answered === undefined ? "DELETE" : `HTTP ${answered.status}`,
          ),
        ],
      }
    },
  },
]
