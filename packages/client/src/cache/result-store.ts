import type { Freshness } from "@entente/protocol"
import type { Reach } from "@entente/transport"
import type { Answering } from "../question/handlers.js"

/** A result of a server, as a store is given it. */
export interface StoredResult {
  /** JSON text. It is checked when it comes back, so a store need not look into it. */
  readonly text: string
  /** Milliseconds from now on after which it is of no use to anybody; at most 30 days. */
  readonly ttlMs: number
  /** What the server said of it; a store may refuse to keep what is private. */
  readonly scope: Freshness["scope"]
}

/**
 * Keeps results of modern servers between requests, clients, processes or machines. Each method gives a
 * value, a promise or an effect. One that fails, or takes longer than a second, costs a note
 * (`result-store-failed`) and nothing else: the server is asked. One that took too long is left alone for half
 * a minute.
 *
 * A key is two fingerprints with a dot between them, of hexadecimal digits and 129 characters long: nothing of
 * a server, a person or a credential can be read from it. The text is what the server sent.
 *
 * @example
 * const inBrowser: ResultStore = {
 *   reach: "machine",
 *   get: (key) => localStorage.getItem(key),
 *   set: (key, { text }) => localStorage.setItem(key, text),
 *   delete: (prefix) => {
 *     const keys = Object.keys(localStorage).filter((key) => key.startsWith(prefix))
 *     for (const key of keys) localStorage.removeItem(key)
 *   },
 * }
 */
export interface ResultStore {
  /**
   * Who can read what is kept here. A server that is known by a name of smaller reach, such as `localhost` in a
   * store for several machines, is not kept here unless `cache.server` names it.
   */
  readonly reach: Reach
  /** What was set last under a key; nothing where there is nothing. */
  readonly get: (key: string) => Answering<string | null | undefined>
  readonly set: (key: string, result: StoredResult) => Answering<unknown>
  /** Forgets everything whose key begins so: one key, or all with the same first half up to its dot. */
  readonly delete: (prefix: string) => Answering<unknown>
}
