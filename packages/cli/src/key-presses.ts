import type { Readable } from "node:stream"

/** What a person at the keyboard wants. */
export type KeyPress = "next" | "quit" | "interrupted"

/** Enter and the space bar go on; q, Ctrl-D and Ctrl-C do not. Anything else is no answer. */
const keys: Readonly<Record<string, KeyPress>> = {
  "\r": "next",
  "\n": "next",
  " ": "next",
  q: "quit",
  Q: "quit",
  "\u0004": "quit",
  "\u0003": "interrupted",
}

/** Whether a person sits at the other end. */
export const isTerminal = (input: Readable): boolean => "isTTY" in input && input.isTTY === true

const setRaw = (input: Readable, on: boolean): void => {
  if ("setRawMode" in input && typeof input.setRawMode === "function") input.setRawMode(on)
}

/** Keys as they are pressed, one at a time; `close` leaves the terminal as it was. */
export class KeyPresses {
  readonly #input: Readable
  readonly #signal: AbortSignal
  readonly #pressed: Array<KeyPress> = []
  #waiting: ((key: KeyPress) => void) | undefined

  constructor(input: Readable, signal: AbortSignal) {
    this.#input = input
    this.#signal = signal
    setRaw(input, true)
    input.on("data", this.#heard)
    input.once("end", this.#ended)
    signal.addEventListener("abort", this.#aborted)
  }

  /** The next key that says something. */
  next(): Promise<KeyPress> {
    if (this.#signal.aborted) return Promise.resolve("interrupted")
    const key = this.#pressed.shift()
    if (key !== undefined) return Promise.resolve(key)
    return new Promise((resolve) => (this.#waiting = resolve))
  }

  /** Listens no more. */
  close(): void {
    this.#input.off("data", this.#heard)
    this.#input.off("end", this.#ended)
    this.#signal.removeEventListener("abort", this.#aborted)
    setRaw(this.#input, false)
    this.#input.pause()
  }

  readonly #heard = (chunk: Uint8Array | string): void => {
    for (const character of String(chunk)) {
      if (Object.hasOwn(keys, character)) this.#take(keys[character])
    }
  }

  readonly #ended = (): void => this.#take("quit")
  readonly #aborted = (): void => this.#take("interrupted")

  #take(key: KeyPress | undefined): void {
    if (key === undefined) return
    const waiting = this.#waiting
    this.#waiting = undefined
    if (waiting === undefined) this.#pressed.push(key)
    else waiting(key)
  }
}
