import { existsIn, isJsonObject, type JsonObject, type Revision } from "@entente/protocol"

/** What a legacy tool says of tasks; without a word they are forbidden (V25-TASK-02). */
export type TaskSupport = "forbidden" | "optional" | "required"

/** How a legacy tool is to be called so that it may become a task. */
export type Approach = "augmented" | "plain" | "impossible"

const approaches: {
  readonly [Support in TaskSupport]: { readonly offered: Approach; readonly absent: Approach }
} = {
  forbidden: { offered: "plain", absent: "plain" },
  optional: { offered: "augmented", absent: "plain" },
  // Trap 28: neither augmented, because nothing was declared, nor plain, because the tool forbids it.
  required: { offered: "augmented", absent: "impossible" },
}

/** What must be declared before a call may ask to become a task. */
export const callCapability = "tasks.requests.tools.call"

const offersTasks = (capabilities: JsonObject): boolean => {
  let found: unknown = capabilities
  for (const name of callCapability.split(".")) {
    if (!isJsonObject(found) || !Object.hasOwn(found, name)) return false
    found = found[name]
  }
  return isJsonObject(found)
}

/** Reads `execution.taskSupport`; what is none of the three words is no permission. */
export const taskSupportOf = (tool: unknown): TaskSupport => {
  const execution = isJsonObject(tool) ? tool["execution"] : undefined
  const support = isJsonObject(execution) ? execution["taskSupport"] : undefined
  return support === "optional" || support === "required" ? support : "forbidden"
}

/** The server's word counts as much as the tool's: all six combinations (V25-TASK-01, V25-TASK-02). */
export const approachTo = (
  support: TaskSupport,
  server: { readonly revision: Revision; readonly capabilities: JsonObject },
): Approach => {
  const offered = existsIn("tasks/get", server.revision) && offersTasks(server.capabilities)
  return approaches[support][offered ? "offered" : "absent"]
}
