/** A digest of a text, for sets that must not keep the text: two 32-bit FNV-1a lanes and the length. */
const digest = (text: string): string => {
  let low = 0x811c9dc5
  let high = 0x01000193
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    low = Math.imul(low ^ unit, 0x01000193)
    high = Math.imul(high ^ unit, 0x5bd1e995) ^ (high >>> 15)
  }
  return `${text.length}:${low >>> 0}:${high >>> 0}`
}

const longestKept = 256

/** Long cursors are remembered by digest, so that a hostile server cannot fill the memory with them. */
const cursorKey = (cursor: string): string =>
  cursor.length > longestKept ? `#${digest(cursor)}` : cursor

/** The JSON text of a value, or `undefined` where it has none (functions, cycles, big integers). */
export const jsonText = (value: unknown): string | undefined => {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

/** What became of the items of a page. */
export interface Admitted<Item> {
  /** New in this generation, in order. */
  readonly fresh: ReadonlyArray<Item>
  /** Those of them that no earlier generation has delivered. */
  readonly undelivered: ReadonlyArray<Item>
  /** Identities that this generation had already, in order. */
  readonly repeated: ReadonlyArray<string>
  /** Whether there was an item more than there was room for. */
  readonly overflow: boolean
}

/**
 * What one generation of a walk has seen. It answers the two questions that guard a walk: does a page
 * bring anything new, and was a cursor used before?
 */
export class Progress<Item> {
  readonly #identify: ((item: Item) => string) | undefined
  readonly #delivered: ReadonlySet<string>
  readonly #seen = new Set<string>()
  readonly #cursors = new Set<string>()

  /** `delivered` holds the identities that the consumer has from earlier generations. */
  constructor(
    identify: ((item: Item) => string) | undefined,
    delivered: ReadonlySet<string> = new Set(),
  ) {
    this.#identify = identify
    this.#delivered = delivered
  }

  /** Remembers that a page was asked for with this cursor. */
  use(cursor: string): void {
    this.#cursors.add(cursorKey(cursor))
  }

  used(cursor: string): boolean {
    return this.#cursors.has(cursorKey(cursor))
  }

  /** Sorts the items of a page, up to `room` fresh ones. Without identities all of them are fresh. */
  admit(items: ReadonlyArray<Item>, room: number): Admitted<Item> {
    const identify = this.#identify
    if (identify === undefined) {
      const overflow = items.length > room
      const fresh = overflow ? items.slice(0, room) : items
      return { fresh, undelivered: fresh, repeated: [], overflow }
    }
    const fresh: Array<Item> = []
    const undelivered: Array<Item> = this.#delivered.size === 0 ? fresh : []
    const repeated: Array<string> = []
    for (const item of items) {
      const identity = identify(item)
      const known = this.#seen.size
      this.#seen.add(identity)
      if (this.#seen.size === known) {
        repeated.push(identity)
        continue
      }
      if (fresh.length === room) return { fresh, undelivered, repeated, overflow: true }
      fresh.push(item)
      if (undelivered !== fresh && !this.#delivered.has(identity)) undelivered.push(item)
    }
    return { fresh, undelivered, repeated, overflow: false }
  }

  /**
   * Whether a page that was just admitted brings anything new. Without identities a page is judged by
   * its JSON text as a whole; a page that has no such text always counts as new, and the page limit
   * ends the walk.
   */
  advances(items: ReadonlyArray<Item>, admitted: Admitted<Item>): boolean {
    if (this.#identify !== undefined || items.length === 0) return admitted.fresh.length > 0
    const text = jsonText(items)
    if (text === undefined) return true
    const known = this.#seen.size
    this.#seen.add(digest(text))
    return this.#seen.size > known
  }

  /** The identities of this generation and of those before it. */
  delivered(): ReadonlySet<string> {
    return new Set([...this.#delivered, ...this.#seen])
  }
}
