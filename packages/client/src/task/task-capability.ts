import { isJsonObject, tasksExtension, type JsonObject } from "@entente/protocol"

/**
 * Client capabilities with the tasks extension among them (V26-TASK-01). What it was declared with stays.
 *
 * @example
 * declaringTasks({ roots: {} }) // { roots: {}, extensions: { "io.modelcontextprotocol/tasks": {} } }
 */
export const declaringTasks = (capabilities: JsonObject): JsonObject => {
  const { extensions } = capabilities
  const others = isJsonObject(extensions) ? extensions : {}
  return Object.hasOwn(others, tasksExtension)
    ? capabilities
    : { ...capabilities, extensions: { ...others, [tasksExtension]: {} } }
}
