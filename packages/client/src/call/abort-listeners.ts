/** Who waits for each signal to abort. */
const waiting = new WeakMap<AbortSignal, Waiting>()

/** The one listener on a signal, whoever many calls share it: Node warns of leaks from the eleventh on. */
class Waiting {
  readonly #signal: AbortSignal
  readonly #aborts = new Set<() => void>()

  constructor(signal: AbortSignal) {
    this.#signal = signal
    signal.addEventListener("abort", this.#aborted)
    waiting.set(signal, this)
  }

  add(abort: () => void): void {
    this.#aborts.add(abort)
  }

  /** With the last one goes the listener, so that nothing of a call is left on a signal that lives on. */
  delete(abort: () => void): void {
    if (!this.#aborts.delete(abort) || this.#aborts.size > 0) return
    this.#signal.removeEventListener("abort", this.#aborted)
    waiting.delete(this.#signal)
  }

  readonly #aborted = (): void => {
    for (const abort of this.#aborts) {
      this.delete(abort)
      abort()
    }
  }
}

/**
 * Calls back once when a signal aborts, at the latest before the abort returns. The function returned
 * takes that back. A signal that has aborted already is for the caller to see.
 */
export const onAbort = (signal: AbortSignal, abort: () => void): (() => void) => {
  const shared = waiting.get(signal) ?? new Waiting(signal)
  shared.add(abort)
  return () => shared.delete(abort)
}
