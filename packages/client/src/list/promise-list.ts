import type { ItemOf } from "@entente/protocol"
import { aborted, iterate, run, type Abortable } from "../promise-run.js"
import { itemsOfPages } from "./items-of-pages.js"
import type { List, ListMethod, ListOptions as CoreListOptions, ListPage, Listing } from "./list.js"

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
