import { addressRules } from "./address-rules.js"
import { authorizationRules } from "./authorization-rules.js"
import { bytesRules } from "./bytes-rules.js"
import { capabilityRules } from "./capability-rules.js"
import { credentialRules } from "./credential-rules.js"
import { endpointRules } from "./endpoint-rules.js"
import { freshnessRules } from "./freshness-rules.js"
import { handshakeRules } from "./handshake-rules.js"
import { permissionRules } from "./permission-rules.js"
import { processRules } from "./process-rules.js"
import type { Rule } from "./rule.js"
import { streamRules } from "./stream-rules.js"

/** Every cause that is looked for, by family. */
export const rules: ReadonlyArray<Rule> = [
  ...processRules,
  ...addressRules,
  ...endpointRules,
  ...streamRules,
  ...bytesRules,
  ...handshakeRules,
  ...capabilityRules,
  ...freshnessRules,
  ...authorizationRules,
  ...credentialRules,
  ...permissionRules,
]
