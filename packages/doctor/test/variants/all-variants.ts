import { capabilityVariants } from "./capability-variants.js"
import { eraVariants } from "./era-variants.js"
import { sessionVariants } from "./session-variants.js"
import type { Variant } from "./variant.js"
import { versionVariants } from "./version-variants.js"

/** Every variant of every family. */
export const variants: ReadonlyArray<Variant> = [
  ...capabilityVariants,
  ...sessionVariants,
  ...versionVariants,
  ...eraVariants,
]
