import type { EntenteError } from "@entente/protocol"
import type { Life, LifeState } from "./life.js"

/**
 * Hears once that a connection is over: with nothing where it was closed, else with the error it failed
 * with. At once where it is over already. The function returned stops it.
 */
export const whenOver = (
  life: Life,
  over: (failure: EntenteError | undefined) => void,
): (() => void) => {
  const hear = (state: LifeState): void => {
    if (state === "closed") over(undefined)
    else if (state === "failed") life.whenReady(over)
  }
  hear(life.state)
  return life.stateChanged.add(hear)
}
