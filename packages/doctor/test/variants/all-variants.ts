import { capabilityVariants } from "./capability-variants.js"
import { listingItems } from "./listing-items.js"
import { listingRefusals } from "./listing-refusals.js"
import { listingReplies } from "./listing-replies.js"
import { listingSilences } from "./listing-silences.js"
import type { Variant } from "./variant.js"

/** Every variant of every family. */
export const variants: ReadonlyArray<Variant> = [
  ...capabilityVariants,
  ...listingRefusals,
  ...listingSilences,
  ...listingReplies,
  ...listingItems,
]
