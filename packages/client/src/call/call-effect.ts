import * as Effect from "effect/Effect"
import type { EntenteError, JsonObject } from "@entente/protocol"
import type { CallOutcome, Cancel } from "./call.js"

/** A call as an effect; interrupting it cancels the call at once, for a reason if there is one. */
export const callEffect = (
  start: (done: (outcome: CallOutcome) => void) => Cancel,
  reason: () => string | undefined = () => undefined,
): Effect.Effect<JsonObject, EntenteError> =>
  Effect.callback((resume) => {
    const cancel = start((outcome) =>
      resume(outcome.ok ? Effect.succeed(outcome.result) : Effect.fail(outcome.error)),
    )
    return Effect.sync(() => cancel(reason()))
  })
