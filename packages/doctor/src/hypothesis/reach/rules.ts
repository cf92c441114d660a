import type { Rule } from "../rule.js"
import { processRules } from "./process-rules.js"
import { addressRules } from "./address-rules.js"
import { endpointRules } from "./endpoint-rules.js"
import { streamRules } from "./stream-rules.js"
import { bytesRules } from "./bytes-rules.js"
import { handshakeRules } from "./handshake-rules.js"

/** Family 0: the server does not start, cannot be reached, or what it says cannot be read. */
export const reachRules: ReadonlyArray<Rule> = [
  ...processRules,
  ...addressRules,
  ...endpointRules,
  ...streamRules,
  ...bytesRules,
  ...handshakeRules,
]
