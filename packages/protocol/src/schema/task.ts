import * as Schema from "effect/Schema"
import { InputRequests } from "./input-required.js"
import { Meta } from "./meta.js"
import { AnyObject, open, optional } from "./open.js"
import { page, result } from "./result.js"

/** How a task stands; the last three are final (V25-TASK-06, V26-TASK-10). */
export const TaskStatus = Schema.Literals([
  "working",
  "input_required",
  "completed",
  "failed",
  "cancelled",
])
export type TaskStatus = typeof TaskStatus.Type

const lasting = {
  taskId: Schema.String,
  statusMessage: optional(Schema.String),
  createdAt: Schema.String,
  lastUpdatedAt: Schema.String,
}

/**
 * The members of a task of 2025-11-25, also where it is flat in a result or in params
 * (V25-TASK-07).
 */
export const legacyTaskFields = {
  ...lasting,
  status: TaskStatus,
  /** Milliseconds from creation; `null` is for ever (V25-TASK-05). */
  ttl: Schema.NullOr(Schema.Finite),
  /** Milliseconds to wait between two looks. */
  pollInterval: optional(Schema.Finite),
}

/** A task of 2025-11-25. */
export class LegacyTask extends Schema.Opaque<LegacyTask>()(result(legacyTaskFields)) {}

/** One page of the tasks of 2025-11-25. */
export class ListTasksResult extends Schema.Opaque<ListTasksResult>()(
  page({ tasks: Schema.Array(LegacyTask) }),
) {}

/**
 * The answer to a request of 2025-11-25 that was turned into a task: the task is nested. A server
 * may ignore the wish and answer plainly, so look for `task` (V25-TASK-04).
 */
export class LegacyCreateTaskResult extends Schema.Opaque<LegacyCreateTaskResult>()(
  result({ task: LegacyTask }),
) {}

/** `params.task`: the wish that a request of 2025-11-25 becomes a task (V25-TASK-03). */
export const taskWish = {
  /** `ttl` in milliseconds. */
  task: optional(open({ ttl: optional(Schema.Finite) })),
}

const extensionFields = {
  ...lasting,
  /** Milliseconds from creation; `null` is for ever (V26-TASK-21). */
  ttlMs: Schema.NullOr(Schema.Finite),
  /** Milliseconds to wait between two looks (V26-TASK-08). */
  pollIntervalMs: optional(Schema.Finite),
}

/**
 * The answer to a modern `tools/call` that became a task: flat, with no nested `task`
 * (V26-TASK-03).
 */
export class CreateTaskResult extends Schema.Opaque<CreateTaskResult>()(
  open({
    ...extensionFields,
    resultType: Schema.Literal("task"),
    status: TaskStatus,
    _meta: optional(Meta),
  }),
) {}

const seen = { ...extensionFields, _meta: optional(Meta) }

/**
 * A task of the extension, as `tasks/get` and `notifications/tasks` show it. What else it holds
 * follows from its status (V26-TASK-07).
 */
export const Task = Schema.Union([
  open({ ...seen, status: Schema.Literal("working") }),
  open({ ...seen, status: Schema.Literal("cancelled") }),
  open({ ...seen, status: Schema.Literal("input_required"), inputRequests: InputRequests }),
  open({ ...seen, status: Schema.Literal("completed"), result: AnyObject }),
  open({
    ...seen,
    status: Schema.Literal("failed"),
    error: open({
      code: Schema.Int,
      message: Schema.String,
      data: optional(Schema.Unknown),
    }),
  }),
]).annotate({ expected: "a task with one of the five statuses" })
export type Task = typeof Task.Type
