import type { TraceEvent } from "@entente/trace"
import { readCase, type Case } from "./case.js"
import type { DiagnosisContext } from "./context.js"
import { countsOf } from "./counts.js"
import type { Counts, Diagnosis, Hypothesis, Remark, Stage, Verdict } from "./diagnosis.js"
import { fallbackRules } from "./hypothesis/fallback-rules.js"
import type { Finding, Rule } from "./hypothesis/rule.js"
import { rules } from "./hypothesis/rules.js"
import { stagesOf, telling, type Found } from "./stages.js"

const hypothesisOf = (rule: Rule, finding: Finding, given: Case): Hypothesis => ({
  code: rule.code,
  family: rule.family,
  confidence: finding.confidence,
  title: finding.title ?? rule.title,
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
  return [{ rule, stage, hypothesis: hypothesisOf(rule, finding, given) }]
}

/** All causes that show, the likeliest first; of equally likely ones the one that costs more. */
const causes = (given: Case): ReadonlyArray<Found> => {
  const found = rules.flatMap((rule) => foundBy(given, rule))
  const superseded = new Set(found.flatMap(({ rule }) => rule.supersedes ?? []))
  return found
    .filter(({ rule }) => !superseded.has(rule.code))
    .toSorted(
      (one, other) =>
        Number(one.rule.weight === "remark") - Number(other.rule.weight === "remark") ||
        other.hypothesis.confidence - one.hypothesis.confidence ||
        heaviness[one.rule.weight] - heaviness[other.rule.weight],
    )
}

/** What is said where no cause was found although something is wrong. */
const fallback = (given: Case): ReadonlyArray<Found> => {
  for (const rule of fallbackRules) {
    const found = foundBy(given, rule)
    if (found.length > 0) return found
  }
  return []
}

const remarksOf = ({ main }: Case): ReadonlyArray<Remark> => {
  const remarks = new Map<string, { readonly detail: string; count: number }>()
  for (const { code, detail } of main.conversation.notes) {
    const known = remarks.get(code)
    if (known === undefined) remarks.set(code, { detail, count: 1 })
    else known.count++
  }
  return [...remarks].map(([code, { detail, count }]) => ({ code, detail, count }))
}

/** The other lists by which a server shows that it works, although it has no tools. */
const showsOtherThings = ({ main: { opening } }: Case): boolean => {
  const { capabilities } = opening.agreed ?? {}
  return ["resources", "prompts", "completions"].some((name) => capabilities?.[name] !== undefined)
}

/**
 * Whether nothing is missing: a list that came whole and reaches the model whole, or a server that declares
 * no tools, was asked for them all the same, and does not know the method (C010).
 */
const hasAll = (given: Case, { raw, accepted, exposed }: Counts): boolean => {
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

const verdictOf = (
  given: Case,
  counts: Counts,
  found: ReadonlyArray<Found>,
  stages: ReadonlyArray<Stage>,
): Verdict => {
  const isIll = found.some(
    ({ rule, hypothesis }) => rule.weight !== "remark" && hypothesis.confidence >= telling,
  )
  if (hasAll(given, counts) && !isIll) return "healthy"
  const isBroken = stages.some(({ status }) => status === "failed")
  return counts.exposed === 0 && isBroken ? "failed" : "degraded"
}

/**
 * Says what is wrong with a connection, from its trace alone. It never throws, and `healthy` is said only of
 * a trace that shows it: a part of a healthy trace need not be.
 *
 * @param context what is known beside the trace
 * @example
 * diagnose(events).hypotheses[0]?.code // "tools-capability-missing"
 */
export const diagnose = (
  trace: ReadonlyArray<TraceEvent>,
  context: DiagnosisContext = {},
): Diagnosis => {
  const given = readCase(trace, context)
  const counts = countsOf(given)
  const shown = causes(given)
  const needsCause = !hasAll(given, counts) && shown.every(({ rule }) => rule.weight === "remark")
  const found = needsCause ? [...fallback(given), ...shown] : shown
  const stages = stagesOf(given, counts, found)
  const { era, revision } = given.main
  return {
    verdict: verdictOf(given, counts, found, stages),
    ...(era === undefined ? {} : { era }),
    ...(revision === undefined ? {} : { protocolVersion: revision }),
    stages,
    counts,
    hypotheses: found.map(({ hypothesis }) => hypothesis),
    remarks: remarksOf(given),
  }
}
