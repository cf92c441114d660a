import type { Listing } from "./listing.js"
import { isReordering, type KeyOf } from "./list-difference.js"
import { sameJson } from "./same-json.js"

/** What a reading made of the list that is kept. */
export interface Adopted<Item> {
  readonly listing: Listing<Item>
  /** Whether it brought anything that was not there: another order alone is no news. */
  readonly news: boolean
}

/**
 * The last good listing of one list: what everybody is shown (C125). Its version moves with its content.
 * Walks are counted as they begin, so that one that began before another and ends after it does not bring
 * the older content back.
 */
export class KeptList<Item> {
  #listing: Listing<Item> | undefined
  #walks = 0
  /** The walk that what is kept came from. */
  #source = 0
  readonly #keyOf: KeyOf<Item>

  constructor(keyOf: KeyOf<Item>) {
    this.#keyOf = keyOf
  }

  get listing(): Listing<Item> | undefined {
    return this.#listing
  }

  get version(): number {
    return this.#listing?.version ?? 0
  }

  /** A walk begins; its number, for `adopt`. */
  begin(): number {
    return ++this.#walks
  }

  /** Keeps what a walk has read, unless something newer is kept already. */
  adopt(read: Listing<Item>, walk: number): Adopted<Item> {
    const before = this.#listing
    if (before !== undefined && walk < this.#source) return { listing: before, news: false }
    this.#source = walk
    if (before === undefined) return this.#keep({ ...read, version: 1 }, true)
    const changed = !sameJson(before.items, read.items)
    const news = changed && !isReordering(before.items, read.items, this.#keyOf)
    return this.#keep({ ...read, version: before.version + (changed ? 1 : 0), changed }, news)
  }

  /** There is no such list any more: what was read is gone. */
  withdraw(withdrawn: Listing<Item>): void {
    const before = this.#listing
    if (before === undefined || before.status === "unsupported") return
    this.#listing = { ...withdrawn, version: before.version + 1, changed: true }
  }

  #keep(listing: Listing<Item>, news: boolean): Adopted<Item> {
    this.#listing = listing
    return { listing, news }
  }
}
