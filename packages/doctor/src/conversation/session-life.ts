import type { Act } from "../case.js"
import type { Agreement } from "./opening.js"
import type { Saying } from "./frame.js"
import {
  asksForSession,
  disownsSession,
  refusalOf,
  speaksOfSession,
  type Refusal,
} from "./refusal.js"

/** `lost`: the server knows the session no more. `asked`: it asks for one, as if none had come. */
export type SessionResult = "worked" | "lost" | "asked" | "refused"

/** A message in a session. */
export interface SessionUse {
  readonly saying: Saying
  /** Whether it carried a session id; undefined where its headers were not seen. */
  readonly sent: boolean | undefined
  /** Undefined where nothing came back. */
  readonly result: SessionResult | undefined
  readonly refusal: Refusal | undefined
  /** Milliseconds since the session was given out. */
  readonly ageMs: number
  /** Milliseconds since it had worked before, or since it was given out. */
  readonly idleMs: number
}

/** What became of a session over HTTP, from its `initialize` to the next. */
export interface SessionLife {
  readonly agreed: Agreement
  /** Whether the answer to `initialize` gave an id; undefined where its headers were not seen. */
  readonly assigned: boolean | undefined
  readonly uses: ReadonlyArray<SessionUse>
  /** Where the server knew it no more, the first time. */
  readonly loss: SessionUse | undefined
  /** Whether an answer or an acknowledgement came in it before it was lost. */
  readonly worked: boolean
  /** Whether it worked after it had been lost: some know it, some do not. */
  readonly cameBack: boolean
}

const header = "mcp-session-id"

/** A server without the method has read the request, so that its 404 says nothing of a session. */
const methodNotFound = -32601

/** Whether the id that a message carried is known no more; a 400 has to say so (C020). */
const isLoss = (refusal: Refusal): boolean =>
  speaksOfSession(refusal)
    ? refusal.status === 404 || refusal.status === 400 || disownsSession(refusal)
    : refusal.status === 404 && refusal.code !== methodNotFound

const resultOf = (
  saying: Saying,
  sent: boolean | undefined,
  refusal: Refusal | undefined,
): SessionResult | undefined => {
  if (refusal === undefined) {
    if (saying.reply?.kind === "result") return "worked"
    return saying.ended?.tag === "Ended" && !("id" in saying) ? "worked" : undefined
  }
  if (asksForSession(refusal)) return "asked"
  if (sent !== false) return isLoss(refusal) ? "lost" : "refused"
  return speaksOfSession(refusal) ? "asked" : "refused"
}

class Life {
  readonly agreed: Agreement
  readonly assigned: boolean | undefined
  readonly uses: Array<SessionUse> = []
  #heardAt: number

  constructor(agreed: Agreement) {
    this.agreed = agreed
    const { headers } = agreed.call
    this.assigned = headers === undefined ? undefined : headers[header] !== undefined
    this.#heardAt = agreed.at
  }

  take(saying: Saying): void {
    const headers = saying.http?.sent?.headers
    const sent = headers === undefined ? undefined : headers[header] !== undefined
    const refusal = refusalOf(saying)
    const result = resultOf(saying, sent, refusal)
    const at = saying.reply?.at ?? saying.ended?.at ?? saying.at
    this.uses.push({
      saying,
      sent,
      result,
      refusal,
      ageMs: Math.max(0, at - this.agreed.at),
      idleMs: Math.max(0, at - this.#heardAt),
    })
    if (result === "worked") this.#heardAt = Math.max(this.#heardAt, at)
  }

  get told(): SessionLife {
    const { agreed, assigned, uses } = this
    const first = uses.findIndex(({ result }) => result === "lost")
    const before = first < 0 ? uses : uses.slice(0, first)
    const worked = ({ result }: SessionUse): boolean => result === "worked"
    return {
      agreed,
      assigned,
      uses,
      loss: uses[first],
      worked: before.some(worked),
      cameBack: first >= 0 && uses.slice(first).some(worked),
    }
  }
}

/** The sessions of a conversation over HTTP, in order; a server of the modern era has none (V26-HDR-11). */
export const sessionsOf = ({ conversation, opening, era }: Act): ReadonlyArray<SessionLife> => {
  if (conversation.http !== true || era !== "legacy") return []
  const lives: Array<Life> = []
  const next = opening.agreements.filter((agreed) => agreed.call.method === "initialize")
  for (const saying of conversation.sayings) {
    // What was sent before the answer to `initialize` came belongs to the session before it.
    while (next[0] !== undefined && next[0].index < saying.index) {
      const [agreed] = next.splice(0, 1)
      if (agreed !== undefined) lives.push(new Life(agreed))
    }
    if (saying.method !== "initialize") lives.at(-1)?.take(saying)
  }
  lives.push(...next.map((agreed) => new Life(agreed)))
  return lives.map((life) => life.told)
}
