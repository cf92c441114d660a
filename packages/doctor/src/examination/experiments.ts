import * as Effect from "effect/Effect"
import { isLegacyRevision } from "@entente/protocol"
import { toolsCapability } from "../conversation/opening.js"
import type { Act } from "../case.js"
import { browser } from "./browser.js"
import { anonymous } from "./anonymous.js"
import type { Experiment } from "./experiment.js"
import { begin, beginLegacy, readTools } from "./interview.js"
import { otherParams } from "./other-params.js"
import { patiently } from "./patiently.js"
import { otherEra } from "./other-era.js"
import { secondConnection } from "./second-connection.js"
import { unknownVersion } from "./unknown-version.js"

const declaresTools = ({ opening }: Act): boolean => toolsCapability(opening.agreed) !== undefined

const wasAnswered = ({ opening: { initializes, probes } }: Act): boolean =>
  [...initializes, ...probes].some(({ reply }) => reply?.kind === "result")

/** A version that no client knows ends the connection before anything is asked (V25-LIFE-05). */
const isUnknownVersion = ({ opening: { agreed } }: Act): boolean =>
  agreed?.era === "legacy" && !isLegacyRevision(agreed.revision)

/** What is tried out, in this order. */
export const experiments: ReadonlyArray<Experiment> = [
  {
    name: "tools-anyway",
    doing: "asking for tools although none are declared",
    isUseful: ({ given: { main } }) =>
      wasAnswered(main) &&
      main.walk === undefined &&
      (!declaresTools(main) || isUnknownVersion(main)),
    run: ({ given: { main }, visit }) =>
      Effect.gen(function* () {
        const here = yield* visit()
        const heard = yield* begin(here, main.era ?? "legacy")
        if (heard._tag === "Result") yield* readTools(here)
      }),
  },
  {
    name: "again",
    doing: "reading the empty list once more, a while later",
    isUseful: ({ given: { main } }) => main.walk?.complete === true && main.walk.raw === 0,
    run: ({ given: { main }, visit, waitMs }) =>
      Effect.gen(function* () {
        const here = yield* visit()
        if (main.era === "modern") yield* begin(here, "modern")
        else yield* beginLegacy(here, main.revision)
        const first = yield* readTools(here)
        const tools = first._tag === "Result" ? first.result["tools"] : undefined
        if (Array.isArray(tools) && tools.length > 0) return
        yield* Effect.sleep(waitMs)
        yield* readTools(here)
      }),
  },
  otherParams,
  patiently,
  otherEra,
  unknownVersion,
  secondConnection,
  browser,
  anonymous,
]
