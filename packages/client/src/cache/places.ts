import type { Freshness } from "@entente/protocol"
import type { Reach } from "@entente/transport"
import { fingerprint } from "../fingerprint.js"
import type { Life } from "../life/life.js"
import { askerOf, type Asker } from "./asker.js"
import type { CacheOptions } from "./cache-options.js"
import { GuardedStore } from "./guarded-store.js"
import { memoryResults } from "./memory-results.js"

/** Where results of one method are kept. */
export interface Place {
  readonly scope: Freshness["scope"]
  /** What all keys begin with. */
  readonly group: string
  /** Absent where nothing may be kept. */
  readonly store: GuardedStore | undefined
  /** Why that is not the store which was given, if one was. */
  readonly apart: string | undefined
  /** Whether whoever asked is still the one who asks: a token may be renewed while a request is under way. */
  readonly holds: () => boolean
}

/** The places of one method, for what a server calls public and for what it calls private. */
export type Places = { readonly [Scope in Freshness["scope"]]: Place }

/** Why private results are not kept in the store that was given. */
const privateApart: { readonly [Tag in Asker["_tag"]]?: string } = {
  ThisConnection: "the transport does not say whose it is: cache.authorization does",
  Unknown: "the next request may come from somebody else: cache.authorization says who asks",
}

const reaches: ReadonlyArray<Reach> = ["process", "machine", "anywhere"]

const reachesFarther = (one: Reach, other: Reach): boolean =>
  reaches.indexOf(one) > reaches.indexOf(other)

/**
 * Finds the places for results, and so decides what is shared with whom: nothing with another server
 * (V26-CACHE-15), and what is private with no other authorization (V26-CACHE-08, V26-SEC-14). Who asks is found
 * out anew each time, because tokens change (V26-AUTH-36).
 */
export class PlaceFinder {
  readonly #life: Life
  readonly #options: CacheOptions
  readonly #own: GuardedStore
  readonly #given: GuardedStore | undefined

  constructor(life: Life, options: CacheOptions) {
    this.#life = life
    this.#options = options
    this.#own = new GuardedStore(memoryResults(), life)
    this.#given = options.store && new GuardedStore(options.store, life)
  }

  /** The stores that results may be in. */
  get stores(): ReadonlyArray<GuardedStore> {
    return this.#given === undefined ? [this.#own] : [this.#own, this.#given]
  }

  get asker(): Asker {
    return askerOf(this.#options.authorization, this.#life.transport)
  }

  /** Where results of a method are kept for whoever asks now. */
  of(method: string): Places {
    const { transport, agreement, clientCapabilities: capabilities } = this.#life
    const { server } = this.#options
    const { asker } = this
    const apart = this.#apart(asker)
    const place = (scope: Freshness["scope"], whose: unknown, why: string | undefined): Place => {
      const { revision } = agreement
      const named = server === undefined ? { key: transport.key } : { named: server }
      return {
        scope,
        // The parameters of the protocol that may change a result are part of the key (V26-CACHE-06, T-15).
        group: fingerprint({ server: named, whose, revision, capabilities, method }),
        store: why === undefined ? (this.#given ?? this.#own) : this.#own,
        apart: this.#given && why,
        holds: () => true,
      }
    }
    const own = place("private", asker, apart ?? privateApart[asker._tag])
    const forAsker: Place = {
      ...own,
      store: asker._tag === "Unknown" ? undefined : own.store,
      holds: () => asker._tag !== "Recognised" || transport.credentials?.() === asker.name,
    }
    return {
      private: forAsker,
      // What layers have made of a result for one asker is for nobody else.
      public: this.#layered ? forAsker : place("public", "everybody", apart),
    }
  }

  /** Whether middleware stands around requests: what it makes of results is known to nobody here. */
  get #layered(): boolean {
    return this.#life.middleware.some(({ request }) => request !== undefined)
  }

  /** Why nothing may be kept in the store that was given. */
  #apart({ _tag: asker }: Asker): string | undefined {
    const { server, store } = this.#options
    const { reach: known = "process" } = this.#life.transport
    if (store !== undefined && server === undefined && reachesFarther(store.reach, known)) {
      return "the server has a name that others may use for another one: cache.server gives it a better one"
    }
    return this.#layered && asker !== "Stated"
      ? "middleware may have changed it for somebody: cache.authorization says for whom"
      : undefined
  }
}
