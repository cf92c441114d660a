import { TaskCancelled, TaskGone, explain } from "@entente/protocol"
import type { TaskEnd } from "@entente/session"
import type { CallOutcome } from "../call/call.js"

const goneWords = {
  unknown: "The server does not know the task, or not any more.",
  expired: "The time is over for which the server wanted to keep the task.",
} as const

const cancelled = (target: string, what: string, confirmed: boolean): TaskCancelled =>
  new TaskCancelled({ ...explain("task-cancelled", "request", target, what), confirmed })

/** What the end of a task means to whoever waits for its result. */
export const outcomeOfEnd = (end: TaskEnd, target: string): CallOutcome => {
  switch (end.status) {
    case "completed":
    case "failed":
      return end.outcome
    // Whatever a cancelled task may have for a result, it was cancelled (trap 32).
    case "cancelled":
      return { ok: false, error: cancelled(target, "The task was cancelled.", true) }
    case "gone": {
      const { why, error: cause } = end
      const fields = explain("task-gone", "request", target, goneWords[why])
      const error = new TaskGone({ ...fields, why, ...(cause === undefined ? {} : { cause }) })
      return { ok: false, error }
    }
    case "lost":
      return { ok: false, error: end.error }
    case "abandoned": {
      const what =
        end.why === "cannot-cancel"
          ? "The server offers no way to cancel its tasks; this one is not watched any longer."
          : "The task is not watched any longer."
      return { ok: false, error: end.error ?? cancelled(target, what, false) }
    }
  }
}
