import * as Context from "effect/Context"

/** Why what layers stand around is stopped, in the words of whoever stopped it. */
export interface Stop {
  reason: string | undefined
}

/**
 * The words that interruption has no room for: whoever interrupts an exchange leaves them here, and what is
 * behind all layers finds them.
 */
export const CurrentStop = Context.Reference<Readonly<Stop>>("@entente/client/Stop", {
  defaultValue: () => ({ reason: undefined }),
})
