import * as Effect from "effect/Effect"
import type { Act } from "../case.js"
import type { Experiment } from "./experiment.js"
import { begin, readTools } from "./interview.js"

const gotTools = ({ walk }: Act): boolean =>
  walk?.pages.some(({ reading }) => reading?.ok === true) === true

/** What a client does is told by itself; a server that refuses its era may speak the other one. */
export const otherEra: Experiment = {
  name: "other-era",
  doing: "trying the other era",
  isUseful: ({ given: { main } }) =>
    main.conversation.frames.length > 0 &&
    !gotTools(main) &&
    (main.era === undefined || main.walk !== undefined),
  run: ({ given: { main }, visit }) =>
    Effect.gen(function* () {
      const here = yield* visit()
      const tried = main.era ?? (main.opening.initializes.length > 0 ? "legacy" : "modern")
      const heard = yield* begin(here, tried === "legacy" ? "modern" : "legacy")
      // A modern server need not be asked who it is before it is asked for tools (V26-DISC-01).
      if (tried === "legacy" || heard._tag === "Result") yield* readTools(here)
    }),
}
