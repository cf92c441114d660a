import type { EntenteError, InputRequests, JsonObject, TaskStatus } from "@entente/protocol"

/** What the request that became a task has come to: exactly what it would have been answered with. */
export type TaskOutcome =
  | { readonly ok: true; readonly result: JsonObject }
  | { readonly ok: false; readonly error: EntenteError }

/** What the server says of a task, in the words of neither era. */
export interface TaskReport {
  readonly status: TaskStatus
  /** A sentence of the server for people: untrusted text. */
  readonly statusMessage?: string
  readonly createdAt: string
  readonly lastUpdatedAt: string
  /** Milliseconds from the task's creation until the server may forget it; `null` is never. */
  readonly ttlMs: number | null
  /** Milliseconds that the server wants between two looks. */
  readonly pollIntervalMs?: number
  /** What the server wants to know before it goes on, where the report itself says so. */
  readonly inputRequests?: InputRequests
  /** What came of it, where the report itself says so: in the other era it is asked for. */
  readonly outcome?: TaskOutcome
}

/** How patiently a task is watched. Times are in milliseconds. */
export interface TaskPolicy {
  /** Between two looks where the server names no interval. */
  readonly intervalMs: number
  /** The shortest and the longest interval of a server that is kept. */
  readonly shortestMs: number
  readonly longestMs: number
  /** Between two looks while the server says by itself how the task stands (V26-TASK-18). */
  readonly safetyMs: number
  /** Looks in a row that bring nothing before the task counts as lost. */
  readonly maxFailures: number
  /** The first pause after a look that failed; each further one is twice as long. */
  readonly baseMs: number
  readonly maxMs: number
}

export const defaultTaskPolicy: TaskPolicy = {
  intervalMs: 2_000,
  shortestMs: 200,
  longestMs: 3_600_000,
  safetyMs: 60_000,
  maxFailures: 8,
  baseMs: 1_000,
  maxMs: 30_000,
}

export type TaskEvent =
  /** The server said how the task stands: as the answer to a look, or by itself, in any order. */
  | { readonly type: "reported"; readonly report: TaskReport; readonly asked: boolean }
  /** Something may have happened: looked at once. */
  | { readonly type: "nudge" }
  /** A look brought nothing, which may pass. */
  | { readonly type: "faltered"; readonly error: EntenteError }
  /** The server does not know the task, or not any more (V25-TASK-15, V26-TASK-20). */
  | { readonly type: "unknown"; readonly error: EntenteError }
  /** Looking again cannot help. */
  | { readonly type: "refused"; readonly error: EntenteError }
  /** The result was asked for: the answer, or why there is none yet. */
  | { readonly type: "fetched"; readonly outcome: TaskOutcome }
  | { readonly type: "fetchFaltered"; readonly error: EntenteError }
  /** Whether the server says by itself how the task stands, so that looking is a safety net only. */
  | { readonly type: "covered"; readonly covered: boolean }
  /** The owner wants the task to stop. */
  | { readonly type: "cancel" }
  | { readonly type: "cancelAccepted" }
  /** The task had ended before. */
  | { readonly type: "cancelTooLate" }
  | { readonly type: "cancelFailed"; readonly error: EntenteError }
  /** The time that the server keeps the task for is over. */
  | { readonly type: "expire" }
  /** Nobody wants to know any more, or nothing can be asked any more. */
  | { readonly type: "abandon"; readonly error?: EntenteError }

/** What the actor that answers questions is told. */
export interface AskedEvent {
  readonly type: "asked"
  /** All that is open now; a question stays in it until its answer has been read (V26-TASK-13). */
  readonly requests: InputRequests
}

/** How a task ended for its watcher. */
export type TaskEnd =
  | { readonly status: "completed" | "failed"; readonly outcome: TaskOutcome }
  | { readonly status: "cancelled" }
  | {
      readonly status: "gone"
      readonly why: "unknown" | "expired"
      readonly error?: EntenteError
    }
  | { readonly status: "lost"; readonly error: EntenteError }
  | {
      readonly status: "abandoned"
      /** `cannot-cancel`: the server offers no way to cancel it, so that it may go on. */
      readonly why: "released" | "cannot-cancel"
      readonly error?: EntenteError
    }

export interface TaskInput {
  readonly policy?: Partial<TaskPolicy>
  /** Whether the result is not in a report, but has to be asked for. */
  readonly resultApart: boolean
  /** Whether the server offers a way to cancel the task. */
  readonly cancellable: boolean
  /** From 0 up to 1, like `Math.random`: keeps many watchers from looking all at once. */
  readonly random: () => number
}

export interface TaskContext {
  readonly policy: TaskPolicy
  readonly resultApart: boolean
  readonly cancellable: boolean
  readonly random: () => number
  /** The latest word of the server. */
  readonly report: TaskReport | undefined
  /** Looks in a row that brought nothing. */
  readonly failures: number
  /** Times in a row that the result was asked for in vain. */
  readonly fetchFailures: number
  readonly covered: boolean
  /** Whether the time that the server keeps the task for is over. */
  readonly expired: boolean
  /** Whether the server knows that the task is to stop. */
  readonly cancelAccepted: boolean
  /** Why the latest attempt to cancel came to nothing. */
  readonly cancelError: EntenteError | undefined
  readonly end: TaskEnd
}

export const initialTask = (input: TaskInput): TaskContext => ({
  policy: { ...defaultTaskPolicy, ...input.policy },
  resultApart: input.resultApart,
  cancellable: input.cancellable,
  random: input.random,
  report: undefined,
  failures: 0,
  fetchFailures: 0,
  covered: false,
  expired: false,
  cancelAccepted: false,
  cancelError: undefined,
  end: { status: "abandoned", why: "released" },
})

/** What a timer can hold. */
const longest = 2 ** 31 - 1

const backoff = ({ baseMs, maxMs }: TaskPolicy, failures: number, chance: number): number =>
  failures === 0 ? 0 : Math.min(maxMs, baseMs * 2 ** (failures - 1)) * (1 + chance / 4)

/**
 * Milliseconds until the next look: the latest interval of the server, within bounds, because zero would
 * make us spin and a year would never end (V25-TASK-07, V26-TASK-08); ours, spread by chance, where it
 * names none; longer after looks that failed, and while the server speaks by itself.
 */
export const lookDelay = ({
  policy,
  random,
  report,
  failures,
  covered,
}: Pick<TaskContext, "policy" | "random" | "report" | "failures" | "covered">): number => {
  const { intervalMs, shortestMs, longestMs, safetyMs } = policy
  const chance = random()
  const asked = report?.pollIntervalMs
  const interval =
    asked === undefined
      ? intervalMs * (1 + chance / 4)
      : Math.min(Math.max(asked, shortestMs), longestMs)
  const floor = covered ? safetyMs : 0
  return Math.min(longest, Math.max(interval, floor, backoff(policy, failures, chance)))
}

/** Milliseconds until the result is asked for again. */
export const fetchDelay = ({
  policy,
  random,
  fetchFailures,
}: Pick<TaskContext, "policy" | "random" | "fetchFailures">): number =>
  backoff(policy, fetchFailures, random())

/**
 * Milliseconds for which the server keeps the task, counted from when we heard of it, because clocks
 * differ (V26-TASK-21); undefined where there is no end, or none that a timer could wait for.
 */
export const lifetimeOf = (report: TaskReport | undefined): number | undefined => {
  const ttlMs = report?.ttlMs ?? undefined
  return ttlMs === undefined || ttlMs > longest ? undefined : Math.max(0, ttlMs)
}

/** Whether nothing more can become of a task (V25-TASK-06, V26-TASK-10). */
export const hasEnded = (report: TaskReport | undefined): boolean =>
  report !== undefined && report.status !== "working" && report.status !== "input_required"

/** What a report says that is an end, and has its outcome where it needs one. */
export const endOf = ({ status, outcome }: TaskReport): TaskEnd =>
  (status === "completed" || status === "failed") && outcome !== undefined
    ? { status, outcome }
    : { status: "cancelled" }

/**
 * Whether a report is older than what is known already. An end is never too old, because nothing follows
 * it; and where a date cannot be read nobody can tell.
 */
export const isOutdated = (known: TaskReport | undefined, report: TaskReport): boolean =>
  known !== undefined &&
  !hasEnded(report) &&
  Date.parse(report.lastUpdatedAt) < Date.parse(known.lastUpdatedAt)
