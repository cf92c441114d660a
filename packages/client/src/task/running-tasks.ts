import type { JsonObject, JsonRpcNotification } from "@entente/protocol"
import type { TaskEnd } from "@entente/session"
import { dialectOf } from "./dialect-of.js"
import { listenFor } from "./listen-for.js"
import type { TaskReader } from "./read-task.js"
import type { TaskHost } from "./task-host.js"
import type { TaskOrigin } from "./task-requests.js"
import { TaskRun, type TaskRunOptions } from "./task-run.js"
import type { LifeState } from "../life/life.js"

const notifications: ReadonlySet<string> = new Set([
  dialectOf("legacy").notification,
  dialectOf("modern").notification,
])

/** Of so many tasks that have ended it is remembered how. */
const maxEnded = 100

/** What one connection knows of its tasks: who watches which, and who hears of it. */
export class RunningTasks {
  readonly #host: TaskHost
  readonly #runs = new Set<TaskRun>()
  /** How the latest tasks ended, by their ids. */
  readonly #ended = new Map<string, TaskEnd["status"]>()

  constructor(host: TaskHost) {
    const { life } = host
    this.#host = host
    life.notified.add((notification) => this.#notified(notification))
    // What was said meanwhile is lost; a look that waits for the connection is on its way already.
    life.recovered.add(() => this.#each((run) => run.nudge()))
    life.stateChanged.add((state) => this.#follow(state))
    life.lateAnswer.add((result) => this.#late(result))
  }

  /** How many are watched. */
  get size(): number {
    return this.#runs.size
  }

  /** Watches a task until it ends; the connection's own end is one too. */
  watch(origin: TaskOrigin, options: TaskRunOptions = {}): TaskRun {
    const run = new TaskRun(this.#host, origin, options)
    this.#runs.add(run)
    const uninterested = listenFor(run, this.#host.life)
    run.whenEnded(({ status }) => {
      this.#runs.delete(run)
      this.#remember(run.taskId, status)
      uninterested()
    })
    return run
  }

  get #reader(): TaskReader {
    return { target: this.#host.target, notes: this.#host.notes }
  }

  #each(visit: (run: TaskRun) => void): void {
    for (const run of this.#runs) visit(run)
  }

  #remember(taskId: string, status: TaskEnd["status"]): void {
    this.#ended.set(taskId, status)
    const [oldest] = this.#ended.keys()
    if (this.#ended.size > maxEnded && oldest !== undefined) this.#ended.delete(oldest)
  }

  /** An early hint and no more than that: one that never comes costs nothing (V25-TASK-11). */
  #notified({ method, params }: JsonRpcNotification): void {
    if (!notifications.has(method)) return
    const { notification, seen } = dialectOf(this.#host.life.agreement.era)
    const taskId = params?.["taskId"]
    if (method !== notification || typeof taskId !== "string") return
    const runs = [...this.#runs].filter((run) => run.taskId === taskId)
    const ended = this.#ended.get(taskId)
    if (runs.length === 0 && ended === undefined) return
    const read = seen(params, method, this.#reader)
    if (!read.ok) return this.#ignored(read.error.message)
    const { report } = read.value
    for (const run of runs) run.hint(report)
    // V25-TASK-06: an end is frozen.
    if (runs.length === 0 && report.status !== ended)
      this.#ignored(`${report.status}, after the end`)
  }

  #ignored(detail: string): void {
    this.#host.notes.add({ code: "task-status-ignored", detail })
  }

  /** Nothing can be asked any more: whoever waits for a task hears it at once. */
  #follow(state: LifeState): void {
    if (state !== "closed" && state !== "failed") return
    this.#host.life.whenReady((failure) => this.#each((run) => run.abandon(failure)))
  }

  /**
   * The answer to a call that was given up before it came. If it is a task, nobody will ever ask for it,
   * and it is cancelled now that its id is known (trap 26, V25-CANC-03).
   */
  #late(result: JsonObject): void {
    const { era } = this.#host.life.agreement
    const created = dialectOf(era).created(result, this.#reader)
    if (created?.ok === true) this.cancelUnwanted({ taskId: created.value.taskId })
  }

  /** Cancels a task that nobody has ever held. */
  cancelUnwanted(origin: TaskOrigin): void {
    this.#host.notes.add({ code: "task-orphaned", detail: "its call had been given up" })
    this.drop(this.watch(origin))
  }

  /** Cancels a task that nobody holds any more, and then forgets it (V26-TASK-16). */
  drop(run: TaskRun): void {
    if (run.end !== undefined) return
    run.cancel((outcome) => {
      // There is nobody to tell but the notes.
      if (typeof outcome !== "string" || outcome === "abandoned") {
        const detail = typeof outcome === "string" ? "no way to cancel it" : outcome.message
        this.#host.notes.add({ code: "task-uncancelled", detail })
      }
      run.abandon()
    })
  }
}
