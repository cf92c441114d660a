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
import { sessionExposureRules } from "./session-exposure-rules.js"
import { sessionIdRules } from "./session-id-rules.js"
import { sessionLossRules } from "./session-loss-rules.js"
import { sessionStreamRules } from "./session-stream-rules.js"
import { versionAgreementRules } from "./version-agreement-rules.js"
import { versionEraRules } from "./version-era-rules.js"
import { versionHandshakeRules } from "./version-handshake-rules.js"
import { versionHeaderRules } from "./version-header-rules.js"
import { versionRefusalRules } from "./version-refusal-rules.js"

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
export const rules: ReadonlyArray<Rule> = [
  ...capabilityRules,
  ...listingRules,
  ...sessionIdRules,
  ...sessionExposureRules,
  ...sessionLossRules,
  ...sessionStreamRules,
  ...versionAgreementRules,
  ...versionRefusalRules,
  ...versionHeaderRules,
  ...versionEraRules,
  ...versionHandshakeRules,
]
