import {
  isJsonObject,
  isLegacyRevision,
  isModernRevision,
  legacyRevisions,
  modernRevisions,
  revisions,
  type Era,
  type LegacyRevision,
  type ModernRevision,
  type Revision,
} from "@entente/protocol"
import type { Answer } from "./answer.js"
import { stringsIn } from "./plain-text.js"

/** Which era a client speaks: both (`auto`), one of the two, or exactly one revision. */
export type NegotiationMode = "auto" | Era | Revision

/** The revisions a client is willing to speak, newest first. An era without any is never tried. */
export interface Candidates {
  readonly modern: ReadonlyArray<ModernRevision>
  readonly legacy: ReadonlyArray<LegacyRevision>
}

/** What is left to offer under a mode, of the revisions a client wants to speak at all. */
export const candidatesOf = (
  mode: NegotiationMode,
  clientVersions: ReadonlyArray<Revision> = [...modernRevisions, ...legacyRevisions],
): Candidates => {
  const allowed = (revision: Revision): boolean =>
    clientVersions.includes(revision) &&
    (mode === "auto" || mode === revision || mode === revisions[revision])
  return { modern: modernRevisions.filter(allowed), legacy: legacyRevisions.filter(allowed) }
}

/** Every candidate, newest first, as an error shows them. */
export const everyCandidate = (candidates: Candidates): ReadonlyArray<Revision> => [
  ...candidates.modern,
  ...candidates.legacy,
]

/** The newest modern revision both sides name. Versions are compared as exact strings (V26-VER-07). */
export const bestModern = (
  named: ReadonlyArray<string>,
  candidates: Candidates,
): ModernRevision | undefined => candidates.modern.find((revision) => named.includes(revision))

/** The newest legacy revision both sides name. */
export const bestLegacy = (
  named: ReadonlyArray<string>,
  candidates: Candidates,
): LegacyRevision | undefined => candidates.legacy.find((revision) => named.includes(revision))

/** Whether every known revision in a list is a legacy one, and there is at least one. */
export const namesOnlyLegacy = (named: ReadonlyArray<string>): boolean =>
  named.some(isLegacyRevision) && !named.some(isModernRevision)

const dates = /\b\d{4}-\d{2}-\d{2}\b/g

const datesIn = (text: string): ReadonlyArray<string> =>
  /version/i.test(text) ? [...new Set(text.slice(0, 10_000).match(dates) ?? [])] : []

/**
 * The versions that a refusal names: `error.data.supported`, or else the dates in a text that speaks of
 * versions (C026). The version that was refused is no part of the answer. Empty where none is named.
 */
export const versionsNamedBy = (answer: Answer, refused: Revision): ReadonlyArray<string> => {
  const other = (version: string): boolean => version !== refused
  if (answer._tag === "Status") return datesIn(answer.text).filter(other)
  if (answer._tag !== "Error") return []
  const { data, message } = answer.error
  const listed = isJsonObject(data) ? stringsIn(data["supported"]) : []
  return (listed.length > 0 ? listed : datesIn(message)).filter(other)
}
