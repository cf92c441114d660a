import { clientCauseCodes, clientCauseMeanings } from "./client-side/cause.js"
import type { Family, Fix } from "./diagnosis.js"
import { fallbackRules } from "./hypothesis/reach/fallback-rules.js"
import type { Rule } from "./hypothesis/rule.js"
import { rules } from "./hypothesis/rules.js"

/** What the doctor knows of a cause before it has met it. */
export interface KnownCause {
  readonly code: string
  readonly family: Family
  readonly title: string
  /** `fails`: no tool can be had; `costs`: some cannot; `remark`: nothing is wrong. */
  readonly weight: Rule["weight"]
  /** What a right exchange has instead; absent where the cause is a file of the client and no exchange. */
  readonly expected?: string
  readonly fix?: Fix
}

/**
 * Every cause that the doctor can name, by family: for documents, and for whoever wants to say more of one.
 *
 * @example
 * knownCauses.find(({ code }) => code === "cursor-ignored")?.expected
 */
export const knownCauses: ReadonlyArray<KnownCause> = [
  ...[...rules, ...fallbackRules].map(({ code, family, title, weight, expected, fix }) => ({
    code,
    family,
    title,
    weight,
    expected,
    fix,
  })),
  ...clientCauseCodes.map((code) => ({
    code,
    family: 5 as const,
    title: clientCauseMeanings[code],
    weight: "costs" as const,
  })),
].toSorted((one, other) => one.family - other.family)
