import type { Output } from "../io.js"
import { oneLine } from "./visible-text.js"
import { cut } from "./width.js"

/** One line on a terminal that is written over while work goes on. Without a terminal it is silent. */
export class LiveLine {
  readonly #output: Output
  #shown = false

  constructor(output: Output) {
    this.#output = output
  }

  show(text: string): void {
    if (this.#output.isTTY !== true) return
    this.#shown = true
    this.#output.write(`\r\u001b[2K${cut(oneLine(text), (this.#output.columns ?? 80) - 1)}`)
  }

  clear(): void {
    if (this.#shown) this.#output.write("\r\u001b[2K")
    this.#shown = false
  }
}
