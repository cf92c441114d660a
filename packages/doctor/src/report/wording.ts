import type { Counts, Diagnosis, Family, Hypothesis, Stage, Verdict } from "../diagnosis.js"

/** What the causes of each family are about. */
export const familyNames: Readonly<Record<Family, string>> = {
  0: "reaching the server",
  1: "capabilities",
  2: "listing",
  3: "session",
  4: "version",
  5: "cached or filtered",
  6: "authorization",
}

/** How sure is sure, the surest first. */
const certainties: ReadonlyArray<readonly [atLeast: number, words: string]> = [
  [0.95, "almost certain"],
  [0.8, "very likely"],
  [0.6, "likely"],
  [0.4, "possible"],
  [0, "not likely"],
]

/** `almost certain, 97 %` */
export const certainty = (confidence: number): string => {
  const words = certainties.find(([atLeast]) => confidence >= atLeast)?.[1] ?? "not likely"
  return `${words}, ${Math.round(confidence * 100)} %`
}

/** `family 1, capabilities` */
export const familyOf = ({ family }: Pick<Hypothesis, "family">): string =>
  `family ${family}, ${familyNames[family]}`

/** One character for how a stage stands. */
export const stageMarks: Readonly<Record<Stage["status"], string>> = {
  ok: "✓",
  warn: "!",
  failed: "✗",
  "not-reached": "·",
}

export const verdictMarks: Readonly<Record<Verdict, string>> = {
  healthy: "✓",
  degraded: "!",
  failed: "✗",
}

/** What a verdict means, in one sentence. */
export const verdictWords = ({ verdict, counts: { exposed } }: Diagnosis): string => {
  if (verdict === "failed") return "No tool reaches the model."
  if (verdict === "degraded") return "Tools are missing, or nothing shows that none is."
  if (exposed === 0) return "The server has no tools to offer, and says so."
  return exposed === 1
    ? "Its only tool reaches the model."
    : `All ${exposed} tools reach the model.`
}

/** `raw 18 → accepted 17 → exposed 0`: where tools are lost. */
export const countsText = ({ raw, accepted, exposed }: Counts): string =>
  `raw ${raw} → accepted ${accepted} → exposed ${exposed}`

/** `legacy, 2025-11-25`, as far as it is known. */
export const eraText = ({ era, protocolVersion }: Diagnosis): string =>
  [era, protocolVersion].filter((word) => word !== undefined).join(", ")
