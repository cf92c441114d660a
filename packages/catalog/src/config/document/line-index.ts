import type { Position } from "./node.js"

/** Finds lines and columns for offsets; made once per text. */
export class LineIndex {
  readonly #starts: ReadonlyArray<number>

  constructor(text: string) {
    const starts = [0]
    for (const { index, 0: end } of text.matchAll(/\r\n|\r|\n/g)) starts.push(index + end.length)
    this.#starts = starts
  }

  at(offset: number): Position {
    let low = 0
    let high = this.#starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: offset - (this.#starts[low] ?? 0) + 1 }
  }
}
