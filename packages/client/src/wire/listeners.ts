/**
 * A set of listeners that hear every value in order. One that throws loses only its own part: the
 * connection and the other listeners go on.
 */
export class Listeners<Value> {
  readonly #listeners = new Set<(value: Value) => void>()

  /** Adds a listener; the function returned takes it away. */
  add(listener: (value: Value) => void): () => void {
    const own = (value: Value) => listener(value)
    this.#listeners.add(own)
    return () => this.#listeners.delete(own)
  }

  get isEmpty(): boolean {
    return this.#listeners.size === 0
  }

  tell(value: Value): void {
    for (const listener of this.#listeners) {
      try {
        listener(value)
      } catch (error) {
        // Reported like any other uncaught error, but after the connection has done its own work.
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }
}
