import { isJsonObject } from "@entente/protocol"
import { stringsIn } from "@entente/session"
import type { Act } from "../case.js"
import type { Saying } from "./frame.js"
import { versionOf } from "./opening.js"
import { refusalOf, speaksOfVersion, type Refusal } from "./refusal.js"

/** A refusal because of the version that was offered. */
export interface VersionRefusal extends Refusal {
  readonly offered: string | undefined
  /** The versions that the server names instead, or as well. */
  readonly named: ReadonlyArray<string>
}

const unsupportedVersion = -32022

const dates = /\b\d{4}-\d{2}-\d{2}\b/g

/** The versions in `data.supported`, or else the dates in a text that speaks of versions (C026). */
const namedIn = ({ reply, text }: Refusal): ReadonlyArray<string> => {
  const data = reply.kind === "error" ? reply.error.data : undefined
  const listed = isJsonObject(data) ? stringsIn(data["supported"]) : []
  if (listed.length > 0) return listed
  return /version/i.test(text) ? [...new Set(text.slice(0, 10_000).match(dates) ?? [])] : []
}

const offeredBy = (saying: Saying): string | undefined => {
  const asked = saying.params?.["protocolVersion"]
  if (saying.method !== "initialize") return versionOf(saying)
  return typeof asked === "string" ? asked : undefined
}

/** Requests that were refused because of their version: -32022, or an `initialize` whose refusal says so. */
export const versionRefusals = ({ conversation }: Act): ReadonlyArray<VersionRefusal> =>
  conversation.calls.flatMap((call) => {
    const refusal = refusalOf(call)
    if (refusal === undefined) return []
    const isOne =
      refusal.code === unsupportedVersion ||
      (call.method === "initialize" && speaksOfVersion(refusal)) ||
      (call.method === "initialize" && namedIn(refusal).length > 0)
    return isOne ? [{ ...refusal, offered: offeredBy(call), named: namedIn(refusal) }] : []
  })
