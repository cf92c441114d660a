import { experiment, type Act, type Case, type ExperimentName } from "./case.js"
import type { ToolWalk } from "./conversation/tool-walk.js"
import type { Counts } from "./diagnosis.js"

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

/** How many tools the server sent, how many are valid, and how many reach the model. */
export const countsOf = (given: Case): Counts => {
  const walk = listedBy(given)
  const accepted = walk?.tools.length ?? 0
  // What only the doctor could get reaches no model.
  const own = walk === given.main.walk ? accepted : 0
  return { raw: walk?.raw ?? 0, accepted, exposed: Math.min(own, given.context.shown ?? own) }
}
