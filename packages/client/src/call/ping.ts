import * as Effect from "effect/Effect"
import { rpcCode, type EntenteError } from "@entente/protocol"
import type { CallOptions } from "./call-options.js"
import type { Connection } from "./connection.js"

/**
 * Asks the server whether it is there. The modern era has no `ping` (V26-ENV-12), so there it is
 * `server/discover`, which every modern server answers and which changes nothing. A server that does not know
 * the method has answered all the same (V25-PING-04).
 */
export const ping = (
  connection: Connection,
  options: CallOptions,
): Effect.Effect<void, EntenteError> =>
  Effect.suspend(() => {
    const method = connection.life.agreement.era === "modern" ? "server/discover" : "ping"
    return Effect.matchEffect(connection.request(method, undefined, options), {
      onSuccess: () => Effect.void,
      onFailure: (error) => {
        const unknown = error._tag === "PeerError" && error.rpcCode === rpcCode.methodNotFound
        if (!unknown) return Effect.fail(error)
        connection.notes.add({ code: "ping-unsupported", detail: error.message })
        return Effect.void
      },
    })
  })
