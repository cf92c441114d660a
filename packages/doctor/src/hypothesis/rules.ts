import { capabilityRules } from "./capability-rules.js"
import { listingChangeRules } from "./listing-change-rules.js"
import { listingCrashRules } from "./listing-crash-rules.js"
import { listingCursorRules } from "./listing-cursor-rules.js"
import { listingItemRules } from "./listing-item-rules.js"
import { listingPageRules } from "./listing-page-rules.js"
import { listingParamsRules } from "./listing-params-rules.js"
import { listingRefusalRules } from "./listing-refusal-rules.js"
import { listingShapeRules } from "./listing-shape-rules.js"
import { listingSilenceRules } from "./listing-silence-rules.js"
import { listingStreamRules } from "./listing-stream-rules.js"
import { listingTruncationRules } from "./listing-truncation-rules.js"
import { replyIdRules } from "./reply-id-rules.js"
import type { Rule } from "./rule.js"

const listingRules: ReadonlyArray<Rule> = [
  ...listingRefusalRules,
  ...listingParamsRules,
  ...listingSilenceRules,
  ...listingStreamRules,
  ...listingTruncationRules,
  ...replyIdRules,
  ...listingCrashRules,
  ...listingShapeRules,
  ...listingItemRules,
  ...listingCursorRules,
  ...listingPageRules,
  ...listingChangeRules,
]

/** Every cause that is looked for, by family. */
export const rules: ReadonlyArray<Rule> = [...capabilityRules, ...listingRules]
