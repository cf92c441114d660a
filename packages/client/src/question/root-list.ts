import * as Effect from "effect/Effect"
import { InvalidInput, explain, type Root } from "@entente/protocol"
import type { Life } from "../life/life.js"

/**
 * The roots of a connection while it lives. A legacy server is told of a change, once and never before
 * the handshake is over (V25-LIST-04, V25-ROOT-04); a modern one asks again (V26-ROOT-04).
 */
export class RootList {
  #untold = false
  readonly #life: Life

  constructor(life: Life) {
    this.#life = life
    life.stateChanged.add((state) => {
      if (state === "ready" && this.#untold) this.#tell()
    })
  }

  /** Says that what the handler of roots gives is another list from now on. */
  get changed(): Effect.Effect<void, InvalidInput> {
    return Effect.suspend(() => {
      if (!this.#life.questions.hasRoots) return this.#refuse("there is no handler of roots")
      this.#tell()
      return Effect.void
    })
  }

  /** Puts another list in the place of the roots that connect was given, and says so. */
  set(roots: ReadonlyArray<Root>): Effect.Effect<void, InvalidInput> {
    return Effect.suspend(() => {
      const fault = this.#life.questions.replaceRoots(roots)
      if (fault !== undefined) return this.#refuse(fault)
      this.#tell()
      return Effect.void
    })
  }

  #tell(): void {
    const { ready, wire } = this.#life
    this.#untold = !ready
    if (ready && wire.era === "legacy") wire.notify("notifications/roots/list_changed", undefined)
  }

  #refuse(what: string): Effect.Effect<never, InvalidInput> {
    const fields = explain("invalid-input", "input", this.#life.target, `roots: ${what}.`)
    return Effect.fail(new InvalidInput(fields))
  }
}
