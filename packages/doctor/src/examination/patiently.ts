import * as Effect from "effect/Effect"
import type { Act } from "../case.js"
import type { Experiment } from "./experiment.js"
import { begin, beginLegacy } from "./interview.js"

/** How many times the usual patience is had. */
const factor = 2

/** The first page was asked for, nothing came of it, and nothing ended meanwhile. */
const wasSilent = ({ walk, era, conversation }: Act): boolean => {
  const { channels, strays, notes } = conversation
  const call = walk?.pages[0]?.call
  return (
    era !== undefined &&
    call !== undefined &&
    call.reply === undefined &&
    call.ended?.tag !== "Ended" &&
    call.ended?.tag !== "Failed" &&
    strays.length === 0 &&
    !notes.some(({ code }) => code === "truncated-line") &&
    !channels.some(({ event }) => event === "closed")
  )
}

/** `tools/list` once more with more time: is the server slow, or does it never answer? */
export const patiently: Experiment = {
  name: "patiently",
  doing: "asking for tools once more, with more time",
  isUseful: ({ given: { main } }) => wasSilent(main),
  run: ({ given: { main }, visit, timeoutMs }) =>
    Effect.gen(function* () {
      const here = yield* visit()
      if (main.era === "modern") yield* begin(here, "modern")
      else yield* beginLegacy(here, main.revision)
      yield* here.ask("tools/list", undefined, factor * timeoutMs)
    }),
}
