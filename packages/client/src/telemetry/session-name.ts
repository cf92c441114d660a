import * as Hex from "effect/encoding/Hex"

/**
 * Names sessions without giving away their ids: the name says which session it is among all there are, and
 * nothing else. It lasts as long as the session does.
 */
export class SessionNames {
  #id: string | undefined
  #name: string | undefined
  readonly #nameOf: (id: string) => string | undefined

  constructor(nameOf: (id: string) => string | undefined = () => Hex.random(32)) {
    this.#nameOf = nameOf
  }

  /** A connection has one session at a time, so that the latest is all that has to be known. */
  of(id: string): string | undefined {
    if (id !== this.#id) {
      this.#id = id
      this.#name = this.#nameOf(id)
    }
    return this.#name
  }
}
