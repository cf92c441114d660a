import type { JsonObject } from "@entente/protocol"

/**
 * What changes in the reading room while it is open: loans, and the tools that `grow` has added. All
 * connections to one server share it.
 */
export class Library {
  readonly #loans = new Set<string>()
  readonly #listeners = new Set<() => void>()
  #arrivals = 0

  /** How many tools `grow` has added. */
  get arrivals(): number {
    return this.#arrivals
  }

  /** Adds a tool to the list and tells everyone who listens. */
  grow(): number {
    this.#arrivals += 1
    for (const listener of this.#listeners) listener()
    return this.#arrivals
  }

  /** Calls back whenever the list of tools changes; the function returned stops that. */
  onToolsChanged(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Whether the book was there to be lent. */
  lend(id: string): boolean {
    if (this.#loans.has(id)) return false
    this.#loans.add(id)
    return true
  }

  /** Whether the book was out. */
  takeBack(id: string): boolean {
    return this.#loans.delete(id)
  }
}

/** What a method gets besides the library. */
export interface Call {
  readonly params: JsonObject
  /** Sends a notification that belongs to this request. */
  readonly notify: (method: string, params: JsonObject) => void
  /** Aborted when the caller cancels. */
  readonly signal: AbortSignal
}
