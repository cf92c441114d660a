import type { Rule } from "../rule.js"
import { listingRefusalRules } from "./refusal-rules.js"
import { listingParamsRules } from "./params-rules.js"
import { listingSilenceRules } from "./silence-rules.js"
import { listingStreamRules } from "./stream-rules.js"
import { listingTruncationRules } from "./truncation-rules.js"
import { replyIdRules } from "./reply-id-rules.js"
import { listingCrashRules } from "./crash-rules.js"
import { listingShapeRules } from "./shape-rules.js"
import { listingItemRules } from "./item-rules.js"
import { listingCursorRules } from "./cursor-rules.js"
import { listingPageRules } from "./page-rules.js"
import { listingChangeRules } from "./change-rules.js"

/** Family 2: tools/list fails, in whole or in part. */
export const listingRules: ReadonlyArray<Rule> = [
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
