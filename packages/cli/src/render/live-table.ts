import type { Output } from "../io.js"

/**
 * Lines at the end of a terminal that are written over while they change; what is said meanwhile goes above
 * them and stays. Without a terminal only what is said is written.
 */
export class LiveTable {
  readonly #output: Output
  #height = 0

  constructor(output: Output) {
    this.#output = output
  }

  /** Whether the lines are shown at all. */
  get isLive(): boolean {
    return this.#output.isTTY === true
  }

  /** Writes lines that stay, and the table anew below them. */
  show(said: ReadonlyArray<string>, rows: ReadonlyArray<string>): void {
    const shown = this.isLive ? this.#fitting(rows) : []
    const lines = [...said, ...shown]
    if (lines.length === 0) return
    this.#output.write(`${this.#back}${lines.map((line) => `${line}\n`).join("")}`)
    this.#height = shown.length
  }

  /** The cursor cannot go back to a line that has left the screen. */
  #fitting(rows: ReadonlyArray<string>): ReadonlyArray<string> {
    const room = Math.max(2, (this.#output.rows ?? 24) - 1)
    if (rows.length <= room) return rows
    const shown = rows.slice(0, room - 1)
    return [...shown, `… and ${rows.length - shown.length} more`]
  }

  /** To the first line of the table, with all of it wiped away. */
  get #back(): string {
    return this.#height === 0 ? "" : `\u001b[${this.#height}A\u001b[0J`
  }
}
