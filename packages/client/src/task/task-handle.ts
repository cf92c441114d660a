import * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import {
  InputResponses,
  InvalidInput,
  explain,
  validate,
  type CallToolResult,
  type EntenteError,
  type InputRequests,
} from "@entente/protocol"
import type { Connection } from "../call/connection.js"
import { decodeResult } from "../call/typed-result.js"
import { watchState } from "../watch.js"
import { Listeners } from "../wire/listeners.js"
import type { PlainAnswer } from "./plain-answer.js"
import type { StoredTask } from "./stored-task.js"
import { outcomeOfEnd } from "./task-end.js"
import type { TaskCancellation, TaskRun } from "./task-run.js"
import { isFinal, sameView, viewOf, type TaskView } from "./task-view.js"

/** What a handle knows beside the task itself. */
export interface TaskDetails {
  readonly tool?: string
  readonly immediateResponse?: string
}

/**
 * A call that may take its time. It is watched until it ends, `release` is called, or the connection ends;
 * a lost connection that comes back changes nothing. Where the server answered plainly it is completed at
 * once (V25-TASK-04, V26-TASK-02).
 */
export class TaskHandle {
  /** What the server suggests to tell a model meanwhile: provisional, untrusted text (V25-TASK-17). */
  readonly immediateResponse: string | undefined
  /** The tool that was called, where that is known. */
  readonly tool: string | undefined
  /** Is told of everything that can be seen of the task. */
  readonly viewed = new Listeners<TaskView>()
  #view: TaskView
  readonly #connection: Connection
  readonly #task: TaskRun | PlainAnswer

  constructor(connection: Connection, task: TaskRun | PlainAnswer, details: TaskDetails = {}) {
    this.#connection = connection
    this.#task = task
    this.tool = details.tool
    this.immediateResponse = details.immediateResponse
    this.#view = this.#look()
    const stop = task.changed.add(() => this.#follow())
    task.whenEnded(() => {
      this.#follow()
      stop()
    })
  }

  /** The server's name for the task; nothing where it answered plainly. As good as the task: keep it so. */
  get id(): string | undefined {
    return this.#task.taskId
  }

  /** How the task stands. */
  get status(): TaskView {
    return this.#view
  }

  /** How the task stands, now and whenever that changes; ends when the task does. */
  get statuses(): Stream.Stream<TaskView> {
    const { life } = this.#connection
    return watchState(life, "statuses of a task", this.viewed, () => this.#view, isFinal)
  }

  /**
   * What a modern server wants to know and no handler answers, under its own keys; `answer` goes on. A
   * legacy server asks with requests of its own, which handlers alone answer.
   */
  get inputRequests(): InputRequests {
    return this.#view.inputRequests
  }

  /**
   * The result of the call, once it is there; asking again gives the same. A tool's own failure is a result
   * with `isError`. Fails with the server's error for the call, with `TaskCancelled`, `TaskGone`, or with
   * what the task was lost with. Interrupting this waits no longer, and leaves the task alone.
   */
  get result(): Effect.Effect<CallToolResult, EntenteError> {
    return Effect.callback((resume) => {
      const stop = this.#task.whenEnded((end) => {
        const outcome = outcomeOfEnd(end, this.#connection.target)
        const decoded = outcome.ok
          ? decodeResult(this.#connection, "tools/call", outcome.result)
          : outcome
        resume(decoded.ok ? Effect.succeed(decoded.value) : Effect.fail(decoded.error))
      })
      return Effect.sync(stop)
    })
  }

  /**
   * Asks the server to stop the task, and says what came of that. A task that ends in its own way all the
   * same has its result (V25-TASK-13, V26-TASK-16).
   */
  get cancel(): Effect.Effect<TaskCancellation, EntenteError> {
    return Effect.callback((resume) => {
      const stop = this.#task.cancel((outcome) =>
        resume(typeof outcome === "string" ? Effect.succeed(outcome) : Effect.fail(outcome)),
      )
      return Effect.sync(stop)
    })
  }

  /**
   * Answers questions of a modern server by hand, some or all of them; succeeds when it has taken them.
   * Fails with `InvalidInput` where there is no such question.
   */
  answer(responses: InputResponses): Effect.Effect<void, EntenteError> {
    return Effect.suspend(() => {
      const fault = this.#answerFault(responses)
      if (fault !== undefined) {
        const { target } = this.#connection
        return Effect.fail(new InvalidInput(explain("invalid-input", "input", target, fault)))
      }
      return Effect.callback<void, EntenteError>((resume) => {
        this.#task.respond(responses, (failure) =>
          resume(failure === undefined ? Effect.void : Effect.fail(failure)),
        )
      })
    })
  }

  /** Watches the task no longer, and leaves it alone: it goes on. */
  get release(): Effect.Effect<void> {
    return Effect.sync(() => this.abandon())
  }

  /** `release`, at once. */
  abandon(): void {
    this.#task.abandon()
  }

  /** What `client.tasks.resume` needs, later or in another process; `null` where there is no task. */
  toJSON(): StoredTask | null {
    const { id, tool } = this
    const { life } = this.#connection
    if (id === undefined) return null
    const { era } = life.agreement
    return {
      task: 1,
      taskId: id,
      server: life.transport.key,
      era,
      ...(tool === undefined ? {} : { tool }),
    }
  }

  #answerFault(responses: InputResponses): string | undefined {
    if (this.#connection.life.agreement.era === "legacy") {
      return "A legacy server asks with requests of its own: give connect a handler for them."
    }
    const asked = this.#task.report?.inputRequests ?? {}
    const stray = Object.keys(responses).find((key) => !Object.hasOwn(asked, key))
    if (stray !== undefined) return `There is no question ${JSON.stringify(stray)}.`
    const read = validate(InputResponses, responses)
    return read.ok ? undefined : `The answer at ${read.pointer} is none: ${read.reason}.`
  }

  #look(): TaskView {
    const { state, report, inputRequests } = this.#task
    return viewOf(state, report, inputRequests)
  }

  #follow(): void {
    const view = this.#look()
    if (sameView(view, this.#view)) return
    this.#view = view
    this.viewed.tell(view)
  }
}
