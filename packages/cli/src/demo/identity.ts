import { legacyRevisions, modernRevisions, type Revision } from "@entente/protocol"

/** Which eras a demo server speaks. */
export type DemoEra = "dual" | "legacy" | "modern"

/** What the demo server says about itself. */
export const serverInfo = (version: string) => ({
  name: "reading-room",
  title: "The Reading Room",
  version,
})

export const instructions =
  "A small library to try things on: search, borrow and return books, or read their cards."

/** The revisions a demo server names, newest first. */
export const revisionsOf: Readonly<Record<DemoEra, ReadonlyArray<Revision>>> = {
  dual: [...modernRevisions, ...legacyRevisions],
  legacy: legacyRevisions,
  modern: modernRevisions,
}
