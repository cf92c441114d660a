import { plainText } from "@entente/protocol"
import { toolsCapability } from "./conversation/opening.js"
import type { Act, Case } from "./case.js"
import { cutList } from "./conversation/conversation.js"
import { endOfProcess } from "./conversation/process-end.js"
import {
  stageNames,
  type Counts,
  type Hypothesis,
  type Stage,
  type StageName,
} from "./diagnosis.js"
import { sumsUp } from "./hypothesis/reach/how-far.js"
import type { Rule } from "./hypothesis/rule.js"

type Status = Stage["status"]

/** What the trace shows of a stage, before any cause is known. */
type Look = (act: Act, counts: Counts, given: Case) => readonly [Status, string]

/** Characters of somebody else's words in a detail. */
const longest = 240

const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`

const declares = ({ opening }: Act): boolean => toolsCapability(opening.agreed) !== undefined

const looks: Readonly<Record<StageName, Look>> = {
  spawn: ({ conversation }) => {
    const { processes, channels, frames, exchanges, failures } = conversation
    const failed = channels.find(({ event }) => event === "failed")
    const heard = frames.some(({ direction }) => direction === "in")
    const answered = exchanges.some((exchange) => exchange.answered !== undefined)
    if (processes.some(({ event }) => event === "spawned")) {
      const end = heard ? undefined : endOfProcess(conversation)
      if (end !== undefined) {
        const how = end.signal ?? (end.code === undefined ? "nobody says how" : `code ${end.code}`)
        return ["failed", `The process ended before it said anything: ${how}.`]
      }
      return ["ok", "The process was started."]
    }
    if (answered || heard)
      return ["ok", answered ? "The address answers." : "The other side is there."]
    if (failed !== undefined) {
      const why = failures.find(({ index }) => index === failed.index)?.message ?? ""
      return ["failed", plainText(why, longest) || "The connection could not be opened."]
    }
    if (exchanges.length > 0) return ["failed", "Nothing came back from the address."]
    return frames.length > 0
      ? ["warn", "Nothing came back."]
      : ["not-reached", "Nothing was seen of it."]
  },
  bytes: (act) => {
    const { frames, unreadable, processes } = act.conversation
    const messages = frames.filter(({ direction }) => direction === "in").length
    const noise = processes.filter(({ event }) => event === "noise").length
    const broken = unreadable.length
    if (messages === 0 && sumsUp(act) && broken === 0) {
      return noise > 0
        ? ["warn", `${plural(noise, "piece")} that could not be read; no message was seen.`]
        : ["not-reached", "No message was seen."]
    }
    if (messages === 0) {
      return noise + broken > 0
        ? [
            "failed",
            `Nothing that was received is a message (${plural(noise + broken, "other piece")}).`,
          ]
        : ["not-reached", "Nothing was received."]
    }
    const counted = plural(messages, "message")
    return noise + broken > 0
      ? ["warn", `${counted}, and ${plural(noise + broken, "piece")} that could not be read.`]
      : ["ok", `${counted} received.`]
  },
  negotiate: ({ opening, era, revision, conversation: { calls } }) => {
    if (era !== undefined && revision !== undefined) return ["ok", `${revision}, ${era}.`]
    const asked = opening.initializes.length + opening.probes.length
    if (asked === 0)
      return calls.length > 0
        ? ["warn", "No handshake was seen."]
        : ["not-reached", "No handshake was seen."]
    return ["failed", "No version was agreed on."]
  },
  session: ({ era, conversation: { http, exchanges, transitions } }) => {
    if (era === undefined) return ["not-reached", "No version was agreed on."]
    if (era === "modern") return ["ok", "This era has no sessions."]
    if (http !== true) return ["ok", "This transport has no session ids."]
    const held = exchanges.some(
      ({ answered, sent }) =>
        answered?.headers["mcp-session-id"] !== undefined ||
        sent?.headers["mcp-session-id"] !== undefined,
    )
    if (!held) return ["ok", "The server assigns no session."]
    const renewed = transitions.filter(
      ({ chart, to }) => chart === "httpSession" && to === "renewing",
    ).length
    return renewed > 0
      ? ["warn", `The session was lost ${renewed} times.`.replace("1 times", "once")]
      : ["ok", "A session is held."]
  },
  list: (act, { raw }) => {
    const { walk, era } = act
    if (walk === undefined) {
      if (sumsUp(act)) return ["not-reached", "No message was seen."]
      if (era !== undefined && !declares(act))
        return ["not-reached", "The server declares no tools, so nobody asked for them."]
      return ["not-reached", "Nobody asked for tools."]
    }
    const pages = walk.pages.filter(({ reading }) => reading?.ok === true).length
    if (pages === 0 && cutList(act.conversation) !== undefined)
      return ["warn", "The log holds only a part of the list."]
    if (pages === 0) return ["failed", "The list could not be read."]
    const counted = `${plural(raw, "tool")} on ${plural(pages, "page")}`
    if (!walk.complete) return ["warn", `${counted}; the list is not complete.`]
    return raw === 0 ? ["warn", "The list is complete and empty."] : ["ok", `${counted}.`]
  },
  accept: (_, { raw, accepted }) => {
    if (raw === 0) return ["not-reached", "There is nothing to accept."]
    if (accepted === raw) return ["ok", `All ${raw} are valid.`]
    return [accepted === 0 ? "failed" : "warn", `${accepted} of ${raw} are valid.`]
  },
  project: (_, { accepted }, { context: { projection } }) => {
    if (projection === undefined) return ["not-reached", "No model format was asked for."]
    const { format, rejected } = projection
    if (rejected.length === 0) return ["ok", `All fit ${format}.`]
    const left = accepted - rejected.length
    return [
      left <= 0 ? "failed" : "warn",
      `${plural(rejected.length, "tool")} cannot be said in the format of ${format}.`,
    ]
  },
  expose: (_, { accepted, exposed }) => {
    if (accepted === 0) return ["not-reached", "There is nothing to hand on."]
    if (exposed >= accepted) return ["ok", `${exposed} reach the model.`]
    return [exposed === 0 ? "failed" : "warn", `${exposed} of ${accepted} reach the model.`]
  },
}

const order: ReadonlyArray<Status> = ["ok", "not-reached", "warn", "failed"]

const worse = (one: Status, other: Status): Status =>
  order.indexOf(one) >= order.indexOf(other) ? one : other

const harm = { fails: "failed", costs: "warn", remark: "ok" } as const satisfies Record<
  Rule["weight"],
  Status
>

/** A cause that was found, and what it harms. */
export interface Found extends Pick<Rule, "stage" | "weight"> {
  readonly hypothesis: Hypothesis
}

/** Below this a hypothesis is too weak to change what the trace shows by itself. */
export const telling = 0.5

/** How every stage stands, by the trace and by what was found. */
export const stagesOf = (
  given: Case,
  counts: Counts,
  found: ReadonlyArray<Found>,
): ReadonlyArray<Stage> =>
  stageNames.map((stage) => {
    const [status, detail] = looks[stage](given.main, counts, given)
    const here = found.filter(
      ({ stage: harmed, weight, hypothesis }) =>
        harmed === stage && weight !== "remark" && hypothesis.confidence >= telling,
    )
    const [first] = here
    if (first === undefined) return { stage, status, detail }
    const judged = here.reduce<Status>(
      (sum, { weight }) => worse(sum, harm[weight]),
      status === "not-reached" ? "ok" : status,
    )
    return {
      stage,
      status: judged,
      detail: status === "ok" || status === "not-reached" ? `${first.hypothesis.title}.` : detail,
    }
  })
