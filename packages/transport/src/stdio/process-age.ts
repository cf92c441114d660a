import type { ProcessPhase } from "@entente/protocol"
import type { Startup } from "../transport.js"

/** How long a process has been there, and how long it has said nothing; on the clock of its owner. */
export class ProcessAge {
  readonly #now: () => number
  readonly #startedAt: number
  #spokeAt: number | undefined
  #stirredAt: number
  #endedAt: number | undefined

  /** The process was started just now. */
  constructor(now: () => number) {
    this.#now = now
    this.#startedAt = this.#stirredAt = now()
  }

  get phase(): ProcessPhase {
    return this.#spokeAt === undefined ? "starting" : "running"
  }

  /** Milliseconds since its start, or for which it lived. */
  get ms(): number {
    return (this.#endedAt ?? this.#now()) - this.#startedAt
  }

  get startup(): Omit<Startup, "runner"> {
    const now = this.#endedAt ?? this.#now()
    return {
      phase: this.phase,
      phaseMs: now - (this.#spokeAt ?? this.#startedAt),
      ageMs: now - this.#startedAt,
      quietMs: now - this.#stirredAt,
    }
  }

  /** The first byte on stdout has come. */
  spoke(): void {
    this.#spokeAt ??= this.#now()
  }

  /** Anything at all has come from it. */
  stirred(): void {
    this.#stirredAt = this.#now()
  }

  /** It is gone. */
  stop(): void {
    this.#endedAt ??= this.#now()
  }
}
