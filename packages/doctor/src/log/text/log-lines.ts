/** What terminals take for colours, cursor movements and titles. */
const escapes = new RegExp(
  // Built from text, because a pattern with control characters in it cannot be read.
  ["\\u001b\\[[0-9;?]*[ -/]*[@-~]", "\\u001b\\][^\\u0007\\u001b]*\\u0007?", "\\u001b[@-_]?"].join(
    "|",
  ),
  "g",
)

const clean = (line: string): string => {
  const whole = line.endsWith("\r") ? line.slice(0, -1) : line
  return whole.includes("\u001b") ? whole.replaceAll(escapes, "") : whole
}

/**
 * Goes over a text line by line, without colours and without keeping the lines. Each character is looked
 * at a fixed number of times.
 */
export class LogLines {
  readonly #text: string
  #from = 0
  #number = 0
  #ahead: string | undefined

  constructor(text: string) {
    this.#text = text
  }

  /** The number of the line that was given last, from 1. */
  get number(): number {
    return this.#number
  }

  /** The next line, or nothing at the end. */
  next(): string | undefined {
    const line = this.peek()
    this.#ahead = undefined
    if (line !== undefined) this.#number++
    return line
  }

  /** The line that `next` will give. */
  peek(): string | undefined {
    if (this.#ahead !== undefined || this.#from >= this.#text.length) return this.#ahead
    const feed = this.#text.indexOf("\n", this.#from)
    const end = feed < 0 ? this.#text.length : feed
    this.#ahead = clean(this.#text.slice(this.#from, end))
    this.#from = end + 1
    return this.#ahead
  }
}
