import { run, type Abortable } from "../promise-run.js"
import type { Completer } from "./completer.js"
import type { Entered, Suggestions } from "./suggester.js"

/** Suggestions while somebody types, for callers without Effect. */
export class PromiseCompleter {
  readonly #completer: Completer
  readonly #target: string

  constructor(completer: Completer, target: string) {
    this.#completer = completer
    this.#target = target
  }

  /**
   * What the server suggests for what stands there now. Undefined where a later question has come meanwhile:
   * then there is nothing to show.
   */
  suggest(entered: Entered, { signal }: Abortable = {}): Promise<Suggestions | undefined> {
    return run(this.#completer.suggest(entered), signal, this.#target, "completion/complete")
  }

  /** Forgets every answer that was kept. */
  clear(): void {
    this.#completer.clear()
  }
}
