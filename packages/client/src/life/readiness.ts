import type { EntenteError } from "@entente/protocol"

/** Called with nothing when the connection is ready, or with the reason why it never will be. */
export type Waiter = (failure: EntenteError | undefined) => void

/** Whether requests may go out, and those that wait until they may. */
export class Readiness {
  #ready = false
  #failure: EntenteError | undefined
  #waiters = new Set<Waiter>()
  readonly #endWaiters = new Set<(failure: EntenteError) => void>()

  get ready(): boolean {
    return this.#ready
  }

  /** Whether nothing will ever come of it again. */
  get ended(): boolean {
    return this.#failure !== undefined
  }

  /** Waits; the function returned gives up waiting. A state that is decided already answers at once. */
  wait(waiter: Waiter): () => void {
    if (this.#ready || this.#failure !== undefined) waiter(this.#failure)
    else this.#waiters.add(waiter)
    return () => this.#waiters.delete(waiter)
  }

  /** Hears of the end, at once where it has come; the function returned stops that. */
  waitForEnd(waiter: (failure: EntenteError) => void): () => void {
    if (this.#failure === undefined) this.#endWaiters.add(waiter)
    else waiter(this.#failure)
    return () => this.#endWaiters.delete(waiter)
  }

  open(): void {
    this.#ready = true
    this.#tell(undefined)
  }

  pause(): void {
    this.#ready = false
  }

  /** Ends it: those who wait now hear `failure`, those who come later hear `later`. */
  end(failure: EntenteError, later: EntenteError): void {
    this.#ready = false
    this.#failure = later
    this.#tell(failure)
    for (const waiter of this.#endWaiters) waiter(failure)
    this.#endWaiters.clear()
  }

  #tell(failure: EntenteError | undefined): void {
    const waiters = this.#waiters
    this.#waiters = new Set()
    for (const waiter of waiters) waiter(failure)
  }
}
