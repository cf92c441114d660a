/**
 * Bytes that arrive in pieces and are wanted whole. One piece is kept as it is; from the second on
 * they are copied into a buffer that doubles, so n bytes cost O(n) however they were cut, and a
 * million tiny pieces hold no more memory than their bytes.
 */
export class GrowingBytes {
  #bytes: Uint8Array<ArrayBufferLike> = empty
  #length = 0

  get length(): number {
    return this.#length
  }

  /** Adds a piece. The first one is kept by reference, so the caller must not write to it again. */
  append(piece: Uint8Array): void {
    if (piece.length === 0) return
    if (this.#length === 0) {
      this.#bytes = piece
      this.#length = piece.length
      return
    }
    const needed = this.#length + piece.length
    // A piece kept by reference is exactly full, so it is copied here and never written to.
    if (needed > this.#bytes.length) this.#grow(needed)
    this.#bytes.set(piece, this.#length)
    this.#length = needed
  }

  /** The first bytes; they may change with the next piece. */
  head(most: number): Uint8Array {
    return this.#bytes.subarray(0, Math.min(most, this.#length))
  }

  /** Everything so far; afterwards this is empty again. */
  take(): Uint8Array {
    const full = this.#length === this.#bytes.length
    const whole = full ? this.#bytes : this.#bytes.subarray(0, this.#length)
    this.#bytes = empty
    this.#length = 0
    return whole
  }

  #grow(needed: number): void {
    const larger = new Uint8Array(Math.max(needed * 2, smallest))
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }
}

const empty = new Uint8Array(0)
const smallest = 1024
