import type { TraceEvent } from "@entente/trace"
import type { Saying } from "../conversation/frame.js"
import type { Refusal } from "../conversation/refusal.js"
import type { Evidence } from "../diagnosis.js"
import { evidence } from "../evidence.js"

type Events = ReadonlyArray<TraceEvent>

/** Characters of a server's words that are marked. */
const longestQuote = 120

/** The words of a refusal in the trace, or its status where it has none. */
export const refusalShown = (trace: Events, { reply, text, status }: Refusal): Evidence => {
  // As it stands in JSON, without the quotes: a text may hold JSON itself.
  const quote = JSON.stringify(text.slice(0, longestQuote)).slice(1, -1)
  return evidence(trace, reply.index, quote === "" ? `"status":${status}` : quote)
}

/** A message of the client as it went out, with its headers where they were seen. */
export const sentShown = (trace: Events, saying: Saying, header?: string): Evidence => {
  const sent = saying.http?.sent
  if (sent === undefined) return evidence(trace, saying.index, `"method":"${saying.method}"`)
  const value = header === undefined ? undefined : sent.headers[header]
  return evidence(trace, sent.index, value === undefined ? undefined : `${header}: ${value}`)
}

/** A header of what the server answered. */
export const answeredShown = (trace: Events, saying: Saying, header: string): Evidence => {
  const answered = saying.http?.answered
  const value = answered?.headers[header]
  return answered === undefined
    ? evidence(trace, saying.reply?.index ?? saying.index)
    : evidence(trace, answered.index, value === undefined ? undefined : `${header}: ${value}`)
}
