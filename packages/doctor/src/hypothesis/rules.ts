import { authorizationRules } from "./authorization/authorization-rules.js"
import { credentialRules } from "./authorization/credential-rules.js"
import { permissionRules } from "./authorization/permission-rules.js"
import { capabilityRules } from "./capability/capability-rules.js"
import { freshnessRules } from "./freshness/freshness-rules.js"
import { listingRules } from "./listing/rules.js"
import { reachRules } from "./reach/rules.js"
import type { Rule } from "./rule.js"
import { sessionRules } from "./session/rules.js"
import { versionRules } from "./version/rules.js"

/** Every cause that is looked for in a trace, by family. */
export const rules: ReadonlyArray<Rule> = [
  ...reachRules,
  ...capabilityRules,
  ...listingRules,
  ...sessionRules,
  ...versionRules,
  ...freshnessRules,
  ...authorizationRules,
  ...credentialRules,
  ...permissionRules,
]
