import { LegacyTask, isJsonObject, metaKey, type JsonObject } from "@entente/protocol"
import type { TaskReport } from "@entente/session"
import { readShape, type Reading, type SeenTask, type TaskReader } from "./read-task.js"
import type { TaskDialect } from "./task-dialect.js"

const reportOf = (task: LegacyTask): TaskReport => {
  const { status, statusMessage, createdAt, lastUpdatedAt, ttl, pollInterval } = task
  return {
    status,
    createdAt,
    lastUpdatedAt,
    ttlMs: ttl,
    ...(statusMessage === undefined ? {} : { statusMessage }),
    ...(pollInterval === undefined ? {} : { pollIntervalMs: pollInterval }),
  }
}

const readTask = (value: unknown, method: string, reader: TaskReader): Reading<SeenTask> => {
  const read = readShape(reader, method, LegacyTask, value)
  return read.ok
    ? { ok: true, value: { taskId: read.value.taskId, report: reportOf(read.value) } }
    : read
}

/** Only a string is one, whatever else stands there (V25-TASK-17). */
const immediateResponseOf = ({ _meta: meta }: JsonObject): string | undefined => {
  const text = isJsonObject(meta) ? meta[metaKey.modelImmediateResponse] : undefined
  return typeof text === "string" ? text : undefined
}

/**
 * The experimental tasks of 2025-11-25: nested where they are created, flat everywhere else (trap 31); the
 * result has a request of its own, on whose way the server asks its questions (V25-TASK-08, V25-TASK-09).
 */
export const legacyTasks: TaskDialect = {
  resultApart: true,
  asksInside: false,
  notification: "notifications/tasks/status",
  created: (result, reader) => {
    // V25-TASK-04: a server may ignore the wish; the task in the answer is what tells.
    if (!isJsonObject(result["task"])) return undefined
    const read = readTask(result["task"], "tools/call", reader)
    if (!read.ok) return read
    const immediateResponse = immediateResponseOf(result)
    return immediateResponse === undefined
      ? read
      : { ok: true, value: { ...read.value, immediateResponse } }
  },
  seen: readTask,
  fault: () => undefined,
  cancelled: (result, reader) => readTask(result, "tasks/cancel", reader),
}
