import type { EntenteError } from "@entente/protocol"

/** Called with nothing when the connection is ready, or with the reason why it never will be. */
export type Waiter = (failure: EntenteError | undefined) => void

/** Whether requests may go out, and those that wait until they may. */
export class Readiness {
  #ready = false
  #failure: EntenteError | undefined
  #waiters = new Set<Waiter>()

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
  }

  #tell(failure: EntenteError | undefined): void {
    const waiters = this.#waiters
    this.#waiters = new Set()
    for (const waiter of waiters) waiter(failure)
  }
}
