import type { Transport } from "@entente/transport"
import type { CacheOptions } from "./cache-options.js"

/** Who asks: as the host states or the transport shows, this connection alone, or whoever it may be next. */
export type Asker =
  | { readonly _tag: "Stated"; readonly name: string }
  | { readonly _tag: "Recognised"; readonly name: string }
  | { readonly _tag: "ThisConnection" }
  | { readonly _tag: "Unknown" }

/** Who asks now (T-16: a different token is somebody else, unless the host states otherwise). */
export const askerOf = (
  authorization: CacheOptions["authorization"],
  { credentials }: Pick<Transport, "credentials">,
): Asker => {
  try {
    if (authorization !== undefined) {
      return named("Stated", typeof authorization === "function" ? authorization() : authorization)
    }
    return credentials === undefined
      ? { _tag: "ThisConnection" }
      : named("Recognised", credentials())
  } catch {
    // A function of the host that fails has not said who asks.
    return { _tag: "Unknown" }
  }
}

const named = (_tag: "Stated" | "Recognised", name: string | undefined): Asker =>
  // An empty text would be the same for everybody.
  name === undefined || name === "" ? { _tag: "Unknown" } : { _tag, name }
