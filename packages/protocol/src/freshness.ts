import type { JsonObject } from "./json-rpc.js"

/** How long a modern result may be used again, and by whom. */
export interface Freshness {
  /** Milliseconds from its receipt; 0 means: ask again. */
  readonly ttlMs: number
  /**
   * Whether it may be shown to other users of the same server, or belongs to this authorization.
   */
  readonly scope: "public" | "private"
}

/**
 * Reads `ttlMs` and `cacheScope`. Neither can be wrong: what is absent, negative or no number is 0
 * milliseconds (V26-CACHE-03), and any scope but `public` is private (V26-CACHE-09).
 *
 * @example
 * readFreshness({ tools: [], ttlMs: 60_000, cacheScope: "public" }) // { ttlMs: 60000, scope:
 * "public" }
 */
export const readFreshness = (result: JsonObject): Freshness => {
  const { ttlMs, cacheScope } = result
  const whole = typeof ttlMs === "number" && ttlMs > 0 ? Math.floor(ttlMs) : 0
  return {
    // A number too large for the clock's arithmetic means "for good".
    ttlMs: Math.min(whole, Number.MAX_SAFE_INTEGER),
    scope: cacheScope === "public" ? "public" : "private",
  }
}
