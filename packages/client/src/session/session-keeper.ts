import * as Effect from "effect/Effect"
import type { EntenteError, TolerancePolicy } from "@entente/protocol"
import type { LegacyAgreement } from "@entente/session"
import type { ChartRunner } from "../life/charts.js"
import { LegacySession, type SessionOwner } from "./legacy-session.js"
import type { ResumableSession } from "./resumable-session.js"
import type { SessionStore } from "./session-store.js"

/** Keeps the session of a legacy HTTP connection, where there is one, and what every call asks of it. */
export class SessionKeeper {
  /** Which session requests are sent in; 0 where there is none. A field, because every call reads it. */
  generation = 0
  #proven = true
  #session: LegacySession | undefined
  readonly #runner: ChartRunner
  readonly #tolerances: TolerancePolicy
  readonly #store: SessionStore | undefined
  readonly #resumable: ResumableSession

  constructor(
    runner: ChartRunner,
    tolerances: TolerancePolicy,
    store: SessionStore | undefined,
    resumable: ResumableSession,
  ) {
    this.#runner = runner
    this.#tolerances = tolerances
    this.#store = store
    this.#resumable = resumable
  }

  /** Whether a session is kept, assigned or not. */
  get holding(): boolean {
    return this.#session !== undefined
  }

  /** Whether a 404 now would lead to a new session; one that was renewed must first have worked. */
  get renewable(): boolean {
    return this.generation > 0 && (this.#proven || this.generation === 1)
  }

  /** Takes up the session of an agreement: a new one, or the one that was just renewed. */
  hold({ sessionId, initialize }: LegacyAgreement, owner: () => SessionOwner): void {
    this.#session ??= new LegacySession(
      { tolerances: this.#tolerances, ...(sessionId === undefined ? {} : { sessionId }) },
      owner(),
      this.#runner,
    )
    this.generation = this.#session.generation
    this.#proven = false
    // Here the server has accepted notifications/initialized in it: the first session has worked (C020).
    const worked = this.#resumable.holds(sessionId) || this.generation === 1
    if (worked) this.answered(this.generation)
    if (sessionId !== undefined) this.#store?.save({ sessionId, initialize })
  }

  /** An answer came in a session: it works. */
  answered(generation: number): void {
    if (this.#proven || generation === 0) return
    this.#session?.answered(generation)
    this.#proven = this.#session?.proven ?? true
  }

  /** A request met a dead session; true where waiting for a new one makes sense. */
  gone(sign: "missing" | "shaped400", generation: number, error: EntenteError): boolean {
    return this.#session?.gone(sign, generation, error) ?? false
  }

  /** Ends the session with the connection; one that is kept in a store outlives it. */
  get end(): Effect.Effect<void> {
    return Effect.suspend(() => {
      const ended = this.#store === undefined && this.#session ? this.#session.end : Effect.void
      return Effect.tap(ended, () => Effect.sync(() => this.drop()))
    })
  }

  /** Forgets the session: its channel is gone. */
  drop(): void {
    this.#session?.drop()
    this.#session = undefined
    this.generation = 0
  }
}
