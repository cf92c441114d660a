const quote = 0x22
const backslash = 0x5c

/** `{`, `[`, `}` and `]`. */
const opening = new Set([0x7b, 0x5b])
const closing = new Set([0x7d, 0x5d])

/**
 * Finds where a JSON object or array ends, by its brackets and texts alone, in pieces as they come. It
 * judges nothing else: what it finds is given to `JSON.parse`.
 */
export class JsonSpan {
  #depth = 0
  #inText = false
  #escaped = false

  /** The place after the last bracket, or -1 where the piece ends before it. */
  end(text: string, from: number): number {
    for (let at = from; at < text.length; at++) {
      const unit = text.charCodeAt(at)
      if (this.#inText) {
        if (this.#escaped) this.#escaped = false
        else if (unit === backslash) this.#escaped = true
        else if (unit === quote) this.#inText = false
      } else if (unit === quote) this.#inText = true
      else if (opening.has(unit)) this.#depth++
      else if (closing.has(unit) && --this.#depth <= 0) return at + 1
    }
    return -1
  }
}

/** The value of a JSON text, or nothing. */
export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * The whole objects in an array that breaks off, or is not all JSON: what a download that was interrupted
 * leaves. `from` is the place after the array's bracket.
 */
export const objectsIn = function* (text: string, from: number): Generator<unknown> {
  for (let at = text.indexOf("{", from); at >= 0;) {
    const end = new JsonSpan().end(text, at)
    if (end < 0) return
    const value = parsed(text.slice(at, end))
    if (value !== undefined) yield value
    const next = /[\]{]/g
    next.lastIndex = end
    const found = next.exec(text)
    if (found === null || found[0] === "]") return
    at = found.index
  }
}
