import { authorizationVariants } from "./authorization-variants.js"
import { capabilityVariants } from "./capability-variants.js"
import { freshnessVariants } from "./freshness-variants.js"
import { reachVariants } from "./reach-variants.js"
import type { Variant } from "./variant.js"

/** Every variant of every family. */
export const variants: ReadonlyArray<Variant> = [
  ...reachVariants,
  ...capabilityVariants,
  ...freshnessVariants,
  ...authorizationVariants,
]
