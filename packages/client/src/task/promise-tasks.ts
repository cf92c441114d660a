import type { CallToolResult, InputRequests, InputResponses, LegacyTask } from "@entente/protocol"
import type { ListOptions } from "../list/list.js"
import type { Listing } from "../list/listing.js"
import { iterate, run, type Abortable } from "../promise-run.js"
import type { TaskCall, TaskCallOptions } from "./begin-task.js"
import type { StoredTask } from "./stored-task.js"
import type { TaskHandle } from "./task-handle.js"
import type { TaskCancellation } from "./task-run.js"
import type { TaskResumeOptions, Tasks } from "./tasks.js"
import type { TaskView } from "./task-view.js"

/** A call that may take its time, for callers without Effect; see `TaskHandle`. */
export class PromiseTaskHandle {
  readonly #task: TaskHandle
  readonly #target: string

  constructor(task: TaskHandle, target: string) {
    this.#task = task
    this.#target = target
  }

  /** The server's name for the task; nothing where it answered plainly. As good as the task: keep it so. */
  get id(): string | undefined {
    return this.#task.id
  }

  /** The tool that was called, where that is known. */
  get tool(): string | undefined {
    return this.#task.tool
  }

  /** What the server suggests to tell a model meanwhile: provisional, untrusted text (V25-TASK-17). */
  get immediateResponse(): string | undefined {
    return this.#task.immediateResponse
  }

  /** How the task stands. */
  get status(): TaskView {
    return this.#task.status
  }

  /** Hears every change of `status`; the function returned stops it. */
  onStatus(listener: (status: TaskView) => void): () => void {
    return this.#task.viewed.add(listener)
  }

  /** `status`, now and whenever it changes; ends when the task does. Leaving the loop changes nothing. */
  statuses({ signal }: Abortable = {}): AsyncIterable<TaskView> {
    return iterate(this.#task.statuses, signal, this.#target, "statuses")
  }

  /** What a modern server wants to know and no handler answers, under its own keys: see `answer`. */
  get inputRequests(): InputRequests {
    return this.#task.inputRequests
  }

  /**
   * The result of the call, once it is there; asking again gives the same. A tool's own failure is a result
   * with `isError`. Rejects with the server's error for the call, with `TaskCancelled`, `TaskGone`, or with
   * what the task was lost with. An abort of `signal` waits no longer, and leaves the task alone.
   */
  result({ signal }: Abortable = {}): Promise<CallToolResult> {
    return run(this.#task.result, signal, this.#target, "result")
  }

  /** Asks the server to stop the task, and says what came of that; see `TaskCancellation`. */
  cancel({ signal }: Abortable = {}): Promise<TaskCancellation> {
    return run(this.#task.cancel, signal, this.#target, "tasks/cancel")
  }

  /** Answers questions of a modern server by hand, some or all of them; resolves when it has taken them. */
  answer(responses: InputResponses, { signal }: Abortable = {}): Promise<void> {
    return run(this.#task.answer(responses), signal, this.#target, "tasks/update")
  }

  /** Watches the task no longer, and leaves it alone: it goes on. */
  release(): void {
    this.#task.abandon()
  }

  /** What `client.tasks.resume` needs, later or in another process; `null` where there is no task. */
  toJSON(): StoredTask | null {
    return this.#task.toJSON()
  }
}

/** The tasks of one server, for callers without Effect; see `Tasks`. */
export class PromiseTasks {
  readonly #tasks: Tasks
  readonly #target: string

  constructor(tasks: Tasks, target: string) {
    this.#tasks = tasks
    this.#target = target
  }

  /**
   * Calls a tool so that it may become a task, where server and tool allow that, and plainly elsewhere. An
   * abort before there is a handle calls the request off, and a task that comes of it all the same is
   * cancelled; later only `cancel` of the handle does.
   *
   * @example
   * const task = await client.tasks.call({ name: "reindex" })
   * task.onStatus(({ state, message }) => console.log(state, message))
   * const result = await task.result()
   */
  async call(
    params: TaskCall,
    { signal, ...options }: TaskCallOptions & Abortable = {},
  ): Promise<PromiseTaskHandle> {
    const called = this.#tasks.call(params, options)
    return this.#held(await run(called, signal, this.#target, "tools/call"))
  }

  /** How a task stands, asked for once. Rejects with `TaskGone` where the server does not know it. */
  get(
    taskId: string,
    { signal, ...options }: TaskResumeOptions & Abortable = {},
  ): Promise<TaskView> {
    return run(this.#tasks.get(taskId, options), signal, this.#target, "tasks/get")
  }

  /** Goes on with a task that was kept with `toJSON`, in this process or another. */
  async resume(
    stored: StoredTask | string,
    { signal, ...options }: TaskResumeOptions & Abortable = {},
  ): Promise<PromiseTaskHandle> {
    const resumed = this.#tasks.resume(stored, options)
    return this.#held(await run(resumed, signal, this.#target, "resume"))
  }

  /** All tasks that a legacy server knows of this client; `unsupported` where it does not list them. */
  list({ signal, ...options }: ListOptions & Abortable = {}): Promise<Listing<LegacyTask>> {
    return run(this.#tasks.list(options), signal, this.#target, "tasks/list")
  }

  #held(task: TaskHandle): PromiseTaskHandle {
    return new PromiseTaskHandle(task, this.#target)
  }
}
