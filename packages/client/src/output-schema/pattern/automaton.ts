import { limits } from "../limits.js"
import type { Meter } from "../meter.js"
import { SyntaxReader, UnusablePattern, type Assertion, type Syntax } from "./syntax.js"

/** One state: what it asks for, and where it leads. */
type State =
  | { readonly kind: "character"; readonly matches: (character: string) => boolean; next: number }
  | { readonly kind: "fork"; left: number; right: number }
  | { readonly kind: "assertion"; readonly holds: Assertion; next: number }
  | { readonly kind: "match" }

/** Lays out the states of a pattern, the last first: each part is told where it leads to. */
class Layout {
  readonly states: Array<State> = [{ kind: "match" }]

  /** The first state of a part that leads to `next`. */
  place(syntax: Syntax, next: number): number {
    switch (syntax.kind) {
      case "character":
      case "assertion":
        return this.#add({ ...syntax, next })
      case "sequence":
        return syntax.parts.reduceRight((following, part) => this.place(part, following), next)
      case "choice":
        return syntax.options
          .map((option) => this.place(option, next))
          .reduceRight((right, left) => this.#add({ kind: "fork", left, right }))
      case "repeat":
        return this.#repeat(syntax, next)
    }
  }

  #repeat({ part, least, most }: Extract<Syntax, { readonly kind: "repeat" }>, next: number) {
    let first = most === Infinity ? this.#loop(part, next) : next
    const optional = most === Infinity ? 0 : most - least
    for (let copies = 0; copies < optional; copies++) {
      first = this.#add({ kind: "fork", left: this.place(part, first), right: next })
    }
    for (let copies = 0; copies < least; copies++) first = this.place(part, first)
    return first
  }

  #loop(part: Syntax, next: number): number {
    const fork: State = { kind: "fork", left: 0, right: next }
    const first = this.#add(fork)
    fork.left = this.place(part, first)
    return first
  }

  #add(state: State): number {
    if (this.states.length >= limits.patternStates) throw new UnusablePattern("is too large")
    return this.states.push(state) - 1
  }
}

/**
 * A regular expression that never takes longer than its states times the characters, because it looks at
 * every character once and keeps all ways that are still open: `(a+)+$` costs no more than `a+$`. It says
 * what `RegExp.test` says. Look-around and back-references, which need more than that, are refused.
 */
export class Automaton {
  readonly #source: string
  readonly #states: ReadonlyArray<State>
  readonly #first: number
  readonly #unicode: boolean
  readonly #meter: Meter
  /** For each state the step in which it was last entered, so that it is entered once a step. */
  readonly #entered: Int32Array

  constructor(source: string, meter: Meter) {
    const reader = new SyntaxReader(source)
    const layout = new Layout()
    this.#source = source
    this.#first = layout.place(reader.read(), 0)
    this.#unicode = reader.unicode
    this.#states = layout.states
    this.#meter = meter
    this.#entered = new Int32Array(layout.states.length)
  }

  /** Whether some part of a text matches. */
  test(text: string): boolean {
    this.#entered.fill(0)
    let open: Array<number> = []
    for (let position = 0; ;) {
      // The pattern may begin anywhere; what began earlier is still open.
      if (this.#enter(this.#first, text, position, open)) return true
      if (position >= text.length) return false
      const character = this.#at(text, position)
      position += character.length
      const next: Array<number> = []
      for (const index of open) {
        const state = this.#states[index]
        if (state?.kind !== "character" || !state.matches(character)) continue
        if (this.#enter(state.next, text, position, next)) return true
      }
      open = next
    }
  }

  /** Adds a state and all that can be reached from it without a character; whether the match is among them. */
  #enter(first: number, text: string, position: number, open: Array<number>): boolean {
    const waiting = [first]
    for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
      this.#meter.spend(1)
      if (this.#entered[index] === position + 1) continue
      this.#entered[index] = position + 1
      const state = this.#states[index]
      if (state === undefined || state.kind === "match") return true
      if (state.kind === "character") open.push(index)
      else if (state.kind === "fork") waiting.push(state.left, state.right)
      else if (state.holds(text, position)) waiting.push(state.next)
    }
    return false
  }

  #at(text: string, position: number): string {
    return this.#unicode
      ? String.fromCodePoint(text.codePointAt(position) ?? 0)
      : text.charAt(position)
  }

  /** What tells automata apart. */
  toString(): string {
    return this.#source
  }
}
