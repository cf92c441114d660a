import type { NameRule } from "../provider/name-rule.js"

/** The shortest names that a rule may ask for: less has no room for what tells two tools apart. */
const leastLength = 16

/** Everything that the end of a hashed name may be written with, and that its stem cannot do without. */
const needed = { first: "atz", rest: "0123456789abcdefghijklmnopqrstuv_" }

/** A rule as expressions, which are made once for each. */
export class NameShape {
  readonly maxLength: number
  readonly #whole: RegExp
  readonly #first: RegExp
  readonly #foreign: RegExp

  /** @throws RangeError where a rule leaves too little to tell tools apart with: a fault of the program. */
  constructor({ first, rest, maxLength }: NameRule) {
    this.maxLength = maxLength
    this.#whole = new RegExp(`^[${first}][${rest}]*$`, "u")
    this.#first = new RegExp(`^[${first}]`, "u")
    this.#foreign = new RegExp(`[^${rest}]+`, "gu")
    if (!Number.isInteger(maxLength) || maxLength < leastLength) {
      throw new RangeError(`maxLength takes a whole number from ${leastLength}, not ${maxLength}`)
    }
    for (const letter of needed.first) {
      if (!this.#first.test(letter))
        throw new RangeError(`a name has to be allowed to begin with "${letter}"`)
    }
    if (this.#foreign.test(needed.rest)) {
      throw new RangeError("names have to be allowed small letters, digits and underscores")
    }
  }

  /** Whether a name is one as it stands. */
  fits(name: string): boolean {
    return name.length <= this.maxLength && this.#whole.test(name)
  }

  /** What is left of a text with the characters that are allowed: accents go, and other gaps are closed by `_`. */
  readable(text: string): string {
    // Cut first: a server decides how long its names are.
    const bare = text
      .slice(0, 4 * this.maxLength)
      .normalize("NFKD")
      .replaceAll(/\p{M}+/gu, "")
    const allowed = bare.replaceAll(this.#foreign, "_")
    return allowed === bare ? allowed : allowed.replaceAll(/^_+|_+$/g, "")
  }

  /** The same text with a beginning that is allowed. */
  begun(text: string): string {
    return this.#first.test(text) ? text : `t${text}`
  }
}

const shapes = new WeakMap<NameRule, NameShape>()

/** The shape of names under a rule. */
export const shapeOf = (rule: NameRule): NameShape => {
  const known = shapes.get(rule) ?? new NameShape(rule)
  shapes.set(rule, known)
  return known
}
