import type { Writable } from "node:stream"
import type { TransportError } from "@entente/protocol"
import type { SendOutcome } from "../transport.js"

interface Line {
  readonly text: string
  readonly settled: (outcome: SendOutcome) => void
}

/**
 * Writes lines to a pipe or a socket, one write at a time. What is sent meanwhile waits and leaves
 * together in the next write, so that a slow reader holds us back (V25-STDIO-06) and a burst costs one
 * system call. A pipe that breaks is not an error of its own: the other side is ending, and its end
 * says why.
 */
export class LineWriter {
  readonly #output: Writable
  #waiting: Array<Line> = []
  #writing: ReadonlyArray<Line> = []
  #ending = false
  #broken = false
  #cause: TransportError | undefined

  /** @param onBroken called once, when the other side no longer reads */
  constructor(output: Writable, onBroken: () => void) {
    this.#output = output
    output.on("error", () => {
      if (this.#broken) return
      this.#broken = true
      onBroken()
    })
  }

  /** Sends one line. It is settled as written, or by `fail`. */
  write(text: string, settled: (outcome: SendOutcome) => void): void {
    const line = { text, settled }
    if (this.#cause !== undefined) {
      const outcome = failed(this.#cause, false)
      return queueMicrotask(() => settled(outcome))
    }
    this.#waiting.push(line)
    // What comes after our end waits for that of the other side, to fail with it.
    if (!this.#ending) this.#flush()
  }

  /** Ends the output after what was sent before. */
  end(): void {
    this.#ending = true
    this.#flush()
  }

  /** The other side is gone: settles everything that is not known to be written, now and from now on. */
  fail(cause: TransportError): void {
    this.#cause = cause
    const [inDoubt, unsent] = [this.#writing, this.#waiting]
    this.#writing = []
    this.#waiting = []
    for (const line of inDoubt) line.settled(failed(cause, true))
    for (const line of unsent) line.settled(failed(cause, false))
  }

  #flush(): void {
    if (this.#broken || this.#writing.length > 0) return
    if (this.#waiting.length === 0) {
      if (this.#ending) this.#output.end()
      return
    }
    const lines = this.#waiting
    this.#waiting = []
    this.#writing = lines
    this.#output.write(lines.map((line) => line.text).join(""), (error) => {
      // After an error the lines stay in doubt until the other side's end is known. Node reports none for
      // a write that was cut short because the output was destroyed.
      if (error || this.#output.destroyed || this.#writing !== lines) return
      this.#writing = []
      for (const line of lines) line.settled({ _tag: "Written" })
      this.#flush()
    })
  }
}

const failed = (error: TransportError, mayHaveArrived: boolean): SendOutcome => ({
  _tag: "Failed",
  error,
  mayHaveArrived,
})
