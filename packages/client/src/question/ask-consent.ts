import * as Effect from "effect/Effect"
import type { JsonRpcErrorObject } from "@entente/protocol"
import type { Life } from "../life/life.js"
import { consentTo } from "./required-pages.js"

/**
 * Asks for the consent that an error demands before its request may be made again, and says whether it
 * was given (V25-ELI-13). The function returned stops asking; there is none where nothing is to be asked.
 */
export const askConsent = (
  { agreement, questions, notes, rounds, fork }: Life,
  error: JsonRpcErrorObject,
  told: (given: boolean) => void,
): (() => void) | undefined => {
  if (agreement.era === "modern") return undefined
  const consent = consentTo(error, agreement.revision, questions, notes.policy)
  if (consent === undefined) return undefined
  // A dialog that stays open is bounded here as it is in the middle of a modern request.
  const bounded = Effect.timeoutOrElse(consent, {
    duration: rounds.deadlineMs,
    orElse: () => Effect.succeed(false),
  })
  const asked = Effect.onInterrupt(bounded, () => Effect.sync(() => told(false)))
  const fiber = fork(Effect.map(asked, told))
  return () => fiber.interruptUnsafe()
}
