/** The two families of servers. Legacy opens with `initialize`; modern puts `_meta` on every request. */
export type Era = "legacy" | "modern"

/**
 * Every published revision of the protocol, newest first, with its era (V26-VER-07). Revisions are
 * compared as exact strings: a later date is never assumed to be supported (V25-LIFE-07).
 */
export const revisions = {
  "2026-07-28": "modern",
  "2025-11-25": "legacy",
  "2025-06-18": "legacy",
  "2025-03-26": "legacy",
  "2024-11-05": "legacy",
} as const satisfies Record<string, Era>

/** A protocol revision this package knows. */
export type Revision = keyof typeof revisions

/** A revision that is opened with `initialize`. */
export type LegacyRevision = {
  [R in Revision]: (typeof revisions)[R] extends "legacy" ? R : never
}[Revision]

/** A revision whose requests carry their own metadata. */
export type ModernRevision = Exclude<Revision, LegacyRevision>

const named = Object.keys(revisions) as ReadonlyArray<Revision> // `keys` loses the literal types

/** Legacy revisions, newest first: the order in which they are preferred. */
export const legacyRevisions = named.filter(
  (revision): revision is LegacyRevision => revisions[revision] === "legacy",
)

/** Modern revisions, newest first. */
export const modernRevisions = named.filter(
  (revision): revision is ModernRevision => revisions[revision] === "modern",
)

/** Whether a string from a peer names a revision of that era. */
export const isLegacyRevision = (version: unknown): version is LegacyRevision =>
  legacyRevisions.includes(version as LegacyRevision) // `includes` wants the narrow type

/** Whether a string from a peer names a modern revision. */
export const isModernRevision = (version: unknown): version is ModernRevision =>
  modernRevisions.includes(version as ModernRevision) // `includes` wants the narrow type
