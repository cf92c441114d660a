import type { EntenteError, InputRequests, InputResponses, JsonObject } from "@entente/protocol"
import type { TaskEnd, TaskReport } from "@entente/session"
import { Listeners } from "../wire/listeners.js"
import type { TaskCancellation, TaskRun } from "./task-run.js"

/** What a handle needs of a task. */
type Held = Pick<
  TaskRun,
  "state" | "report" | "inputRequests" | "changed" | "whenEnded" | "cancel" | "respond" | "abandon"
>

/** A call that could have become a task and was answered at once: over before it is held. */
export class PlainAnswer implements Held {
  readonly taskId = undefined
  readonly state = "completed"
  readonly report: TaskReport | undefined = undefined
  readonly inputRequests: InputRequests = {}
  readonly changed = new Listeners<void>()
  readonly #end: TaskEnd

  constructor(result: JsonObject) {
    this.#end = { status: "completed", outcome: { ok: true, result } }
  }

  whenEnded(ended: (end: TaskEnd) => void): () => void {
    ended(this.#end)
    return () => {}
  }

  cancel(done: (outcome: TaskCancellation | EntenteError) => void): () => void {
    done("ended")
    return () => {}
  }

  /** There are no questions, so that nobody gets here with an answer. */
  respond(_: InputResponses, done: (failure: EntenteError | undefined) => void): void {
    done(undefined)
  }

  abandon(): void {}
}
