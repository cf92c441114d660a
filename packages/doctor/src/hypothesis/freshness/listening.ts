import { toolsCapability } from "../../conversation/opening.js"
import { isJsonObject } from "@entente/protocol"
import type { Act } from "../../case.js"
import { callsOf, saidByServer } from "../../conversation/conversation.js"

/** Whether the server says that it tells of changes of its tools. */
export const declaresChanges = ({ opening }: Act): boolean => {
  const tools = toolsCapability(opening.agreed)
  return isJsonObject(tools) && tools["listChanged"] === true
}

/** Why nothing could be heard of a change, and where that shows. */
export interface Deafness {
  readonly why: string
  /** Undefined where the reason is that something was never said. */
  readonly index: number | undefined
  readonly marked: string | undefined
}

const modernDeafness = ({ conversation }: Act): Deafness | undefined => {
  const listens = callsOf(conversation, "subscriptions/listen")
  const [first] = listens
  if (first === undefined) {
    return { why: "subscriptions/listen was never sent", index: undefined, marked: undefined }
  }
  const acknowledged = saidByServer(conversation, "notifications/subscriptions/acknowledged")
  if (acknowledged.length === 0) {
    return {
      why: "subscriptions/listen was not acknowledged",
      index: listens.at(-1)?.reply?.index ?? first.index,
      marked: listens.at(-1)?.reply === undefined ? "subscriptions/listen" : undefined,
    }
  }
  // What counts is what the server agreed to (V26-SUB-04).
  const agreed = acknowledged.some(({ message }) => {
    const params = isJsonObject(message) ? message["params"] : undefined
    const filter = isJsonObject(params) ? params["notifications"] : undefined
    return isJsonObject(filter) && filter["toolsListChanged"] === true
  })
  return agreed
    ? undefined
    : {
        why: "the server did not agree to tell of tools",
        index: acknowledged.at(-1)?.index,
        marked: "notifications/subscriptions/acknowledged",
      }
}

const legacyDeafness = ({ conversation }: Act): Deafness | undefined => {
  // On one pipe a server says what it wants.
  if (conversation.http !== true) return undefined
  const { streams, exchanges } = conversation
  if (streams.some(({ event }) => event === "opened" || event === "delivered")) return undefined
  const gets = exchanges.filter(({ method }) => method === "GET")
  if (gets.some(({ answered }) => answered?.status === 200)) return undefined
  const refused = gets.findLast(({ answered }) => answered !== undefined)?.answered
  return refused === undefined
    ? { why: "the GET stream was never opened", index: undefined, marked: undefined }
    : {
        why: `the GET stream was refused with HTTP ${refused.status}`,
        index: refused.index,
        marked: `HTTP ${refused.status}`,
      }
}

/** Why a client could not hear of changes; undefined where it could. */
export const deafnessOf = (act: Act): Deafness | undefined =>
  act.era === "modern" ? modernDeafness(act) : legacyDeafness(act)
