import * as Effect from "effect/Effect"
import type { JsonObject } from "@entente/protocol"
import type { Reply } from "../wire/reply.js"
import type { RequestOptions, Wire } from "../wire/wire.js"

/** Sends a request outside of calls; every reply is a success here, for its asker to judge. */
export const ask = (
  wire: Wire,
  method: string,
  params: JsonObject | undefined,
  options: RequestOptions,
  sent: (id: number) => void = () => {},
): Effect.Effect<Reply> =>
  Effect.callback((resume) => {
    const handle = wire.request(method, params, options, (reply) => resume(Effect.succeed(reply)))
    sent(handle.id)
    return Effect.sync(() => handle.abort())
  })
