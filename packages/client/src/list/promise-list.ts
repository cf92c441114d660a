import type { ItemOf } from "@entente/protocol"
import { aborted, iterate, run, type Abortable } from "../promise-run.js"
import { itemsOfPages } from "./items-of-pages.js"
import type { List, ListMethod, ListOptions as CoreListOptions } from "./list.js"
import type { Listing, ListPage, ListState } from "./listing.js"

export type ListOptions = CoreListOptions & Abortable

/** One kind of list, for callers without Effect. */
export class PromiseList<Method extends ListMethod> {
  readonly #list: List<Method>
  readonly #target: string

  constructor(list: List<Method>, target: string) {
    this.#list = list
    this.#target = target
  }

  /** The last listing that had items to show, also while a new one is read or fails. */
  get last(): Listing<ItemOf<Method>> | undefined {
    return this.#list.last
  }

  /** How the list stands. */
  get state(): ListState {
    return this.#list.state
  }

  /** Hears whenever `state` changes; the function returned stops it. */
  onState(listener: (state: ListState) => void): () => void {
    return this.#list.stateChanged.add(listener)
  }

  /**
   * The list now, then every newer version of it. While somebody reads this, what the server says of changes
   * leads to a new reading: at once, and for what comes soon after together. A slow reader gets the newest.
   * Ends with the connection, and fails when it fails.
   *
   * @example
   * for await (const { version, items } of client.tools.follow()) show(version, items)
   */
  follow({ signal }: Abortable = {}): AsyncIterable<Listing<ItemOf<Method>>> {
    return iterate(this.#list.follow(), signal, this.#target, this.#list.method)
  }

  /** Reads the whole list; rejects only where there is no connection any more. */
  list({ signal, ...options }: ListOptions = {}): Promise<Listing<ItemOf<Method>>> {
    return run(this.#list.list(options), signal, this.#target, this.#list.method)
  }

  /** Items as they arrive; leaving the loop stops the page under way. */
  all(options: ListOptions = {}): AsyncIterable<ItemOf<Method>> {
    const { signal } = options
    return itemsOfPages(this.pages(options), () => {
      if (signal?.aborted === true) throw aborted(this.#list.method, this.#target, signal)
    })
  }

  /** Pages as they arrive; leaving the loop stops the page under way. */
  pages({ signal, ...options }: ListOptions = {}): AsyncIterable<ListPage<ItemOf<Method>>> {
    return iterate(this.#list.pages(options), signal, this.#target, this.#list.method)
  }
}
