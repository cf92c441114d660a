import { rpcCode, type JsonObject } from "@entente/protocol"
import { experiment, type Case } from "../../case.js"
import { callsOf } from "../../conversation/conversation.js"
import type { Call, Reply } from "../../conversation/frame.js"
import type { Evidence, Fix } from "../../diagnosis.js"
import { evidence, member } from "../../evidence.js"
import { askedShown, refusedFirst, replyShown } from "./listing.js"
import { refusedField, type Field } from "./refused-field.js"
import { examineAgain, type Finding, type Rule } from "../rule.js"

/** What the server dislikes: a field that was sent, or that one is missing. */
type Dislike =
  | "cursor sent"
  | "cursor null"
  | "cursor empty"
  | "cursor missing"
  | "_meta sent"
  | "_meta missing"
  | "params sent"
  | "params missing"

interface Words {
  readonly title: string
  readonly expected: string
  readonly fix: Partial<Fix>
}

const serverAtFault = (server: string): Partial<Fix> => ({
  server,
  client: "Nothing: what it sent is right. Tell the server's author.",
})

const words: Readonly<Record<Dislike, Words>> = {
  "cursor sent": {
    title: "The server refuses the cursor in tools/list",
    expected:
      "The first tools/list has no cursor; a later one has the nextCursor of the page before.",
    fix: {
      server: "Accept every cursor that you have given out.",
      client: "Send a cursor only if the page before named one, as it is.",
    },
  },
  "cursor null": {
    title: "The client sends a cursor that is null, which the server refuses",
    expected: "The first tools/list has no member cursor at all.",
    fix: {
      server: "Nothing: null is no cursor. To be lenient, read it as absent.",
      client: "Leave the member cursor out where there is none, instead of sending null.",
    },
  },
  "cursor empty": {
    title: "The client sends an empty cursor, which the server refuses",
    expected: "The first tools/list has no member cursor at all.",
    fix: {
      server: "Nothing: an empty cursor is one that you have not given out.",
      client: "Leave the member cursor out where there is none, instead of sending an empty text.",
    },
  },
  "cursor missing": {
    title: "The server insists on a cursor in tools/list",
    expected: "A tools/list without a cursor gets the first page.",
    fix: serverAtFault("Make the parameter cursor optional: the first request has none."),
  },
  "_meta sent": {
    title: "The server refuses the member _meta in tools/list",
    expected: "The params of every request may have a member _meta; since 2026-07-28 they must.",
    fix: serverAtFault(
      "Allow _meta in the params of every request: do not refuse members that the schema does not name.",
    ),
  },
  "_meta missing": {
    title: "The server insists on a member _meta in tools/list",
    expected: "Up to 2025-11-25 the member _meta is optional.",
    fix: serverAtFault("Make _meta optional: only clients of 2026-07-28 have to send it."),
  },
  "params sent": {
    title: "The server refuses tools/list because it has params",
    expected: "The params of tools/list may be an object, also an empty one.",
    fix: serverAtFault("Accept params that are an object, also an empty one."),
  },
  "params missing": {
    title: "The server refuses tools/list because it has no params",
    expected: "The params of tools/list may be left out.",
    fix: serverAtFault("Make params optional: read missing params as an empty object."),
  },
}

/** The least difference between what was refused and what was answered. */
const difference = (
  refused: JsonObject | undefined,
  answered: JsonObject | undefined,
): Dislike | undefined => {
  if (answered?.["cursor"] !== undefined && refused?.["cursor"] === undefined)
    return "cursor missing"
  if (refused?.["cursor"] !== undefined && answered?.["cursor"] === undefined) return "cursor sent"
  const [before, after] = [refused?.["_meta"] !== undefined, answered?.["_meta"] !== undefined]
  if (before !== after) return before ? "_meta sent" : "_meta missing"
  if ((refused === undefined) === (answered === undefined)) return undefined
  return refused === undefined ? "params missing" : "params sent"
}

/** What the field that an error names means for the request that was refused. */
const dislikeOf = (field: Field, params: JsonObject | undefined): Dislike => {
  if (field === "cursor") {
    const cursor = params?.["cursor"]
    if (cursor === null) return "cursor null"
    if (cursor === "") return "cursor empty"
    return cursor === undefined ? "cursor missing" : "cursor sent"
  }
  if (field === "_meta") return params?.["_meta"] === undefined ? "_meta missing" : "_meta sent"
  return params === undefined ? "params missing" : "params sent"
}

/** The part of the request that the server dislikes, as it stands in the trace. */
const markedIn = ({ params }: Call, dislike: Dislike): string => {
  const [field = "", how] = dislike.split(" ")
  if (how === "missing") return '"method":"tools/list"'
  return field === "params" ? '"params":' : `"${field}":${sentAs(params?.[field])}`
}

const sentAs = (value: unknown): string =>
  typeof value === "string" || value === null ? JSON.stringify(value) : ""

interface Refused {
  readonly call: Call
  readonly reply: Reply
}

/** The form of the request that was answered, and whether what the client sent is refused every time. */
const settled = (
  given: Case,
  { call }: Refused,
): { readonly dislike: Dislike; readonly answered: Call } | undefined => {
  const act = experiment(given, "other-params")
  const tried = act === undefined ? [] : callsOf(act.conversation, "tools/list")
  const answered = tried.find(({ reply }) => reply?.kind === "result")
  // The first try is what the client has sent: if that works now, its form was not to blame.
  if (answered === undefined || answered === tried[0]) return undefined
  const dislike = difference(call.params, answered.params)
  return dislike && { dislike, answered }
}

const refusalShown = (given: Case, { call, reply }: Refused, dislike?: Dislike): Evidence[] => [
  askedShown(given, call, dislike && markedIn(call, dislike)),
  replyShown(given, reply, reply.kind === "error" ? member("code", reply.error.code) : undefined),
]

/** Family 2: the parameters of `tools/list` are refused. */
export const listingParamsRules: ReadonlyArray<Rule> = [
  {
    code: "list-params-refused",
    family: 2,
    stage: "list",
    weight: "fails",
    title: "The server calls the parameters of tools/list invalid",
    expected: 'A tools/list without parameters is right: {"method":"tools/list"}.',
    fix: {
      server: "Say in the error which field is meant, and accept what the protocol allows.",
      proxy: "Hand the params on as they are: add none, and take none away.",
      client: "Compare what was sent with what the error names.",
    },
    next: examineAgain(),
    supersedes: ["list-refused", "list-server-error"],
    find: (given): Finding | undefined => {
      const refused = refusedFirst(given)
      if (refused === undefined) return undefined
      const { call, reply } = refused
      const certain = settled(given, refused)
      if (certain !== undefined) {
        const { dislike, answered } = certain
        return {
          ...words[dislike],
          confidence: 0.97,
          evidence: [
            ...refusalShown(given, refused, dislike),
            evidence(given.trace, answered.index, '"method":"tools/list"'),
          ],
        }
      }
      if (reply.kind !== "error" || reply.error.code !== rpcCode.invalidParams) return undefined
      const named = refusedField(reply.error)
      if (named === undefined) return { confidence: 0.75, evidence: refusalShown(given, refused) }
      const dislike = dislikeOf(named.field, call.params)
      // A cursor that is null or empty is wrong by itself, so that words are enough.
      const isPlain = named.exact || dislike === "cursor null" || dislike === "cursor empty"
      return {
        ...words[dislike],
        confidence: isPlain ? 0.93 : 0.85,
        evidence: refusalShown(given, refused, dislike),
      }
    },
  },
]
