import * as Effect from "effect/Effect"
import { createActor, fromCallback, type Actor, type SnapshotFrom } from "xstate"
import {
  ConnectionClosed,
  explain,
  type EntenteError,
  type InputRequests,
  type InputResponses,
} from "@entente/protocol"
import {
  taskMachine,
  type AskedEvent,
  type TaskEnd,
  type TaskEvent,
  type TaskPolicy,
  type TaskReport,
} from "@entente/session"
import { refusal } from "../question/refusal.js"
import { Listeners } from "../wire/listeners.js"
import type { TaskHost } from "./task-host.js"
import { TaskQuestions } from "./task-questions.js"
import { TaskRequests, type TaskOrigin } from "./task-requests.js"

/** How a task stands: the states of its chart, as users see them. */
export type TaskState =
  | "submitted"
  | "working"
  | "inputRequired"
  | "fetching"
  | "completed"
  | "failed"
  | "cancelled"
  | "gone"
  | "lost"
  | "abandoned"

/**
 * What came of cancelling: the server has `cancelled` the task; it was asked to (`requested`), and the task
 * may still end in its own way; the task had `ended` before; or it was `abandoned`, because the server offers
 * no way to cancel it, so that it may go on.
 */
export type TaskCancellation = "cancelled" | "requested" | "ended" | "abandoned"

export interface TaskRunOptions {
  readonly policy?: Partial<TaskPolicy>
  /** A question that nobody answered. */
  readonly left?: (refused: EntenteError) => void
}

const byHandWords = "it is to be answered by hand"

type Machine = typeof taskMachine

/** Watches one task: runs its chart, over requests of either shape. */
export class TaskRun {
  readonly taskId: string
  /** Anything that can be seen from outside has changed. */
  readonly changed = new Listeners<void>()
  #left: InputRequests = {}
  #questions: TaskQuestions | undefined
  #broken: TaskEnd | undefined
  readonly #actor: Actor<Machine>
  readonly #byHand: boolean
  readonly #host: TaskHost
  readonly #requests: TaskRequests
  readonly #options: TaskRunOptions

  constructor(host: TaskHost, origin: TaskOrigin, options: TaskRunOptions) {
    const { life } = host
    this.taskId = origin.taskId
    this.#byHand = origin.input === "manual"
    this.#host = host
    this.#options = options
    this.#requests = new TaskRequests(host, origin)
    const { clock, inspect } = life.runner
    this.#actor = createActor(this.#machine, {
      id: "task",
      clock,
      inspect,
      input: {
        resultApart: this.#requests.dialect.resultApart,
        cancellable: host.missing("tasks/cancel") === undefined,
        random: Math.random,
        ...(options.policy === undefined ? {} : { policy: options.policy }),
      },
    })
    this.#actor.subscribe({
      next: () => this.changed.tell(),
      error: (defect) => this.#break(defect),
    })
    this.#actor.start()
  }

  get state(): TaskState {
    if (this.#broken !== undefined) return "lost"
    const { value } = this.#snapshot
    return typeof value === "string" ? value : value.live.status
  }

  /** The latest word of the server, if there is one. */
  get report(): TaskReport | undefined {
    return this.#snapshot.context.report
  }

  /** How it ended, once it has. */
  get end(): TaskEnd | undefined {
    return this.#broken ?? this.#snapshot.output
  }

  /** What waits for `respond`: no handler is at it. */
  get inputRequests(): InputRequests {
    return this.state === "inputRequired" ? this.#left : {}
  }

  /** The answer that created the task, or what the server says by itself. */
  hint(report: TaskReport): void {
    this.#send({ type: "reported", report, asked: false })
  }

  /** Looks at once: something may have happened. */
  nudge(): void {
    this.#send({ type: "nudge" })
  }

  /** Whether the server says by itself how the task stands, so that looking is a safety net. */
  cover(covered: boolean): void {
    this.#send({ type: "covered", covered })
  }

  /** Watches no longer; the task goes on. */
  abandon(error?: EntenteError): void {
    this.#send(error === undefined ? { type: "abandon" } : { type: "abandon", error })
  }

  /** Calls back once the task has ended, at once if it has. The function returned takes that back. */
  whenEnded(ended: (end: TaskEnd) => void): () => void {
    return this.#when(() => this.end, ended)
  }

  /** Asks the server to stop the task, and tells what came of that. */
  cancel(done: (outcome: TaskCancellation | EntenteError) => void): () => void {
    // The chart takes events one at a time: an earlier failure may still be there to be seen.
    const { cancelError } = this.#snapshot.context
    this.#send({ type: "cancel" })
    return this.#when(() => {
      const outcome = this.#cancellation
      return outcome === cancelError ? undefined : outcome
    }, done)
  }

  /** Answers questions by hand. */
  respond(responses: InputResponses, done: (failure: EntenteError | undefined) => void): void {
    this.#questions?.respond(responses, done)
  }

  /** After the end there is nobody to send to. */
  #send(event: TaskEvent): void {
    if (this.end === undefined) this.#actor.send(event)
  }

  get #snapshot(): SnapshotFrom<Machine> {
    return this.#actor.getSnapshot()
  }

  get #cancellation(): TaskCancellation | EntenteError | undefined {
    const { end } = this
    if (end !== undefined) {
      return end.status === "cancelled" || end.status === "abandoned" ? end.status : "ended"
    }
    const { value, context } = this.#snapshot
    const stage = typeof value === "string" ? undefined : value.live.cancelling
    if (stage === "accepted") return "requested"
    return stage === "tooLate" ? "ended" : stage === "asking" ? undefined : context.cancelError
  }

  #when<A>(read: () => A | undefined, told: (value: A) => void): () => void {
    let stop = (): void => {}
    const look = (): boolean => {
      const value = read()
      if (value === undefined) return false
      stop()
      told(value)
      return true
    }
    if (!look()) stop = this.changed.add(look)
    return () => stop()
  }

  get #machine(): Machine {
    const requests = this.#requests
    return taskMachine.provide({
      actors: {
        look: fromCallback<TaskEvent>(({ sendBack }) => requests.look(sendBack)),
        fetch: fromCallback<TaskEvent>(({ sendBack }) => requests.fetch(sendBack)),
        cancel: fromCallback<TaskEvent>(({ sendBack }) => requests.cancel(sendBack)),
        answer: fromCallback<AskedEvent>(({ receive }) => {
          const questions = this.#ask()
          receive(({ requests }) => questions.ask(requests))
          return () => questions.stop()
        }),
      },
      actions: {
        noteIgnored: (_, { report: { status } }) => {
          const detail = `${status}, while it is ${this.state}`
          this.#host.notes.add({ code: "task-status-ignored", detail })
        },
      },
    })
  }

  /** A chart that breaks is a fault of this program; the task is lost to it, and says so. */
  #break(defect: unknown): void {
    const { target } = this.#host
    const fields = explain("closed", "request", target, "The watch over a task broke down.")
    const error = new ConnectionClosed({ ...fields, cause: defect })
    this.#broken = { status: "lost", error }
    this.changed.tell()
  }

  #ask(): TaskQuestions {
    const { life, target } = this.#host
    const { capabilities } = this.#requests
    const questions: TaskQuestions = new TaskQuestions({
      fork: life.runner.fork,
      answer: ({ method, params }) => {
        if (this.#byHand)
          return Effect.fail(refusal("unsupported", { method, target }, byHandWords))
        const { era, revision } = life.agreement
        const circumstances = { era, revision, relatedTask: this.taskId, capabilities }
        const question = params === undefined ? { method } : { method, params }
        return life.questions.answer(question, circumstances)
      },
      update: (responses, settled) => this.#requests.update(responses, settled),
      left: (refused) => this.#options.left?.(refused),
      changed: () => {
        this.#left = questions.left
        this.changed.tell()
      },
    })
    this.#questions = questions
    return questions
  }
}
