import { metaKey, rpcCode, type JsonObject, type TaskStatus } from "@entente/protocol"
import type { ServerAnswer } from "../../wire/server-request.js"

/** Milliseconds that a server is asked to wait between two looks. */
const pollIntervalMs = 1_000

/** What a task starts with. */
export interface AnswerTaskInput {
  /** Milliseconds since 1970. */
  readonly createdAt: number
  /** Milliseconds for which it is kept, from its creation. */
  readonly ttlMs: number
  /** Stops whoever works on the answer. */
  readonly stop: () => void
  /** Is told of every change of status. */
  readonly changed: (task: JsonObject) => void
}

/**
 * An answer of ours that a legacy server fetches later: a task of 2025-11-25, seen from the side that does
 * the work (V25-TASK-20). It begins as `working`, ends once, and stays as it ended (V25-TASK-06).
 */
export class AnswerTask {
  /** Cannot be guessed, because knowing it is all that is needed to ask for it (V25-TASK-20). */
  readonly id: string = crypto.randomUUID()
  #status: TaskStatus = "working"
  #changedAt: number
  #answer: ServerAnswer | undefined
  readonly #waiters = new Set<(answer: ServerAnswer) => void>()
  readonly #input: AnswerTaskInput

  constructor(input: AnswerTaskInput) {
    this.#input = input
    this.#changedAt = input.createdAt
  }

  /** What ties every message about it to it (V25-TASK-12). */
  get relation(): JsonObject {
    return { [metaKey.relatedTask]: { taskId: this.id } }
  }

  /** How it stands, flat, as results and notices show it. */
  get view(): JsonObject {
    const { createdAt, ttlMs: ttl } = this.#input
    return {
      taskId: this.id,
      status: this.#status,
      ...(this.#answer !== undefined &&
        "error" in this.#answer && { statusMessage: this.#answer.error.message }),
      createdAt: new Date(createdAt).toISOString(),
      lastUpdatedAt: new Date(this.#changedAt).toISOString(),
      ttl,
      pollInterval: pollIntervalMs,
    }
  }

  get over(): boolean {
    return this.#status !== "working"
  }

  /** The work is done: a result completes the task, an error makes it failed (V25-TASK-22). */
  settle(answer: ServerAnswer, now: number): void {
    if (!this.over) this.#end("result" in answer ? "completed" : "failed", answer, now)
  }

  /** Nobody wants it any more. The status is final before the work is told to stop (V25-TASK-20). */
  cancel(now: number): void {
    if (this.over) return
    const error = { code: rpcCode.internalError, message: "The task was cancelled" }
    this.#end("cancelled", { error }, now)
    this.#input.stop()
  }

  /** Hands out the answer, as soon as there is one; the function returned stops waiting (V25-TASK-08). */
  whenOver(told: (answer: ServerAnswer) => void): () => void {
    if (this.#answer === undefined) this.#waiters.add(told)
    else told(this.#answer)
    return () => this.#waiters.delete(told)
  }

  #end(status: TaskStatus, answer: ServerAnswer, now: number): void {
    this.#status = status
    this.#changedAt = now
    this.#answer = answer
    const waiters = [...this.#waiters]
    this.#waiters.clear()
    for (const told of waiters) told(answer)
    this.#input.changed(this.view)
  }
}
