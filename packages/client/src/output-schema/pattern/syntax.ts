import { limits } from "../limits.js"

/** A regular expression, taken apart as far as an automaton needs it. */
export type Syntax =
  /** One character, judged alone. */
  | { readonly kind: "character"; readonly matches: (character: string) => boolean }
  | { readonly kind: "sequence"; readonly parts: ReadonlyArray<Syntax> }
  | { readonly kind: "choice"; readonly options: ReadonlyArray<Syntax> }
  | {
      readonly kind: "repeat"
      readonly part: Syntax
      readonly least: number
      /** Infinity for no end. */
      readonly most: number
    }
  | { readonly kind: "assertion"; readonly holds: Assertion }

/** Something about a place between two characters. */
export type Assertion = (text: string, position: number) => boolean

/** What no automaton can do in linear time, or a pattern that is none. */
export class UnusablePattern extends Error {}

const isWordAt = (text: string, position: number): boolean => /^\w$/.test(text.charAt(position))

const assertions: { readonly [written: string]: Assertion } = {
  "^": (_, position) => position === 0,
  $: (text, position) => position === text.length,
  "\\b": (text, position) => isWordAt(text, position - 1) !== isWordAt(text, position),
  "\\B": (text, position) => isWordAt(text, position - 1) === isWordAt(text, position),
}

/** Everything that stands for one character, but a character that stands for itself. */
const classes = {
  u: /\.|\[(?:\\.|[^\]\\])*\]|\\(?:u\{[\da-f]+\}|ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|p\{[^}]*\}|[^kbB1-9])/isuy,
  "": /\.|\[(?:\\.|[^\]\\])*\]|\\(?:u[\da-f]{4}|x[\da-f]{2}|c[a-z]|[^ckbB0-9])/isy,
} as const

const quantifier = /(?:([*+?])|\{(\d+)(,(\d*))?\})\??/y
const groupOpening = /\((?:\?:|\?<[^=!][^>]*>|(?!\?))/y

const bounds: { readonly [sign: string]: readonly [number, number] } = {
  "*": [0, Infinity],
  "+": [1, Infinity],
  "?": [0, 1],
}

/**
 * Reads a pattern as ECMAScript does. Its characters and classes are left to the engine's own regular
 * expressions, each of which sees one character only: so they mean exactly what they mean there, and can
 * not run away.
 */
export class SyntaxReader {
  readonly unicode: boolean
  #position = 0
  readonly #source: string
  readonly #flags: "u" | ""

  constructor(source: string) {
    if (source.length > limits.patternCharacters) throw new UnusablePattern("is too long")
    this.#source = source
    this.#flags = flagsOf(source)
    this.unicode = this.#flags === "u"
  }

  read(): Syntax {
    const syntax = this.#choice()
    if (this.#position < this.#source.length) throw new UnusablePattern("is not understood")
    return syntax
  }

  #choice(): Syntax {
    const options = [this.#sequence()]
    while (this.#skip("|")) options.push(this.#sequence())
    const [only, ...others] = options
    return only !== undefined && others.length === 0 ? only : { kind: "choice", options }
  }

  #sequence(): Syntax {
    const parts: Array<Syntax> = []
    while (this.#position < this.#source.length && !this.#sees("|") && !this.#sees(")")) {
      parts.push(this.#repeated(this.#atom()))
    }
    return { kind: "sequence", parts }
  }

  #repeated(part: Syntax): Syntax {
    const found = this.#take(quantifier)
    if (found === undefined) return part
    // Whether it is greedy or lazy makes no difference to whether there is a match.
    const [, sign, least, comma, most] = found
    const [from, to] = (sign === undefined ? undefined : bounds[sign]) ?? [
      Number(least),
      comma === undefined ? Number(least) : most === "" ? Infinity : Number(most),
    ]
    return { kind: "repeat", part, least: from, most: to }
  }

  #atom(): Syntax {
    for (const [written, holds] of Object.entries(assertions)) {
      if (this.#skip(written)) return { kind: "assertion", holds }
    }
    if (this.#take(groupOpening) !== undefined) {
      const group = this.#choice()
      this.#skip(")")
      return group
    }
    if (this.#sees("(")) throw new UnusablePattern("looks around, or changes its flags")
    const [written] = this.#take(classes[this.#flags]) ?? []
    if (written === undefined) return this.#literal()
    const alone = new RegExp(`^(?:${written})$`, this.#flags)
    return { kind: "character", matches: (character) => alone.test(character) }
  }

  #literal(): Syntax {
    if (this.#sees("\\")) throw new UnusablePattern("refers back to a group")
    const code = this.#source.codePointAt(this.#position) ?? 0
    const literal = this.unicode ? String.fromCodePoint(code) : this.#source.charAt(this.#position)
    this.#position += literal.length
    return { kind: "character", matches: (character) => character === literal }
  }

  #sees(text: string): boolean {
    return this.#source.startsWith(text, this.#position)
  }

  #skip(text: string): boolean {
    if (!this.#sees(text)) return false
    this.#position += text.length
    return true
  }

  #take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#position
    const found = expression.exec(this.#source)
    if (found === null) return undefined
    this.#position = expression.lastIndex
    return found
  }
}

/** A pattern has Unicode's meaning (JSON Schema 2020-12, 6.4), unless it is none in that reading. */
const flagsOf = (source: string): "u" | "" => {
  for (const flags of ["u", ""] as const) {
    try {
      // Made to see whether it is one; what runs away is running it.
      void new RegExp(source, flags)
      return flags
    } catch {
      // Not in this reading.
    }
  }
  throw new UnusablePattern("is no regular expression")
}
