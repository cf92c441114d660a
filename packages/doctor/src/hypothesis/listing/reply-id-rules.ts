import { isJsonObject } from "@entente/protocol"
import type { Act, Case } from "../../case.js"
import type { Stray } from "../../conversation/conversation.js"
import type { Call } from "../../conversation/frame.js"
import { evidence, member } from "../../evidence.js"
import { examineAgain, type Finding, type Rule } from "../rule.js"

interface Mismatch {
  readonly stray: Stray
  readonly call: Call
  /** Whether nothing else can have been meant. */
  readonly certain: boolean
}

const idOf = ({ frame: { message } }: Stray): unknown =>
  isJsonObject(message) ? message["id"] : undefined

/** Requests that were sent before an answer, and never got one that fits; probes are often ignored. */
const waitingAt = ({ conversation: { calls } }: Act, index: number): ReadonlyArray<Call> =>
  calls.filter(
    (call) => call.index < index && call.reply === undefined && call.method !== "server/discover",
  )

/** A probe that nobody answers costs nothing, where the handshake of the other era came about: some servers refuse it so. */
const isProbeInVain = ({ opening }: Act, { method }: Call): boolean =>
  method === "server/discover" && opening.agreed?.era === "legacy"

/** An answer with a foreign id that came where a request waited for one, and went on waiting. */
const mismatchIn = (act: Act): Mismatch | undefined => {
  for (const stray of act.conversation.strays) {
    const { frame, carriedBy } = stray
    if (carriedBy !== undefined) {
      // What the exchange of a request carries answers that request.
      if (carriedBy.reply !== undefined || isProbeInVain(act, carriedBy)) continue
      return { stray, call: carriedBy, certain: true }
    }
    // On a shared channel it can only be guessed: the request that was sent last, if it still waits.
    const call = act.conversation.calls.findLast(({ index }) => index < frame.index)
    if (call === undefined || call.reply !== undefined || isProbeInVain(act, call)) continue
    return { stray, call, certain: waitingAt(act, frame.index).length <= 1 }
  }
  return undefined
}

const mismatch = (given: Case): Mismatch | undefined => mismatchIn(given.main)

const handshake: ReadonlySet<string> = new Set(["initialize", "server/discover"])

/** How an id stands in JSON, for a title. */
const shownId = (id: unknown): string =>
  id === undefined ? "no id" : `the id ${(JSON.stringify(id) ?? "").slice(0, 40)}`

/** Family 2: an answer cannot be told to be one. */
export const replyIdRules: ReadonlyArray<Rule> = [
  {
    code: "response-id-not-echoed",
    family: 2,
    stage: "list",
    weight: "fails",
    title: "The server does not repeat the id of the request in its answer",
    expected: "The answer has the same id as the request, with the same value and type.",
    fix: {
      server: "Copy the id of each request into its answer, as it is; never count by yourself.",
      proxy: "Give every answer the id that its own client has sent.",
      client: "Nothing: an answer with another id may be for anything. Tell the server's author.",
    },
    next: examineAgain(),
    supersedes: ["list-unanswered", "list-answered-with-nothing", "later-page-unanswered"],
    find: (given): Finding | undefined => {
      const found = mismatch(given)
      if (found === undefined) return undefined
      const { stray, call, certain } = found
      const id = idOf(stray)
      const lost = id === undefined || id === null
      const isError = isJsonObject(stray.frame.message) && "error" in stray.frame.message
      // An error without an id may be about something that nobody has sent (V25-RPC-06).
      const confidence = lost && isError ? 0.85 : certain ? 0.97 : 0.75
      return {
        confidence,
        stage: handshake.has(call.method) ? "negotiate" : "list",
        title: `The server answers ${call.method} with ${shownId(id)} instead of ${shownId(call.id)}`,
        evidence: [
          evidence(given.trace, call.index, member("id", call.id)),
          evidence(
            given.trace,
            stray.frame.index,
            id === undefined ? (isError ? '"error":' : '"result":') : member("id", id),
          ),
        ],
      }
    },
  },
]
