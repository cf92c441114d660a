import type { InputRequests } from "@entente/protocol"
import type { TaskReport } from "@entente/session"
import type { TaskState } from "./task-run.js"

/** How a task stands, in one form for both eras. */
export interface TaskView {
  readonly state: TaskState
  /** A sentence of the server for people: untrusted text. */
  readonly message?: string
  readonly createdAt?: string
  readonly lastUpdatedAt?: string
  /** Milliseconds from the task's creation until the server may forget it; `null` is never. */
  readonly ttlMs?: number | null
  /** Milliseconds that the server wants between two looks. */
  readonly pollIntervalMs?: number
  /** What the server wants to know and no handler answers, under its own keys: see `answer`. */
  readonly inputRequests: InputRequests
}

const states: { readonly [Status in TaskReport["status"]]: TaskState } = {
  working: "working",
  input_required: "inputRequired",
  completed: "completed",
  failed: "failed",
  cancelled: "cancelled",
}

/** The view of a task that nobody watches: what the server says of it, as of now. */
export const viewOfReport = (report: TaskReport): TaskView =>
  viewOf(states[report.status], report, report.inputRequests ?? {})

export const viewOf = (
  state: TaskState,
  report: TaskReport | undefined,
  inputRequests: InputRequests,
): TaskView => {
  if (report === undefined) return { state, inputRequests }
  const { statusMessage, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs } = report
  return {
    state,
    ...(statusMessage === undefined ? {} : { message: statusMessage }),
    createdAt,
    lastUpdatedAt,
    ttlMs,
    ...(pollIntervalMs === undefined ? {} : { pollIntervalMs }),
    inputRequests,
  }
}

const ongoing: ReadonlySet<TaskState> = new Set([
  "submitted",
  "working",
  "inputRequired",
  "fetching",
])

/** Whether nothing more will become of the task for its watcher. */
export const isFinal = ({ state }: TaskView): boolean => !ongoing.has(state)

/** Whether somebody who looks would see a difference. */
export const sameView = (a: TaskView, b: TaskView): boolean =>
  a.state === b.state &&
  a.message === b.message &&
  a.lastUpdatedAt === b.lastUpdatedAt &&
  a.ttlMs === b.ttlMs &&
  a.pollIntervalMs === b.pollIntervalMs &&
  Object.keys(a.inputRequests).join("\n") === Object.keys(b.inputRequests).join("\n")
