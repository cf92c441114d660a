import { InvalidInput, explain } from "@entente/protocol"
import type { ResultStore } from "./result-store.js"

/** Where the results of a modern server are kept, and for whom. */
export interface CacheOptions {
  /** Where results are kept; by default in memory that this client has for itself. */
  readonly store?: ResultStore
  /**
   * Which server this is, in words of the host: clients with the same words share what is kept. By default
   * the whole address or command line. What a server calls itself plays no part in it (V26-META-08).
   */
  readonly server?: string
  /**
   * Whose results these are: names the principal and the scopes. Whoever gives the same text states that both
   * are the same, also under another token. A function is asked at every request. By default a fingerprint of
   * the credentials that the transport was given; where a function supplies those, nothing that is private
   * is kept (V26-CACHE-08).
   *
   * @example
   * { authorization: "user-17 files:read" }
   */
  readonly authorization?: string | (() => string | undefined)
}

/** What is wrong with the option `cache`, as the error to end with. */
export const cacheFault = (
  options: false | CacheOptions | undefined,
  target: string,
): InvalidInput | undefined => {
  if (options === undefined || options === false) return undefined
  // An empty text is a name that was not known yet, and would be the same for everybody.
  const empty = (["server", "authorization"] as const).find((name) => options[name] === "")
  if (empty === undefined) return undefined
  const what = `cache.${empty} is an empty text, which names nobody.`
  return new InvalidInput(explain("invalid-input", "input", target, what))
}
