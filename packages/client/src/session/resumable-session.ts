import * as Effect from "effect/Effect"
import { isLegacyRevision, type LegacyRevision } from "@entente/protocol"
import {
  parseSessionId,
  troubleOf,
  type Answer,
  type SessionId,
  type Verdict,
} from "@entente/session"
import { answerOf } from "../handshake/answer-of.js"
import { ask } from "../handshake/ask.js"
import { harmlessRequest } from "../life/harmless-request.js"
import type { Identities } from "../life/identities.js"
import type { SessionStore, StoredSession } from "./session-store.js"
import type { Reply } from "../wire/reply.js"
import type { Wire } from "../wire/wire.js"

/**
 * A session kept from an earlier run. It is provisional until the server has answered on it: only then
 * does it stand for the `initialize` that opened it, and a refusal clears it for good (C022).
 */
export class ResumableSession {
  #stored: StoredSession | undefined
  #resumed: SessionId | undefined
  readonly #store: SessionStore | undefined
  readonly #wire: Wire
  readonly #identities: Identities
  readonly #timeoutMs: number
  readonly #target: string

  constructor(
    store: SessionStore | undefined,
    wire: Wire,
    identities: Identities,
    timeoutMs: number,
    target: string,
  ) {
    this.#store = store
    this.#stored = store?.load()
    this.#wire = wire
    this.#identities = identities
    this.#timeoutMs = timeoutMs
    this.#target = target
  }

  /** What a stored session says about its server's era. */
  get verdict(): Verdict | undefined {
    const revision = this.#stored?.initialize["protocolVersion"]
    if (!isLegacyRevision(revision)) return undefined
    const at = new Date(0).toISOString()
    return { era: "legacy", revision, evidence: "a stored session", at, quirks: [] }
  }

  /** Whether this is the session that was resumed. */
  holds(sessionId: SessionId | undefined): boolean {
    return sessionId !== undefined && sessionId === this.#resumed
  }

  /** Asks the stored session one harmless question, once; nothing where there is none, or it is dead. */
  resume(revision: LegacyRevision): Effect.Effect<Answer | undefined> {
    return Effect.gen({ self: this }, function* () {
      const stored = this.#stored
      this.#stored = undefined
      const sessionId = stored && parseSessionId(stored.sessionId)
      if (stored === undefined || sessionId === undefined) return undefined
      const method = harmlessRequest(stored.initialize["capabilities"])
      const reply = yield* ask(this.#wire, method, undefined, {
        timeoutMs: this.#timeoutMs,
        cancellable: true,
        dress: this.#identities.legacy(revision, sessionId),
      })
      const alive =
        reply._tag === "Result" || (reply._tag === "Failure" && reply.status === undefined)
      if (!alive) {
        if (this.#isRefusal(reply)) this.#store?.clear()
        return undefined
      }
      this.#resumed = sessionId
      return { _tag: "Result", result: stored.initialize, sessionId }
    })
  }

  /** An outage, a time-out and a network failure say nothing about the session: it may be tried again. */
  #isRefusal(reply: Reply): boolean {
    const answer = answerOf(reply, this.#target)
    return answer._tag !== "Silence" && troubleOf(answer, "http") === undefined
  }
}
