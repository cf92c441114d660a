import type * as Effect from "effect/Effect"
import type { JsonRpcRequest } from "@entente/protocol"
import type { ServerAnswer, StopWork } from "../wire/server-request.js"

/** What the work on something is done within, for example a span. */
export type Within = <A, E>(work: Effect.Effect<A, E>) => Effect.Effect<A, E>

/** Answers a request of the server; see `WireOwner.asked`. */
export type Asked = (
  request: JsonRpcRequest,
  respond: (answer: ServerAnswer | undefined) => void,
  within?: Within,
) => StopWork | undefined
