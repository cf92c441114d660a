import { capabilityRules } from "./capability-rules.js"
import type { Rule } from "./rule.js"

/** Every cause that is looked for, by family. */
export const rules: ReadonlyArray<Rule> = [...capabilityRules]
