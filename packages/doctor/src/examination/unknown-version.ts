import * as Effect from "effect/Effect"
import type { Experiment } from "./experiment.js"
import { fictionalRevision } from "./fictional-revision.js"
import { beginLegacy } from "./interview.js"

/** Whether a server agrees to whatever it is asked for: an honest one names a revision of its own. */
export const unknownVersion: Experiment = {
  name: "unknown-version",
  doing: "asking for a version that nobody knows",
  // A process is started anew for it only where something is to be explained.
  isUseful: ({ given: { main } }) =>
    main.opening.agreed?.era === "legacy" &&
    (main.conversation.http === true || main.walk?.complete !== true),
  run: ({ visit }) =>
    Effect.gen(function* () {
      const here = yield* visit()
      yield* beginLegacy(here, fictionalRevision)
    }),
}
