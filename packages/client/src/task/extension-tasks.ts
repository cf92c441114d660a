import { CreateTaskResult, Task, readResultType, type JsonObject } from "@entente/protocol"
import type { TaskOutcome, TaskReport } from "@entente/session"
import { peerError } from "../wire/peer-error.js"
import {
  invalidTask,
  readShape,
  type Reading,
  type SeenTask,
  type TaskReader,
} from "./read-task.js"
import type { TaskDialect } from "./task-dialect.js"

const reportOf = (task: CreateTaskResult | Task, more: Partial<TaskReport> = {}): TaskReport => {
  const { status, statusMessage, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs } = task
  return {
    status,
    createdAt,
    lastUpdatedAt,
    ttlMs,
    ...(statusMessage === undefined ? {} : { statusMessage }),
    ...(pollIntervalMs === undefined ? {} : { pollIntervalMs }),
    ...more,
  }
}

/** T-33: the result inside a task may lack `resultType`; one that is not the end cannot be there. */
const resultInside = (result: JsonObject, reader: TaskReader): TaskOutcome => {
  const type = readResultType("tasks/get", result)
  if (type.ok) return { ok: true, result }
  const pointer = `/result${type.pointer}`
  return { ok: false, error: invalidTask(reader, "tasks/get", { ...type, pointer }) }
}

/** What a task holds besides follows from its status (V26-TASK-07, V26-TASK-11). */
const insideOf = (task: Task, reader: TaskReader): Partial<TaskReport> => {
  switch (task.status) {
    case "input_required":
      return { inputRequests: task.inputRequests }
    case "completed":
      return { outcome: resultInside(task.result, reader) }
    case "failed": {
      const { target } = reader
      const error = peerError(task.error, {}, { method: "tools/call", target })
      return { outcome: { ok: false, error } }
    }
    default:
      return {}
  }
}

/** T-32: samples of the extension call an answer to `tasks/get` a task; the text says complete. */
const readType = (value: unknown, method: string, reader: TaskReader): Reading<unknown> => {
  const result = value as JsonObject // a result or params: an object, as the wire made sure
  if (result["resultType"] === "task") {
    const error = reader.notes.tolerate("task-result-type", "request", `the answer to ${method}`)
    return error === undefined ? { ok: true, value } : { ok: false, error }
  }
  const type = readResultType(method, result)
  return type.ok ? { ok: true, value } : { ok: false, error: invalidTask(reader, method, type) }
}

const readTask = (value: unknown, method: string, reader: TaskReader): Reading<SeenTask> => {
  const typed = readType(value, method, reader)
  if (!typed.ok) return typed
  const read = readShape(reader, method, Task, value)
  if (!read.ok) return read
  const { value: task } = read
  return {
    ok: true,
    value: { taskId: task.taskId, report: reportOf(task, insideOf(task, reader)) },
  }
}

/**
 * The extension `io.modelcontextprotocol/tasks`: flat throughout (V26-TASK-03); results, errors and
 * questions are inside the task (V26-TASK-07).
 */
export const extensionTasks: TaskDialect = {
  resultApart: false,
  asksInside: true,
  notification: "notifications/tasks",
  created: (result, reader) => {
    // Whether this type is allowed here was judged before (V26-RTYPE-03, V26-RTYPE-04).
    if (result["resultType"] !== "task") return undefined
    const read = readShape(reader, "tools/call", CreateTaskResult, result)
    if (!read.ok) return read
    const { value: task } = read
    return { ok: true, value: { taskId: task.taskId, report: reportOf(task) } }
  },
  seen: readTask,
  fault: (result, method, reader) => {
    const type = readResultType(method, result)
    return type.ok ? undefined : invalidTask(reader, method, type)
  },
  cancelled: () => undefined,
}
