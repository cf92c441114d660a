import { capabilityRules } from "./capability-rules.js"
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

/** Every cause that is looked for, by family. */
export const rules: ReadonlyArray<Rule> = [
  ...capabilityRules,
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
