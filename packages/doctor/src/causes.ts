import { plainText } from "@entente/protocol"
import type { Case } from "./case.js"
import { clientCauses } from "./client-side/client-causes.js"
import { listedBy } from "./counts.js"
import type { Counts, Hypothesis } from "./diagnosis.js"
import { fallbackRules } from "./hypothesis/reach/fallback-rules.js"
import type { Finding, Rule } from "./hypothesis/rule.js"
import { rules } from "./hypothesis/rules.js"
import type { Found } from "./stages.js"
import { hasAll } from "./verdict.js"

/** A title may quote what a server says, which is as long and as wild as it likes. */
const longestTitle = 500

const hypothesisOf = (rule: Rule, finding: Finding, given: Case): Hypothesis => ({
  code: rule.code,
  family: rule.family,
  confidence: finding.confidence,
  title: plainText(finding.title ?? rule.title, longestTitle),
  evidence: finding.evidence,
  expected: finding.expected ?? rule.expected,
  fix: { ...rule.fix, ...finding.fix },
  next: finding.next ?? rule.next(given),
})

const heaviness = { fails: 0, costs: 1, remark: 2 } as const satisfies Record<
  Rule["weight"],
  number
>

/** What a rule finds. */
const foundBy = (given: Case, rule: Rule): ReadonlyArray<Found> => {
  const finding = rule.find(given)
  if (finding === undefined) return []
  const { stage = rule.stage } = finding
  return [{ stage, weight: rule.weight, hypothesis: hypothesisOf(rule, finding, given) }]
}

/** The causes that the trace shows. */
const inTrace = (given: Case): ReadonlyArray<Found> => {
  const found = rules.flatMap((rule) =>
    foundBy(given, rule).map((cause) => ({ cause, supersedes: rule.supersedes ?? [] })),
  )
  const superseded = new Set(found.flatMap(({ supersedes }) => supersedes))
  return found.flatMap(({ cause }) => (superseded.has(cause.hypothesis.code) ? [] : [cause]))
}

/** The causes that stand in the client's own files. */
const inClient = (given: Case, { exposed }: Counts): ReadonlyArray<Found> => {
  const { client } = given.context
  if (client === undefined) return []
  const listed = listedBy(given)
  const offered = listed === undefined || listed.raw === 0 ? undefined : listed.tools
  return clientCauses(
    client,
    offered?.map(({ name }) => name),
  ).map((hypothesis) => ({
    stage: "expose",
    weight: exposed === 0 ? "fails" : "costs",
    hypothesis,
  }))
}

/** All causes, the likeliest first; of equally likely ones the one that costs more. */
const shown = (given: Case, counts: Counts): ReadonlyArray<Found> =>
  [...inTrace(given), ...inClient(given, counts)].toSorted(
    (one, other) =>
      Number(one.weight === "remark") - Number(other.weight === "remark") ||
      other.hypothesis.confidence - one.hypothesis.confidence ||
      heaviness[one.weight] - heaviness[other.weight],
  )

/** What is said where no cause was found although something is wrong. */
const fallback = (given: Case): ReadonlyArray<Found> => {
  for (const rule of fallbackRules) {
    const found = foundBy(given, rule)
    if (found.length > 0) return found
  }
  return []
}

/** All causes; nothing that is not well is without one. */
export const causesOf = (given: Case, counts: Counts): ReadonlyArray<Found> => {
  const found = shown(given, counts)
  const isExplained = hasAll(given, counts) || found.some(({ weight }) => weight !== "remark")
  return isExplained ? found : [...fallback(given), ...found]
}
