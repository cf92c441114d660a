import type { Reply, Saying } from "./frame.js"

/** A message that the server did not take: an error, or a status that is no success. */
export interface Refusal {
  readonly saying: Saying
  readonly reply: Reply & { readonly kind: "error" | "status" }
  /** Of its error, where it is one. */
  readonly code: number | undefined
  /** Over HTTP. */
  readonly status: number | undefined
  /** What it says, as it was sent. */
  readonly text: string
}

/** What a message was refused with, where it was. */
export const refusalOf = (saying: Saying): Refusal | undefined => {
  const { reply } = saying
  if (reply?.kind === "error") {
    const { code, message } = reply.error
    return { saying, reply, code, status: reply.status, text: message }
  }
  return reply?.kind === "status"
    ? { saying, reply, code: undefined, status: reply.status, text: reply.text }
    : undefined
}

/** Whether it speaks of the session (C020). */
export const speaksOfSession = (refusal: Refusal): boolean => /session/i.test(beginning(refusal))

/** Words for something that is not there. */
const absence =
  /missing|required|requires|must|need|without|absent|not (?:provided|present|given|set)|\bno\b/i

/** Words for a session that is known no more. */
const gone =
  /not found|unknown|expired|invalid|valid|terminated|closed|no such|no session (?:found|with)|does not exist|gone/i

const beginning = ({ text }: Refusal): string => text.slice(0, 2_000)

/** Whether it says that something is not there. */
export const speaksOfAbsence = (refusal: Refusal): boolean => absence.test(beginning(refusal))

/** Whether it asks for a session, and does not say that one is unknown (V25-HTTP-31). */
export const asksForSession = (refusal: Refusal): boolean =>
  speaksOfSession(refusal) && speaksOfAbsence(refusal) && !gone.test(beginning(refusal))

/** Whether it says that the session is known no more. */
export const disownsSession = (refusal: Refusal): boolean =>
  speaksOfSession(refusal) && gone.test(beginning(refusal))

/** Whether it speaks of the version, or of its header. */
export const speaksOfVersion = (refusal: Refusal): boolean =>
  /protocol.?version|unsupported version|version header/i.test(beginning(refusal))
