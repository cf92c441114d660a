import * as Effect from "effect/Effect"
import type { HttpEngine } from "@entente/transport"
import type { HttpEngineOptions } from "../src/streamable-http/http-engine.js"
import { openHttpEngine } from "../src/streamable-http/undici-engine.js"
import { currentTimers } from "../src/timers.js"

/** The engine that Node takes by itself, on the platform's clock, with what a test wants of it. */
export const nodeEngine = (
  options: Partial<HttpEngineOptions> = {},
): HttpEngine & AsyncDisposable => {
  const timers = Effect.runSync(Effect.scoped(currentTimers))
  const engine = openHttpEngine({ timers, connectTimeout: 10_000, proxy: false, ...options })
  return { ...engine, [Symbol.asyncDispose]: engine.close }
}
