import * as Effect from "effect/Effect"
import type { Life } from "../life/life.js"
import type { CacheOptions } from "./cache-options.js"
import { patienceMs } from "./guarded-store.js"
import { KeptResults } from "./kept-results.js"
import { PlaceFinder } from "./places.js"

/** The results that one connection keeps, by method. */
export class ResultCache {
  readonly #life: Life
  readonly #finder: PlaceFinder | undefined
  readonly #byMethod = new Map<string, KeptResults>()

  constructor(life: Life, options: false | CacheOptions = {}) {
    this.#life = life
    this.#finder = options === false ? undefined : new PlaceFinder(life, options)
  }

  of(method: string): KeptResults {
    let results = this.#byMethod.get(method)
    if (results === undefined) {
      results = new KeptResults(method, this.#life, this.#finder)
      this.#byMethod.set(method, results)
    }
    return results
  }

  /** Waits until what was to be kept is, so that a program may end; not longer than a store may take. */
  get settled(): Effect.Effect<void> {
    const { stores = [] } = this.#finder ?? {}
    const written = Effect.forEach(stores, ({ settled }) => settled, { concurrency: "unbounded" })
    return Effect.asVoid(Effect.timeoutOption(written, patienceMs))
  }
}
