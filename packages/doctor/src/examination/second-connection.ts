import * as Effect from "effect/Effect"
import { sessionsOf } from "../conversation/session-life.js"
import type { Experiment } from "./experiment.js"
import { beginLegacy } from "./interview.js"

/** Enough for two or three replicas that take turns to show. */
const connections = 4

/** One session, asked from connections that did not open it (C101). */
export const secondConnection: Experiment = {
  name: "second-connection",
  doing: "using one session from other connections",
  isUseful: ({ given: { main } }) =>
    sessionsOf(main).some(({ assigned }) => assigned === true) &&
    main.conversation.errors.every(({ message }) => !message.includes("a session id that is not")),
  run: ({ given: { main }, visit }) =>
    Effect.gen(function* () {
      const here = yield* visit()
      yield* beginLegacy(here, main.revision)
      if (!here.holdsSession) return
      // What failed in a session is asked again; a server may refuse a method, and know the session.
      const lost = sessionsOf(main).find(({ loss }) => loss?.saying.method === "tools/list")
      for (let count = 0; count < connections; count++) {
        yield* Effect.scoped(
          Effect.gen(function* () {
            const there = yield* visit()
            there.dress = here.dress
            yield* there.ask(lost === undefined ? "ping" : "tools/list")
          }),
        )
      }
    }),
}
