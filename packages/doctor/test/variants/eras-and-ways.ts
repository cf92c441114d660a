import type { Era } from "@entente/protocol"
import type { Variant } from "./variant.js"

export const eras: ReadonlyArray<Era> = ["legacy", "modern"]

/** A variant in both eras, over one transport. */
export const inBothEras = (
  over: Variant["over"],
  make: (era: Era) => Omit<Variant, "era" | "over">,
): ReadonlyArray<Variant> => eras.map((era) => ({ ...make(era), era, over }))
