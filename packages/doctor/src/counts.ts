import type { Tool } from "@entente/protocol"
import { experiment, type Act, type Case, type ExperimentName } from "./case.js"
import type { DiagnosisContext } from "./context.js"
import type { ToolWalk } from "./conversation/tool-walk.js"
import type { Counts } from "./diagnosis.js"
import { exposure } from "./exposure.js"

/** Where tools may show that the client itself did not get, the likeliest first. */
const elsewhere: ReadonlyArray<ExperimentName> = [
  "tools-anyway",
  "again",
  "other-params",
  "patiently",
  "other-era",
  "anonymous",
]

const shows = (act: Act | undefined): ToolWalk | undefined =>
  act?.walks.findLast(({ raw }) => raw > 0)

/** The fullest list that was seen of the server: the client's own, or that of an experiment. */
export const listedBy = (given: Case): ToolWalk | undefined => {
  const own = given.main.walk
  if (own !== undefined && own.raw > 0) return own
  for (const name of elsewhere) {
    const walk = shows(experiment(given, name))
    if (walk !== undefined) return walk
  }
  return own
}

/** How many of the tools that came reach the model, by the client's own files and words. */
const exposedOf = (tools: ReadonlyArray<Tool>, { client, shown }: DiagnosisContext): number => {
  const handedOn =
    client === undefined
      ? tools.length
      : exposure(
          client,
          tools.map(({ name }) => name),
        ).exposed.length
  return Math.min(handedOn, shown ?? handedOn)
}

/** How many tools the server sent, how many are valid, and how many reach the model. */
export const countsOf = (given: Case): Counts => {
  const walk = listedBy(given)
  const tools = walk?.tools ?? []
  return {
    raw: walk?.raw ?? 0,
    accepted: tools.length,
    // What only the doctor could get reaches no model.
    exposed: walk === given.main.walk ? exposedOf(tools, given.context) : 0,
  }
}
