import type { JsonObject } from "@entente/protocol"
import {
  candidatesOf,
  rememberDiscover,
  verdictForAnother,
  withoutDiscover,
  type NegotiationMode,
  type Verdict,
} from "@entente/session"
import type { Transport } from "@entente/transport"
import type { VerdictStore } from "./verdict-store.js"

/** What the connections to come are to know of one server: its era, and what it said of itself. */
export class KnownVerdict {
  readonly #key: string
  readonly #mode: NegotiationMode
  readonly #verdicts: VerdictStore
  readonly #now: () => number

  constructor(
    { key }: Transport,
    mode: NegotiationMode = "auto",
    verdicts: VerdictStore,
    now: () => number,
  ) {
    this.#key = key
    this.#mode = mode
    this.#verdicts = verdicts
    this.#now = now
  }

  /** Remembers what the server itself has shown; what the caller insisted on proves nothing. */
  learn(verdict: Verdict): void {
    if (this.#mode !== "auto") return
    this.#verdicts.set(this.#key, verdictForAnother(verdict, this.#now()))
  }

  /** A DiscoverResult came too late for this connection: the next one begins where this one could not. */
  learnLate(verdict: Verdict, result: JsonObject): void {
    const at = new Date(this.#now()).toISOString()
    this.learn(rememberDiscover(verdict, result, candidatesOf(this.#mode), at))
  }

  /** What the server once said of itself may not hold any more: the next connection asks it anew (T-43). */
  doubtDiscovery(): void {
    const kept = this.#verdicts.get(this.#key)
    if (kept !== undefined) this.#verdicts.set(this.#key, withoutDiscover(kept))
  }
}
