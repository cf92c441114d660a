import { Listeners } from "../wire/listeners.js"

/**
 * Names that a host wants to hear of, each for as long as anybody does. Whatever changes within one tick is
 * told once.
 */
export class Interest<Name extends string = string> {
  readonly changed = new Listeners<void>()
  readonly #counts = new Map<Name, number>()
  #telling = false

  /** Every name that is wanted now, in order. */
  get names(): ReadonlyArray<Name> {
    return [...this.#counts.keys()].toSorted()
  }

  get isEmpty(): boolean {
    return this.#counts.size === 0
  }

  /** Wants a name once more; the function returned takes that back. */
  add(name: Name): () => void {
    const before = this.#counts.get(name) ?? 0
    this.#counts.set(name, before + 1)
    if (before === 0) this.touch()
    let held = true
    return () => {
      if (!held) return
      held = false
      this.#drop(name)
    }
  }

  /** Asks what became of what is wanted, also where nothing has changed. */
  touch(): void {
    if (this.#telling) return
    this.#telling = true
    queueMicrotask(() => {
      this.#telling = false
      this.changed.tell()
    })
  }

  #drop(name: Name): void {
    const left = (this.#counts.get(name) ?? 0) - 1
    if (left > 0) return void this.#counts.set(name, left)
    this.#counts.delete(name)
    this.touch()
  }
}
