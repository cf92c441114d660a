import * as Effect from "effect/Effect"
import type { Experiment } from "./experiment.js"
import { begin, readTools } from "./interview.js"

/**
 * The list once more without the credentials that were given: a server that refuses it knows them, and one
 * that shows less decides by them (C113).
 */
export const anonymous: Experiment = {
  name: "anonymous",
  doing: "reading the list without the credentials",
  isUseful: ({ given: { main }, hasCredentials }) =>
    hasCredentials && main.walk?.pages.some(({ reading }) => reading?.ok === true) === true,
  run: ({ given: { main }, visit }) =>
    Effect.gen(function* () {
      const here = yield* visit({ credentials: false })
      const heard = yield* begin(here, main.era ?? "legacy")
      if (heard._tag === "Result") yield* readTools(here)
    }),
}
