import { authorizationVariants } from "./authorization-variants.js"
import { capabilityVariants } from "./capability-variants.js"
import { listingItems } from "./listing-items.js"
import { listingRefusals } from "./listing-refusals.js"
import { listingReplies } from "./listing-replies.js"
import { listingSilences } from "./listing-silences.js"
import { eraVariants } from "./era-variants.js"
import { sessionVariants } from "./session-variants.js"
import { freshnessVariants } from "./freshness-variants.js"
import { reachVariants } from "./reach-variants.js"
import type { Variant } from "./variant.js"
import { versionVariants } from "./version-variants.js"

/** Every variant of every family. */
export const variants: ReadonlyArray<Variant> = [
  ...capabilityVariants,
  ...listingRefusals,
  ...listingSilences,
  ...listingReplies,
  ...listingItems,
  ...sessionVariants,
  ...versionVariants,
  ...eraVariants,
  ...reachVariants,
  ...freshnessVariants,
  ...authorizationVariants,
]
