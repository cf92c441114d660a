import type { Trace } from "@entente/trace"
import { LineDecoder } from "../framing/line-framing.js"
import { sampleOf } from "../framing/message-lines.js"

/** The longest line that a trace looks at, in bytes. */
const maxLineBytes = 16 * 1024

/** Hands stderr to the caller as it comes, and to the trace by lines, which redaction needs whole. */
export class StderrReader {
  readonly #listener: ((text: string) => void) | undefined
  readonly #trace: Trace
  readonly #text = new TextDecoder()
  readonly #lines: LineDecoder

  constructor(listener: ((text: string) => void) | undefined, trace: Trace) {
    this.#listener = listener
    this.#trace = trace
    this.#lines = new LineDecoder(maxLineBytes, {
      line: (line) => this.#emit(sampleOf(line)),
      oversized: () => this.#emit(`a line longer than ${maxLineBytes} bytes`),
    })
  }

  push(chunk: Uint8Array): void {
    this.#listener?.(this.#text.decode(chunk, { stream: true }))
    if (this.#trace.active) this.#lines.push(chunk)
  }

  end(): void {
    this.#lines.end()
  }

  #emit(detail: string): void {
    this.#trace.emit({ type: "process", event: "stderr", detail })
  }
}
