import type { CompleteResult } from "@entente/protocol"
import type { Timer, Timers } from "@entente/transport"
import type { Cancel } from "../call/call.js"
import type { Typed } from "../call/typed-result.js"

/** What the server suggests: perhaps more than 100 values, perhaps not all there are (`hasMore`). */
export type Suggestions = CompleteResult["completion"]

/** What stands in a form while somebody types. */
export interface Entered {
  /** The argument that is being typed. */
  readonly name: string
  readonly value: string
  /** Arguments of the same prompt or template that have their value already. */
  readonly others?: Readonly<Record<string, string>>
}

export interface SuggesterOptions {
  /** Milliseconds without another keystroke before the server is asked; 150 by default. */
  readonly debounceMs?: number
  /** How many requests may go out within a second, whatever is typed; 5 by default (V26-COMP-06). */
  readonly perSecond?: number
  /** How many answers are kept, the latest used; 100 by default, 0 for none. */
  readonly maxCached?: number
  /** Milliseconds for which an answer is good; 60,000 by default. */
  readonly keepMs?: number
}

/** Asks the server. */
export type Ask = (entered: Entered, done: (outcome: Typed<Suggestions>) => void) => Cancel

type Done = (outcome: Typed<Suggestions | undefined>) => void

/**
 * Stands between a keyboard and a server: waits for a pause, remembers answers, keeps to a rate, and of several
 * questions only the latest counts (V25-COMP-02, V26-COMP-04, V26-COMP-06).
 */
export class Suggester {
  readonly #ask: Ask
  readonly #timers: Timers
  readonly #debounceMs: number
  readonly #perSecond: number
  readonly #maxCached: number
  readonly #keepMs: number
  readonly #cached = new Map<string, { readonly answer: Suggestions; readonly until: number }>()
  /** When the latest requests went out, oldest first. */
  readonly #sentAt: Array<number> = []
  #supersede: () => void = () => {}

  constructor(ask: Ask, timers: Timers, options: SuggesterOptions = {}) {
    this.#ask = ask
    this.#timers = timers
    this.#debounceMs = options.debounceMs ?? 150
    this.#perSecond = Math.max(1, options.perSecond ?? 5)
    this.#maxCached = options.maxCached ?? 100
    this.#keepMs = options.keepMs ?? 60_000
  }

  /** Calls back once; with nothing where a later question has taken the place of this one. */
  suggest(entered: Entered, done: Done): Cancel {
    this.#supersede()
    this.#supersede = () => {}
    const key = keyOf(entered)
    const known = this.#recall(key)
    if (known !== undefined) {
      done({ ok: true, value: known })
      return () => {}
    }
    let cancel: Cancel = () => this.#timers.clear(timer)
    let open = true
    const settle: Done = (outcome) => {
      if (!open) return
      open = false
      done(outcome)
    }
    const timer: Timer = this.#timers.set(() => {
      this.#sentAt.push(this.#timers.now())
      cancel = this.#ask(entered, (outcome) => {
        if (outcome.ok) this.#remember(key, outcome.value)
        settle(outcome)
      })
    }, this.#pause)
    this.#supersede = () => {
      settle({ ok: true, value: undefined })
      cancel("superseded")
    }
    return (reason) => {
      open = false
      cancel(reason)
    }
  }

  /** Forgets every answer. */
  clear(): void {
    this.#cached.clear()
  }

  /** Milliseconds until the server may be asked. */
  get #pause(): number {
    const now = this.#timers.now()
    this.#sentAt.splice(0, this.#sentAt.length - this.#perSecond)
    const [oldest] = this.#sentAt
    const full = oldest !== undefined && this.#sentAt.length === this.#perSecond
    return Math.max(this.#debounceMs, full ? oldest + 1_000 - now : 0)
  }

  #recall(key: string): Suggestions | undefined {
    const entry = this.#cached.get(key)
    if (entry === undefined) return undefined
    this.#cached.delete(key)
    if (entry.until <= this.#timers.now()) return undefined
    this.#cached.set(key, entry)
    return entry.answer
  }

  #remember(key: string, answer: Suggestions): void {
    if (this.#maxCached <= 0) return
    this.#cached.delete(key)
    this.#cached.set(key, { answer, until: this.#timers.now() + this.#keepMs })
    if (this.#cached.size <= this.#maxCached) return
    const [oldest] = this.#cached.keys()
    if (oldest !== undefined) this.#cached.delete(oldest)
  }
}

/** The same for the same form, in whichever order it was filled in. */
const keyOf = ({ name, value, others = {} }: Entered): string =>
  JSON.stringify([name, value, Object.entries(others).toSorted(([a], [b]) => (a < b ? -1 : 1))])
