import * as Effect from "effect/Effect"
import { sessionsOf } from "../conversation/session-life.js"
import type { Experiment } from "./experiment.js"
import { beginLegacy } from "./interview.js"

/** Whether a page on another origin could read what the handshake gives out (C023). */
export const browser: Experiment = {
  name: "browser",
  doing: "connecting as a page in a browser would",
  isUseful: ({ given: { main, context } }) =>
    main.conversation.http === true &&
    main.era === "legacy" &&
    (context.browser === true ||
      sessionsOf(main).some(
        ({ agreed }) => agreed.call.headers?.["access-control-allow-origin"] !== undefined,
      )),
  run: ({ given: { main }, visit, origin }) =>
    Effect.gen(function* () {
      const here = yield* visit()
      here.extraHeaders = { origin }
      yield* beginLegacy(here, main.revision)
    }),
}
