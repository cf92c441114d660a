import * as Effect from "effect/Effect"
import type { Transport } from "@entente/transport"

/** The same transport, which tells of every channel that it opens. */
export const watchedTransport = (transport: Transport, opened: () => void): Transport => {
  const { kind, target, key, open, fallback } = transport
  return {
    kind,
    target,
    key,
    open: Effect.tap(open, () => Effect.sync(opened)),
    ...(fallback === undefined ? {} : { fallback: watchedTransport(fallback, opened) }),
  }
}
