import type { Case } from "../../case.js"
import { refusalOf, speaksOfSession, type Refusal } from "../../conversation/refusal.js"
import { evidence } from "../../evidence.js"
import { refusalShown } from "../exhibit.js"
import { examineAgain, type Finding, type Rule } from "../rule.js"

/** Statuses without JSON-RPC that speak of the address, of credentials or of an outage, not of the handshake. */
const isElsewhere = ({ code, status }: Refusal): boolean =>
  code === undefined && status !== 400 && status !== 406 && status !== 415 && status !== 422

const confirmation = "notifications/initialized"

/** Requests after the agreement, of the legacy era. */
const later = ({ main: { opening, conversation } }: Case) => {
  const { agreed } = opening
  return agreed?.era === "legacy"
    ? conversation.calls.filter(
        ({ index, method }) => index > agreed.index && method !== "initialize" && method !== "ping",
      )
    : []
}

/** Family 4: the handshake of the legacy era. */
export const versionHandshakeRules: ReadonlyArray<Rule> = [
  {
    code: "handshake-refused",
    family: 4,
    stage: "negotiate",
    weight: "fails",
    title: "The server refuses the handshake",
    expected: "initialize is answered with a version, capabilities and the server's name.",
    fix: {
      server: "Answer initialize; its error, or your log, says what it does not like.",
      proxy: "Check that the request reaches the server as it was sent.",
      client: "Check the server's settings: some refuse until they are complete.",
    },
    next: examineAgain(),
    find: (given): Finding | undefined => {
      const { main, trace } = given
      if (main.era !== undefined) return undefined
      const refusal = main.opening.initializes
        .flatMap((call) => refusalOf(call) ?? [])
        .findLast((one) => !isElsewhere(one) && one.status !== 401 && one.status !== 403)
      return refusal && { confidence: 0.7, evidence: [refusalShown(trace, refusal)] }
    },
  },
  {
    code: "initialized-refused",
    family: 4,
    stage: "negotiate",
    weight: "fails",
    title: "The server refuses the end of the handshake, notifications/initialized",
    expected: "notifications/initialized is acknowledged with 202, once initialize was answered.",
    fix: {
      server: "Acknowledge notifications/initialized with 202 and no body; it has no answer.",
      proxy: "Hand notifications on: they have no id and get no answer.",
      client: "Nothing, if it was sent after the answer to initialize.",
    },
    next: examineAgain(),
    find: (given): Finding | undefined => {
      const refusal = given.main.conversation.sayings
        .filter(({ method }) => method === confirmation)
        .flatMap((saying) => refusalOf(saying) ?? [])
        .find((one) => !speaksOfSession(one) && one.status !== undefined && one.status < 500)
      if (refusal === undefined || [401, 403, 404].includes(refusal.status ?? 0)) return undefined
      return {
        confidence: 0.92,
        evidence: [
          evidence(given.trace, refusal.saying.index, confirmation),
          refusalShown(given.trace, refusal),
        ],
      }
    },
  },
  {
    code: "initialized-not-acknowledged",
    family: 4,
    stage: "negotiate",
    weight: "fails",
    title: "The server never acknowledges notifications/initialized, and clients wait for that",
    expected: "notifications/initialized is acknowledged with 202 at once, and no body.",
    fix: {
      server: "Answer notifications with 202 before you do anything about them.",
      proxy: "Hand answers without a body on at once.",
      client: "Nothing: what it sends next could overtake the handshake.",
    },
    next: examineAgain(),
    find: (given): Finding | undefined => {
      const { opening, conversation } = given.main
      const { initialized } = opening
      const said = conversation.sayings.find(({ index }) => index === initialized?.index)
      if (said?.http === undefined || said.http.answered !== undefined) return undefined
      if (conversation.calls.some(({ at }) => at > said.at)) return undefined
      // A trace that just stops there shows nothing; the client has to have given up.
      const isOver = conversation.channels.some(
        ({ event, index }) => event !== "opened" && index > said.index,
      )
      if (!isOver) return undefined
      return {
        confidence: 0.88,
        evidence: [evidence(given.trace, said.index, confirmation)],
      }
    },
  },
  {
    code: "initialized-never-sent",
    family: 4,
    stage: "negotiate",
    weight: "fails",
    title: "The client does not end the handshake: it never sends notifications/initialized",
    expected: "notifications/initialized is the first message after the answer to initialize.",
    fix: {
      server: "Nothing: it may wait for it.",
      proxy: "Hand notifications on.",
      client: "Send notifications/initialized right after the answer to initialize.",
    },
    next: examineAgain(),
    find: (given): Finding | undefined => {
      const { agreed, initialized } = given.main.opening
      if (agreed?.era !== "legacy" || initialized !== undefined) return undefined
      const refusals = later(given).flatMap((call) => refusalOf(call) ?? [])
      const spoken = refusals.find(({ text }) => /initiali[sz]/i.test(text.slice(0, 2_000)))
      const first = spoken ?? refusals[0]
      if (first === undefined || speaksOfSession(first)) return undefined
      return {
        confidence: spoken === undefined ? 0.5 : 0.95,
        evidence: [
          evidence(given.trace, agreed.index, '"protocolVersion"'),
          refusalShown(given.trace, first),
        ],
      }
    },
  },
]
