import type { Rule } from "../rule.js"
import { versionAgreementRules } from "./agreement-rules.js"
import { versionRefusalRules } from "./refusal-rules.js"
import { versionHeaderRules } from "./header-rules.js"
import { versionEraRules } from "./era-rules.js"
import { versionHandshakeRules } from "./handshake-rules.js"

/** Family 4: the two sides do not mean the same version. */
export const versionRules: ReadonlyArray<Rule> = [
  ...versionAgreementRules,
  ...versionRefusalRules,
  ...versionHeaderRules,
  ...versionEraRules,
  ...versionHandshakeRules,
]
