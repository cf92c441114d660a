import * as Effect from "effect/Effect"
import { createActor, type Actor } from "xstate"
import type { EntenteError } from "@entente/protocol"
import {
  fromEffect,
  httpSessionMachine,
  type HttpSessionInput,
  type LegacyAgreement,
  type NegotiationOutcome,
  type Renewal,
} from "@entente/session"
import { finish, type ChartRunner } from "../life/charts.js"

/** What the owner of a session does for it, and hears of it. */
export interface SessionOwner {
  /** One fresh `initialize` and its confirmation. */
  readonly negotiate: Effect.Effect<NegotiationOutcome>
  /** DELETE with the current id. */
  readonly end: Effect.Effect<unknown>
  readonly expired: () => void
  readonly renewed: (agreement: LegacyAgreement) => void
  readonly dead: (error: EntenteError) => void
}

/** Runs the chart of one legacy HTTP session, and tells its owner what it decides. */
export class LegacySession {
  readonly #actor: Actor<typeof httpSessionMachine>
  readonly #owner: SessionOwner
  #renewal: LegacyAgreement | undefined
  #state: string

  constructor(input: HttpSessionInput, owner: SessionOwner, runner: ChartRunner) {
    this.#owner = owner
    const machine = httpSessionMachine.provide({
      actors: {
        renew: fromEffect(() => this.#renew, runner.fork),
        endSession: fromEffect(() => owner.end, runner.fork),
      },
    })
    const { clock, inspect } = runner
    this.#actor = createActor(machine, { id: "httpSession", clock, inspect, input })
    this.#actor.start()
    this.#state = this.#actor.getSnapshot().value
    // The chart's actors do not reject; what did anyway has already ended the chart.
    this.#actor.subscribe({ next: () => this.#observe(), error: () => {} })
  }

  /** Which session requests are sent in now; 0 where the server assigned no id. */
  get generation(): number {
    const { context, value } = this.#actor.getSnapshot()
    return value === "held" ? context.generation : 0
  }

  /** Whether the current session has answered before. */
  get proven(): boolean {
    return this.#actor.getSnapshot().context.proven
  }

  answered(generation: number): void {
    this.#actor.send({ type: "answered", generation })
  }

  /** Says that a request of some generation met a dead session; true where a new one is to be had. */
  gone(type: "missing" | "shaped400", generation: number, error: EntenteError): boolean {
    const isLate = generation < this.generation
    this.#actor.send({ type, generation, error })
    return isLate || this.#actor.getSnapshot().value === "renewing"
  }

  /** Ends the session and waits until it is over. */
  get end(): Effect.Effect<void> {
    return finish(this.#actor, { type: "end" })
  }

  /** Stops the chart without a word to the server: the channel is gone, or the session is kept. */
  drop(): void {
    this.#actor.stop()
  }

  get #renew(): Effect.Effect<Renewal> {
    return Effect.map(this.#owner.negotiate, (outcome): Renewal => {
      if (outcome._tag === "Refused") return { _tag: "Failed", error: outcome.error }
      const { agreement } = outcome
      // The renewal is asked for in the legacy mode, which the negotiation chart never leaves.
      if (agreement.era === "modern") throw new Error("A legacy session was renewed as modern")
      this.#renewal = agreement
      const { sessionId } = agreement
      return sessionId === undefined ? { _tag: "Renewed" } : { _tag: "Renewed", sessionId }
    })
  }

  #observe(): void {
    const { value, output } = this.#actor.getSnapshot()
    const before = this.#state
    if (value === before) return
    this.#state = value
    if (value === "renewing") this.#owner.expired()
    else if (output?.reason === "dead") this.#owner.dead(output.error)
    else if (before === "renewing" && this.#renewal) this.#owner.renewed(this.#renewal)
  }
}
