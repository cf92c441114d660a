// Whether what was seen is what the catalogue demands.
import { atLimit, atOnce, closeLimit } from "./limits.mjs"

const steps = ["connect", "list", "call", "again", "close"]

const does = (label, test) => ({ kind: "does", label, test })

/** What is demanded of every cell. */
const always = [
  does("ends", (seen) => steps.every((step) => seen[step]?.outcome !== "waiting")),
  does("throws nothing into the void", (seen) => seen.crashes.length === 0),
  does("closes without an error", ({ close }) => close.outcome === "ok" && close.ms < closeLimit),
  does("leaves no process", (seen) => seen.left === 0),
]

const inTime = {
  "by-itself": does("is done at once", (seen) =>
    ["connect", "list", "call"].every((step) => (seen[step]?.ms ?? 0) < atOnce),
  ),
  "at-time-limit": does("is done at its time limit", (seen) =>
    ["connect", "list", "call"].every(
      (step) => (seen[step]?.ms ?? 0) < (atLimit[step] ?? atLimit.other),
    ),
  ),
}

const missedOf = (checks, seen) =>
  checks.flatMap((check) => {
    if (check.ways === undefined) return check.test(seen) ? [] : [check]
    const ways = check.ways.map((way) => missedOf(way, seen))
    const weight = (missed) =>
      missed.reduce((sum, { kind }) => sum + (kind === "does" ? 100 : 1), 0)
    return ways.reduce((best, missed) => (weight(missed) < weight(best) ? missed : best))
  })

/**
 * The verdict: `met`; `silent`, where the client does the right thing but does not say what the outcome
 * demands; `missed`; or `unmet`, where this client never meets the fault. `missing` says what is lacking.
 */
export const judge = (misbehaviour, expectation, seen) => {
  if (seen.died !== undefined || seen.hung === true) return { verdict: "missed", missing: ["ends"] }
  const unmet = expectation.find(({ needs }) => needs !== undefined && !needs(seen))
  if (unmet !== undefined) return { verdict: "unmet", missing: [unmet.label] }
  const slow = expectation.find(({ patience }) => patience !== undefined)
  const checks = [
    ...expectation.filter((check) => check.needs === undefined && check.patience === undefined),
    ...always,
    ...(slow === undefined ? [inTime[misbehaviour.settles]] : []),
  ]
  const missed = missedOf(checks, seen)
  const verdict =
    missed.length === 0 ? "met" : missed.some(({ kind }) => kind === "does") ? "missed" : "silent"
  return { verdict, missing: [...new Set(missed.map(({ label }) => label))] }
}

/** Whether the judgement may be the machine's fault: something took long that should not. */
export const mayBeSlow = ({ misbehaviour, verdict, seen }) =>
  verdict === "missed" &&
  (seen.hung === true ||
    seen.died !== undefined ||
    (misbehaviour.settles === "by-itself" && steps.some((step) => (seen[step]?.ms ?? 0) >= atOnce)))
