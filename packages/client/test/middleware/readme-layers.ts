import * as Effect from "effect/Effect"
import type { Middleware } from "@entente/client"
import type { JsonObject } from "@entente/protocol"

/** Reads each resource once. */
export const remembers = (): Middleware => {
  const known = new Map<string, JsonObject>()
  return {
    request: async ({ method, params }, next) => {
      if (method !== "resources/read") return next()
      const key = JSON.stringify(params)
      const result = known.get(key) ?? (await next())
      known.set(key, result)
      return result
    },
  }
}

/** Tries everything again, twice, whatever went wrong. */
export const insists: Middleware = {
  request: (_request, next) => Effect.retry(next.effect(), { times: 2 }),
}
