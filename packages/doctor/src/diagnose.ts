import type { TraceEvent } from "@entente/trace"
import { readCase, type Case } from "./case.js"
import { causesOf } from "./causes.js"
import type { DiagnosisContext } from "./context.js"
import { countsOf } from "./counts.js"
import type { Diagnosis, Remark } from "./diagnosis.js"
import { stagesOf } from "./stages.js"
import { verdictOf } from "./verdict.js"

const remarksOf = ({ main }: Case): ReadonlyArray<Remark> => {
  const remarks = new Map<string, { readonly detail: string; count: number }>()
  for (const { code, detail } of main.conversation.notes) {
    const known = remarks.get(code)
    if (known === undefined) remarks.set(code, { detail, count: 1 })
    else known.count++
  }
  return [...remarks].map(([code, { detail, count }]) => ({ code, detail, count }))
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
  const found = causesOf(given, counts)
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
