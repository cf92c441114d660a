import { rpcCode, type EntenteError, type InputRequests } from "@entente/protocol"
import { assign, fromCallback, raise, sendTo, setup } from "xstate"
import {
  endOf,
  fetchDelay,
  hasEnded,
  isOutdated,
  lifetimeOf,
  lookDelay,
  type AskedEvent,
  type TaskContext,
  type TaskEnd,
  type TaskEvent,
  type TaskInput,
  type TaskOutcome,
  type TaskReport,
} from "./task-context.js"

interface Facts {
  readonly context: TaskContext
}

export interface Reported {
  readonly report: TaskReport
  readonly asked: boolean
}

export interface Fetched {
  readonly outcome: TaskOutcome
}

export interface WithError {
  readonly error: EntenteError
}

const notGiven = (actor: string) => (): never => {
  throw new Error(`The actor "${actor}" is not provided: give it with machine.provide`)
}

/** Both eras say that a tool failed inside its result (V25-TASK-08, V26-TASK-11). */
const isToolError = ({ outcome }: Fetched): boolean =>
  outcome.ok && outcome.result["isError"] === true

/** With what a server says that it has no such task. */
const isUnknownTask = (error: EntenteError): boolean =>
  error._tag === "PeerError" && error.rpcCode === rpcCode.invalidParams

const isOver = ({ context }: Facts): boolean => hasEnded(context.report)

/**
 * The named parts of the task chart. The actors are the I/O: each tells with events what comes of what it
 * asks, and takes it back when it is stopped.
 */
export const taskParts = setup({
  types: {
    context: {} as TaskContext,
    events: {} as TaskEvent,
    input: {} as TaskInput,
    output: {} as TaskEnd,
  },
  actors: {
    /** `tasks/get`: tells `reported`, `faltered`, `unknown` or `refused`. */
    look: fromCallback<TaskEvent>(notGiven("look")),
    /** `tasks/result`, which may take as long as the task: tells `fetched` or `fetchFaltered`. */
    fetch: fromCallback<TaskEvent>(notGiven("fetch")),
    /** `tasks/cancel`: tells `cancelAccepted`, `cancelTooLate` or `cancelFailed`. */
    cancel: fromCallback<TaskEvent>(notGiven("cancel")),
    /** Answers what it is told that the server asks, with `tasks/update`. */
    answer: fromCallback<AskedEvent>(notGiven("answer")),
  },
  guards: {
    isCancelled: (_, { report }: Reported) => report.status === "cancelled",
    isCompleted: (_, { report }: Reported) =>
      report.status === "completed" && report.outcome !== undefined,
    isFailed: (_, { report }: Reported) =>
      report.status === "failed" && report.outcome !== undefined,
    bringsEnd: (_, { report }: Reported) => hasEnded(report),
    isOutdated: ({ context }: Facts, { report }: Reported) => isOutdated(context.report, report),
    asksForInput: (_, { report }: Reported) => report.status === "input_required",
    /** The time is over, and a look has shown that the task still goes on. */
    isOverdue: ({ context }: Facts, { report, asked }: Reported) =>
      asked && context.expired && report.ttlMs === context.report?.ttlMs,
    changesLifetime: ({ context }: Facts, { report }: Reported) =>
      !isOver({ context }) &&
      !isOutdated(context.report, report) &&
      report.ttlMs !== context.report?.ttlMs,
    isSame: ({ context }: Facts, { report }: Reported) => report.status === context.report?.status,
    isAnswer: (_, { asked }: Reported) => asked,
    answersAnEnd: (facts: Facts, { report, asked }: Reported) =>
      asked && (hasEnded(report) || isOver(facts)),
    hasEnded: isOver,
    isExpired: ({ context }: Facts) => context.expired,
    isHopeless: ({ context }: Facts) => context.failures + 1 >= context.policy.maxFailures,
    /** The result is worth asking for: it is there, or asking for it is how questions come. */
    wantsResult: ({ context }: Facts) =>
      context.resultApart && (isOver({ context }) || context.report?.status === "input_required"),
    /** V25-TASK-08: a tool that failed makes a failed task, and a result all the same. */
    isResultOfFailure: ({ context }: Facts, fetched: Fetched) =>
      fetched.outcome.ok &&
      (context.report?.status === "failed" || (!isOver({ context }) && isToolError(fetched))),
    isResult: (_, { outcome }: Fetched) => outcome.ok,
    /** A task that was completed has a result; one that failed may have failed with just this error. */
    isPurged: ({ context }: Facts, { outcome }: Fetched) =>
      context.report?.status === "completed" && !outcome.ok && isUnknownTask(outcome.error),
    isFetchHopeless: ({ context }: Facts) =>
      isOver({ context }) && context.fetchFailures + 1 >= context.policy.maxFailures,
    hasLifetime: ({ context }: Facts) => lifetimeOf(context.report) !== undefined,
    mayCancel: ({ context }: Facts) => context.cancellable,
    wasCancelled: ({ context }: Facts) => context.cancelAccepted,
  },
  actions: {
    take: assign(({ context }, { report, asked }: Reported) => ({
      report,
      failures: asked ? 0 : context.failures,
    })),
    /** The result of a task that has ended is asked for with new patience. */
    takeEnd: assign((_, { report }: Reported) => ({ report, failures: 0, fetchFailures: 0 })),
    /** The report is an end, with all that belongs to it. */
    conclude: assign((_, { report }: Reported) => ({ report, end: endOf(report) })),
    completeWith: assign((_, { outcome }: Fetched) => ({ end: { status: "completed", outcome } })),
    failWith: assign((_, { outcome }: Fetched) => ({ end: { status: "failed", outcome } })),
    countFailure: assign({ failures: ({ context }) => context.failures + 1 }),
    countFetchFailure: assign({ fetchFailures: ({ context }) => context.fetchFailures + 1 }),
    cover: assign({ covered: (_, params: { readonly covered: boolean }) => params.covered }),
    expire: assign({ expired: true }),
    extendLifetime: assign({ expired: false }),
    beginCancel: assign({ cancelError: undefined }),
    noteCancelled: assign({ cancelAccepted: true }),
    noteCancelError: assign({ cancelError: (_, { error }: WithError) => error }),
    endCancelled: assign({ end: { status: "cancelled" } }),
    endExpired: assign({ end: { status: "gone", why: "expired" } }),
    endUnknown: assign((_, { error }: WithError) => ({
      end: { status: "gone", why: "unknown", error },
    })),
    endPurged: assign((_, { outcome }: Fetched) => ({
      end: { status: "gone", why: "unknown", ...(outcome.ok ? {} : { error: outcome.error }) },
    })),
    endLost: assign((_, { error }: WithError) => ({ end: { status: "lost", error } })),
    endUncancellable: assign({ end: { status: "abandoned", why: "cannot-cancel" } }),
    endReleased: assign((_, { error }: Partial<WithError>) => ({
      end: { status: "abandoned", why: "released", ...(error === undefined ? {} : { error }) },
    })),
    hurry: raise({ type: "expire" }),
    lookAgain: raise({ type: "nudge" }),
    /** Hands what the server wants to know to whoever answers it. */
    ask: sendTo("answer", (_, { requests }: { readonly requests: InputRequests }) => ({
      type: "asked",
      requests,
    })),
    /** The server said something of the task that cannot be, or is old (V25-TASK-06). */
    noteIgnored: (_facts, _reported: Reported) => {},
  },
  delays: {
    lookDelay: ({ context }) => lookDelay(context),
    fetchDelay: ({ context }) => fetchDelay(context),
    lifetime: ({ context }) => lifetimeOf(context.report) ?? 0,
  },
})
