import type { EntenteError, JsonObject } from "@entente/protocol"
import type { CreatedTask, Reading, SeenTask, TaskReader } from "./read-task.js"

/**
 * Where the two shapes of tasks differ, apart from methods: how they are written. Both are read into the
 * words of the chart, which knows of neither.
 */
export interface TaskDialect {
  /** Whether the result is asked for with `tasks/result`, or is inside the task once it is there. */
  readonly resultApart: boolean
  /** Whether questions come inside the task and are answered with `tasks/update`. */
  readonly asksInside: boolean
  /** With what the server says by itself how a task stands; its params are a task. */
  readonly notification: string
  /** Reads an answer to `tools/call`; nothing where it is no task but the result itself. */
  readonly created: (result: JsonObject, reader: TaskReader) => Reading<CreatedTask> | undefined
  /** Reads a task as `tasks/get` and the notification show it. */
  readonly seen: (value: unknown, method: string, reader: TaskReader) => Reading<SeenTask>
  /** What is wrong with an answer that says no more than that it was heard. */
  readonly fault: (
    result: JsonObject,
    method: string,
    reader: TaskReader,
  ) => EntenteError | undefined
  /** Reads the answer to `tasks/cancel`; nothing where it says no more than that it was heard. */
  readonly cancelled: (result: JsonObject, reader: TaskReader) => Reading<SeenTask> | undefined
}
