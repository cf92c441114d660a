import { redactText } from "@entente/trace"

/** How much of stderr an error may show, in UTF-16 code units. */
export const stderrTailLength = 4 * 1024

/** How much is kept: more than is shown, so that redaction sees whole what is cut afterwards. */
const keptLength = 4 * stderrTailLength

/** The end of what a process wrote to stderr, however much that was. */
export class StderrTail {
  #chunks: Array<Uint8Array> = []
  #bytes = 0
  #cut = false

  push(chunk: Uint8Array): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    for (;;) {
      const first = this.#chunks[0]
      if (first === undefined || this.#bytes - first.length < keptLength) return
      this.#chunks.shift()
      this.#bytes -= first.length
      this.#cut = true
    }
  }

  /** The last lines, redacted. */
  text(): string {
    const decoder = new TextDecoder()
    const whole = this.#chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("")
    const kept = lastLines(whole, keptLength, this.#cut)
    return lastLines(redactText(kept).trimEnd(), stderrTailLength, false)
  }
}

/** The end of a text, without a line that has lost its beginning: half a secret is not recognised. */
const lastLines = (text: string, length: number, cut: boolean): string =>
  text.length > length || cut ? text.slice(-length).replace(/^[^\n]*\n/, "") : text
