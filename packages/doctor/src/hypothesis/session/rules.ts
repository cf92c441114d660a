import type { Rule } from "../rule.js"
import { sessionIdRules } from "./id-rules.js"
import { sessionExposureRules } from "./exposure-rules.js"
import { sessionLossRules } from "./loss-rules.js"
import { sessionStreamRules } from "./stream-rules.js"

/** Family 3: the session is lost, hidden or misplaced. */
export const sessionRules: ReadonlyArray<Rule> = [
  ...sessionIdRules,
  ...sessionExposureRules,
  ...sessionLossRules,
  ...sessionStreamRules,
]
