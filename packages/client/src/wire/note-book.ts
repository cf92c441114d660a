import { NotTolerated, explain, tolerates } from "@entente/protocol"
import type { Note, Stage, ToleranceCode, TolerancePolicy } from "@entente/protocol"
import type { Trace } from "@entente/trace"

/** A note with how often it was made; `detail` is the latest sample. */
export interface CountedNote extends Note {
  readonly count: number
}

/** Collects the notes of one connection: bounded by the number of codes, never by what a server does. */
export class NoteBook {
  readonly #counts = new Map<Note["code"], CountedNote>()
  readonly #listeners = new Set<(note: Note) => void>()
  readonly #policy: TolerancePolicy
  readonly #trace: Trace
  readonly #target: string

  constructor(policy: TolerancePolicy, trace: Trace, target: string) {
    this.#policy = policy
    this.#trace = trace
    this.#target = target
  }

  get policy(): TolerancePolicy {
    return this.#policy
  }

  /** Every code that was noted, in order of its first appearance. */
  get all(): ReadonlyArray<CountedNote> {
    return [...this.#counts.values()]
  }

  /** Hands each further note to a listener; the function returned stops it. */
  subscribe(listener: (note: Note) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  add(note: Note): void {
    this.#counts.set(note.code, { ...note, count: (this.#counts.get(note.code)?.count ?? 0) + 1 })
    if (this.#trace.active) this.#trace.emit({ type: "note", ...note })
    for (const listener of this.#listeners) listener(note)
  }

  /**
   * Notes a deviation whose rule is on; where the rule is off, returns the error to fail with.
   */
  tolerate(code: ToleranceCode, stage: Stage, detail: string): NotTolerated | undefined {
    if (tolerates(this.#policy, code)) {
      this.add({ code, detail })
      return undefined
    }
    return new NotTolerated({
      ...explain("not-tolerated", stage, this.#target, `${code}: ${detail}`),
      tolerance: code,
    })
  }
}
