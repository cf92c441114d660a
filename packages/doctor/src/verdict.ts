import type { Case } from "./case.js"
import type { Counts, Stage, Verdict } from "./diagnosis.js"
import { telling, type Found } from "./stages.js"

/** The other lists by which a server shows that it works, although it has no tools. */
const showsOtherThings = ({ main: { opening } }: Case): boolean => {
  const { capabilities } = opening.agreed ?? {}
  return ["resources", "prompts", "completions"].some((name) => capabilities?.[name] !== undefined)
}

/**
 * Whether nothing is missing: a list that came whole and reaches the model whole, or a server that declares
 * no tools, was asked for them all the same, and does not know the method (C010).
 */
export const hasAll = (given: Case, { raw, accepted, exposed }: Counts): boolean => {
  const { main } = given
  if (main.opening.agreed === undefined && main.era === undefined) return false
  if (raw > 0) return main.walk?.complete === true && accepted === raw && exposed === accepted
  return (
    main.opening.agreed?.capabilities !== undefined &&
    main.opening.agreed.capabilities["tools"] === undefined &&
    showsOtherThings(given) &&
    isWithoutTools(given)
  )
}

/** Somebody asked, and the server does not know the method. */
const isWithoutTools = ({ main, experiments }: Case): boolean => {
  const asked = [main, ...experiments.map(({ act }) => act)].flatMap(({ walks }) => walks)
  return (
    asked.length > 0 &&
    asked.every(({ pages }) =>
      pages.every(({ call: { reply } }) => reply?.kind === "error" && reply.error.code === -32601),
    )
  )
}

/** The one word for all of it. */
export const verdictOf = (
  given: Case,
  counts: Counts,
  found: ReadonlyArray<Found>,
  stages: ReadonlyArray<Stage>,
): Verdict => {
  const isIll = found.some(
    ({ weight, hypothesis }) => weight !== "remark" && hypothesis.confidence >= telling,
  )
  if (hasAll(given, counts) && !isIll) return "healthy"
  const isBroken = stages.some(({ status }) => status === "failed")
  return counts.exposed === 0 && isBroken ? "failed" : "degraded"
}
