import { capabilityVariants } from "./capability-variants.js"
import type { Variant } from "./variant.js"

/** Every variant of every family. */
export const variants: ReadonlyArray<Variant> = [...capabilityVariants]
