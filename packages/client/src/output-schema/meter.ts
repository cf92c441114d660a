/** The steps of one validation are used up. Thrown through generated code that knows nothing of limits. */
export class Exhausted extends Error {}

/**
 * Counts the work of one validation. A schema of a few lines can ask for 2^50 evaluations, by references
 * that each name the next one twice, so neither its size nor the value's bounds the work (V26-SCHEMA-06).
 */
export class Meter {
  readonly #limit: number
  #left: number

  constructor(limit: number) {
    this.#limit = limit
    this.#left = limit
  }

  /** Begins another validation. */
  reset(): void {
    this.#left = this.#limit
  }

  spend(steps: number): void {
    this.#left -= steps
    if (this.#left < 0) throw new Exhausted(`needs more than ${this.#limit} steps`)
  }
}
