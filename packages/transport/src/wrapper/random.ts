/** Numbers from 0 up to, but not including, 1. */
export type Random = () => number

/** One step of mulberry32 (Tommy Ettinger, public domain): 32 bits of state, good enough to choose faults. */
const mixed = (state: number): number => {
  let bits = Math.imul(state ^ (state >>> 15), state | 1)
  bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
  return (bits ^ (bits >>> 14)) >>> 0
}

const increment = 0x6d2b79f5

/** The generator mulberry32: the same seed gives the same numbers, on every machine. */
export const mulberry32 = (seed: number): Random => {
  let state = seed | 0
  return () => {
    state = (state + increment) | 0
    return mixed(state) / 2 ** 32
  }
}

/**
 * A generator for one place, such as the third message of the second exchange: what is drawn there does
 * not depend on what happened elsewhere, or in which order.
 *
 * @example
 * randomAt(42, 2, 3)()
 */
export const randomAt = (seed: number, ...place: ReadonlyArray<number>): Random => {
  let state = seed | 0
  for (const part of place) state = mixed((state + increment) ^ Math.imul(part + 1, 0x9e3779b1))
  return mulberry32(state)
}
