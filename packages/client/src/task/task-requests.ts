import { rpcCode, type EntenteError, type InputResponses, type JsonObject } from "@entente/protocol"
import type { TaskEvent } from "@entente/session"
import type { CallOutcome, Cancel } from "../call/call.js"
import type { CallExtras, CallOptions } from "../call/call-options.js"
import type { TraceThread } from "../telemetry/trace-thread.js"
import { dialectOf } from "./dialect-of.js"
import { lookFailureOf } from "./look-failure.js"
import { invalidTask, type Reading, type SeenTask, type TaskReader } from "./read-task.js"
import { declaringTasks } from "./task-capability.js"
import type { TaskDialect } from "./task-dialect.js"
import type { TaskHost } from "./task-host.js"

/** What is known of a task besides its states. */
export interface TaskOrigin {
  readonly taskId: string
  /** HTTP headers and capabilities of the call that created it; what follows has them too. */
  readonly headers?: Readonly<Record<string, string>>
  readonly capabilities?: JsonObject
  /** `manual`: questions are left to whoever holds the task, also those that there is a handler for. */
  readonly input?: CallOptions["input"]
  /** The trace of the call that created it. */
  readonly thread?: TraceThread
}

/** Tells the chart what came of a request. */
type Tell = (event: TaskEvent) => void

/** The requests about one task, and what their answers mean to its chart. */
export class TaskRequests {
  readonly dialect: TaskDialect
  /** What is declared on each of them (V26-TASK-01). */
  readonly capabilities: JsonObject
  readonly #taskId: string
  readonly #host: TaskHost
  readonly #reader: TaskReader
  readonly #extras: CallExtras

  constructor(host: TaskHost, { taskId, headers, capabilities, thread }: TaskOrigin) {
    const { life, target, notes } = host
    this.dialect = dialectOf(life.agreement.era)
    this.capabilities = declaringTasks(capabilities ?? life.clientCapabilities)
    this.#taskId = taskId
    this.#host = host
    this.#reader = { target, notes }
    this.#extras = {
      capabilities: this.capabilities,
      ...(headers === undefined ? {} : { headers }),
      ...(thread === undefined ? {} : { thread }),
    }
  }

  look(tell: Tell): Cancel {
    return this.#call("tasks/get", {}, {}, (outcome) => {
      const read = outcome.ok
        ? this.#own(this.dialect.seen(outcome.result, "tasks/get", this.#reader))
        : outcome
      if (read.ok) return tell({ type: "reported", report: read.value.report, asked: true })
      const { error } = read
      if (!this.#isOver(error, tell)) tell({ type: lookFailureOf(error), error })
    })
  }

  /** It waits for the end of the task, so that only the task's own time ends it (V25-TIME-04). */
  fetch(tell: Tell): Cancel {
    const patient = { timeoutMs: Infinity, maxTotalTimeoutMs: Infinity }
    return this.#call("tasks/result", {}, patient, (outcome) => {
      if (outcome.ok || outcome.error._tag === "PeerError") {
        return tell({ type: "fetched", outcome })
      }
      const { error } = outcome
      if (!this.#isOver(error, tell)) tell({ type: "fetchFaltered", error })
    })
  }

  cancel(tell: Tell): Cancel {
    // Twice does no harm: the second time it is too late.
    return this.#call("tasks/cancel", {}, { replay: true }, (outcome) => {
      if (outcome.ok) return this.#cancelled(outcome.result, tell)
      const { error } = outcome
      const tooLate = error._tag === "PeerError" && error.rpcCode === rpcCode.invalidParams
      if (tooLate) return tell({ type: "cancelTooLate" })
      if (!this.#isOver(error, tell)) tell({ type: "cancelFailed", error })
    })
  }

  update(
    inputResponses: InputResponses,
    settled: (failure: EntenteError | undefined) => void,
  ): void {
    this.#call("tasks/update", { inputResponses }, {}, (outcome) =>
      settled(
        outcome.ok
          ? this.dialect.fault(outcome.result, "tasks/update", this.#reader)
          : outcome.error,
      ),
    )
  }

  /** Each names the task, and declares the extension (V26-TASK-01, V26-HDR-04). */
  #call(
    method: string,
    params: JsonObject,
    options: CallExtras,
    done: (outcome: CallOutcome) => void,
  ): Cancel {
    const named = { taskId: this.#taskId, ...params }
    return this.#host.call(method, named, { ...this.#extras, ...options }, done)
  }

  /** A task of that name, or the answer is somebody else's. */
  #own(read: Reading<SeenTask>): Reading<SeenTask> {
    if (!read.ok || read.value.taskId === this.#taskId) return read
    const fault = { pointer: "/taskId", reason: "this is another task" }
    return { ok: false, error: invalidTask(this.#reader, "tasks/get", fault) }
  }

  #cancelled(result: JsonObject, tell: Tell): void {
    const fault = this.dialect.fault(result, "tasks/cancel", this.#reader)
    if (fault !== undefined) return tell({ type: "cancelFailed", error: fault })
    const read = this.dialect.cancelled(result, this.#reader)
    if (read !== undefined && !read.ok) return tell({ type: "cancelFailed", error: read.error })
    if (read !== undefined) tell({ type: "reported", report: read.value.report, asked: false })
    tell({ type: "cancelAccepted" })
  }

  /** Nothing can be asked any more: the connection has ended. */
  #isOver(error: EntenteError, tell: Tell): boolean {
    const over = this.#host.life.ended
    if (over) tell({ type: "abandon", error })
    return over
  }
}
