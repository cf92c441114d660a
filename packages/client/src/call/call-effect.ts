import * as Effect from "effect/Effect"
import type { EntenteError, JsonObject } from "@entente/protocol"
import type { CallOutcome, Cancel } from "./call.js"

/** A call as an effect; interrupting it cancels the call at once. */
export const callEffect = (
  start: (done: (outcome: CallOutcome) => void) => Cancel,
): Effect.Effect<JsonObject, EntenteError> =>
  Effect.callback((resume) =>
    Effect.sync(
      start((outcome) =>
        resume(outcome.ok ? Effect.succeed(outcome.result) : Effect.fail(outcome.error)),
      ),
    ),
  )
