import type { Challenge } from "@entente/protocol"
import type { Case } from "../../case.js"
import { credentialsIn } from "../../conversation/credentials.js"
import { challengesOf, refusalsOf, type Refusal } from "../../conversation/http-refusal.js"
import type { Evidence } from "../../diagnosis.js"
import { evidence } from "../../evidence.js"
import { hasPage, isSpokenWith } from "../reach/how-far.js"

/** The refusal that kept the tools away, with one of these statuses. */
export const kept = ({ main }: Case, ...statuses: ReadonlyArray<number>): Refusal | undefined => {
  if (hasPage(main)) return undefined
  const last = refusalsOf(main.conversation).findLast(
    ({ httpMethod, call, url }) =>
      httpMethod === "POST" ||
      call !== undefined ||
      // Where to log in is asked because of a refusal, and is none of the server's own.
      (!isSpokenWith(main) && !url.includes("/.well-known/")),
  )
  return last !== undefined && statuses.includes(last.status) ? last : undefined
}

export const isOnList = ({ call }: Refusal): boolean => call?.method === "tools/list"

export const challengeOf = (refusal: Refusal): Challenge | undefined => challengesOf(refusal)[0]

/** The part of the challenge to look at, or else the status. */
export const shown = ({ trace }: Case, { index, status }: Refusal, part?: string): Evidence =>
  evidence(trace, index, part ?? `HTTP ${status}`)

export const wasSent = ({ sent }: Refusal): boolean => credentialsIn(sent).length > 0

export const wordsOf = (refusal: Refusal): string => {
  const { error_description: description = "" } = challengeOf(refusal)?.parameters ?? {}
  return `${description} ${refusal.text}`
}
