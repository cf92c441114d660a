import type { TraceEvent } from "./event.js"
import type { TraceReader } from "./trace.js"

/** How much a ring keeps. */
export interface RingLimits {
  /** Default 1,000. */
  readonly maxEvents?: number
  /** An approximation of the memory that events take; default 4 MiB. */
  readonly maxBytes?: number
}

/** Deeper and wider than this the size of an event is no longer counted. */
const deepest = 64
const mostValues = 100_000

/** Roughly what a value takes in memory: two bytes a character, and a few words per value. */
const approximateBytes = (event: TraceEvent): number => {
  let bytes = 0
  let left = mostValues
  const count = (value: unknown, depth: number): void => {
    bytes += 16
    if (typeof value === "string") bytes += 2 * value.length
    if (typeof value !== "object" || value === null || depth > deepest || left-- <= 0) return
    if (Array.isArray(value)) for (const item of value) count(item, depth + 1)
    else
      for (const [name, item] of Object.entries(value)) {
        bytes += 2 * name.length
        count(item, depth + 1)
      }
  }
  count(event, 0)
  return bytes
}

/**
 * Keeps the last events of a trace in bounded memory, and counts what it let go.
 *
 * @example
 * const ring = new Ring({ maxEvents: 200 })
 * trace.subscribe(ring.read)
 */
export class Ring {
  readonly #maxEvents: number
  readonly #maxBytes: number
  #kept: Array<{ readonly event: TraceEvent; readonly bytes: number }> = []
  /** Where the oldest kept event is; what stands before it is gone, and is cut off now and then. */
  #first = 0
  #bytes = 0
  #dropped = 0

  /** @throws RangeError where a limit is no positive number. */
  constructor({ maxEvents = 1_000, maxBytes = 4 * 1024 * 1024 }: RingLimits = {}) {
    if (!(maxEvents > 0 && maxBytes > 0)) {
      throw new RangeError(`a ring needs limits above zero, not ${maxEvents} and ${maxBytes}`)
    }
    this.#maxEvents = maxEvents
    this.#maxBytes = maxBytes
  }

  /** The reader to subscribe with. An event larger than the whole ring is dropped itself. */
  readonly read: TraceReader = (event) => {
    const bytes = approximateBytes(event)
    this.#kept.push({ event, bytes })
    this.#bytes += bytes
    while (this.#kept.length - this.#first > this.#maxEvents || this.#bytes > this.#maxBytes) {
      this.#bytes -= this.#kept[this.#first]?.bytes ?? 0
      this.#first++
      this.#dropped++
    }
    if (this.#first > this.#kept.length / 2) {
      this.#kept = this.#kept.slice(this.#first)
      this.#first = 0
    }
  }

  /** What is kept, oldest first. */
  get events(): ReadonlyArray<TraceEvent> {
    return this.#kept.slice(this.#first).map(({ event }) => event)
  }

  /** How many events were let go. */
  get dropped(): number {
    return this.#dropped
  }
}
