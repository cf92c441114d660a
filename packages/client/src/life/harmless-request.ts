import { isJsonObject } from "@entente/protocol"

const harmlessLists = {
  tools: "tools/list",
  prompts: "prompts/list",
  resources: "resources/list",
} as const

/**
 * A request without effects that a legacy server with these capabilities understands: what a silent
 * server is asked to confirm that it is gone (C109), and a stored session that it lives (C022).
 */
export const harmlessRequest = (capabilities: unknown): string => {
  if (!isJsonObject(capabilities)) return "ping"
  for (const [capability, method] of Object.entries(harmlessLists)) {
    if (Object.hasOwn(capabilities, capability)) return method
  }
  return "ping"
}
