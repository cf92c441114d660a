import { callOf, type Arrival } from "./arrival.js"
import { isMirrored, repeatsAll } from "./mirrored-headers.js"
import { matchesPattern } from "./pattern.js"
import type { ArrivalKind, Match } from "./script.js"

/** Kinds that only a rule which names them is asked about. */
export const unsaid: ReadonlySet<ArrivalKind> = new Set(["open", "end", "signal", "disconnect"])

/** Whether a rule can only match where there is HTTP. */
export const isAboutHttp = (when: Match): boolean =>
  when.httpMethod !== undefined ||
  when.path !== undefined ||
  when.headers !== undefined ||
  when.mirrored !== undefined ||
  when.unrepeated !== undefined

const matchesPath = (path: string, wanted: string): boolean =>
  path === wanted || path.split("?", 1)[0] === wanted

/** What is said on a channel is matched without HTTP, also where HTTP carries the channel. */
const matchesHttp = (when: Match, arrival: Arrival, endpoint: string): boolean => {
  if (arrival.httpMethod === undefined) return !isAboutHttp(when)
  if (when.httpMethod !== undefined && when.httpMethod !== arrival.httpMethod) return false
  if (!matchesPath(arrival.path ?? "", when.path ?? endpoint)) return false
  if (when.mirrored !== undefined && when.mirrored !== isMirrored(arrival)) return false
  if (when.unrepeated !== undefined && repeatsAll(arrival, when.unrepeated)) return false
  return Object.entries(when.headers ?? {}).every(([name, wanted]) => {
    const value = arrival.headers?.[name.toLowerCase()]
    if (wanted === null) return value === undefined
    return wanted === true ? value !== undefined : matchesPattern(wanted, value)
  })
}

/** Whether all conditions hold, save `nth`, which is for the player to count. */
export const matches = (when: Match, arrival: Arrival, endpoint: string): boolean => {
  if (when.kind === undefined ? unsaid.has(arrival.kind) : when.kind !== arrival.kind) return false
  if (when.signal !== undefined && when.signal !== arrival.signal) return false
  const call = callOf(arrival)
  if (when.method !== undefined && when.method !== call?.method) return false
  if (when.params !== undefined && !matchesPattern(when.params, call?.params)) return false
  return matchesHttp(when, arrival, endpoint)
}
