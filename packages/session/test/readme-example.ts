// The example of the README, word for word; `readme.test.ts` compares and runs it.
// #region example
import { createActor, fromPromise, toPromise } from "xstate"
import {
  negotiationMachine,
  type Answer,
  type Confirmation,
  type ConfirmInput,
  type InitializeInput,
  type NegotiationOutcome,
  type ProbeInput,
} from "../src/index.js"

/** A legacy server that has never heard of `server/discover`. */
export const negotiateWithLegacyServer = (): Promise<NegotiationOutcome> => {
  const machine = negotiationMachine.provide({
    actors: {
      probe: fromPromise<Answer, ProbeInput>(async () => ({
        _tag: "Error",
        error: { code: -32601, message: "unknown method" },
      })),
      initialize: fromPromise<Answer, InitializeInput>(async ({ input }) => ({
        _tag: "Result",
        result: { protocolVersion: input.revision, capabilities: { tools: {} } },
      })),
      confirm: fromPromise<Confirmation, ConfirmInput>(async () => ({ _tag: "Accepted" })),
    },
  })
  const actor = createActor(machine, {
    input: { dialect: "stream", target: "demo", now: Date.now },
  })
  actor.start()
  return toPromise(actor) // Agreed: legacy, 2025-11-25
}
// #endregion
