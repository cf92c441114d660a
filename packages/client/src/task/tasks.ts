import * as Effect from "effect/Effect"
import {
  CapabilityMissing,
  TaskGone,
  existsIn,
  explain,
  type ConnectionClosed,
  type EntenteError,
  type LegacyTask,
} from "@entente/protocol"
import type { CallExtras } from "../call/call-options.js"
import type { Connection } from "../call/connection.js"
import { paramsFault } from "../call/params-fault.js"
import { List, type ListOptions } from "../list/list.js"
import { unsupported, type Listing } from "../list/listing.js"
import { beginTask, type TaskCall, type TaskCallOptions } from "./begin-task.js"
import { lookFailureOf } from "./look-failure.js"
import { readStoredTask, type StoredTask } from "./stored-task.js"
import { declaringTasks } from "./task-capability.js"
import { dialectOf } from "./dialect-of.js"
import { TaskHandle } from "./task-handle.js"
import { approachTo, callCapability, taskSupportOf, type Approach } from "./task-support.js"
import { viewOfReport, type TaskView } from "./task-view.js"

/** What going on with a stored task may differ in. */
export type TaskResumeOptions = Pick<
  TaskCallOptions,
  "headers" | "capabilities" | "input" | "watch"
>

const noList = unsupported("This revision of the protocol has no list of tasks.")

/**
 * The tasks of one server, in either era: the experimental ones of 2025-11-25 and the extension
 * `io.modelcontextprotocol/tasks`, which these calls declare by themselves.
 */
export class Tasks {
  readonly #connection: Connection
  readonly #tools: List<"tools/list">
  readonly #list: List<"tasks/list">

  constructor(connection: Connection, tools: List<"tools/list">) {
    this.#connection = connection
    this.#tools = tools
    this.#list = new List(connection, "tasks/list")
  }

  /**
   * Calls a tool so that it may become a task, where server and tool allow that, and plainly elsewhere. A
   * legacy tool that must become a task on a server that has none fails with `CapabilityMissing`, and
   * nothing is sent (V25-TASK-01, V25-TASK-02).
   *
   * Interrupting this before there is a handle calls the request off: as the transport does, or, where a
   * legacy server was asked for a task, by cancelling the task as soon as it is known (V25-CANC-03).
   * `headers` and `capabilities` go with everything that follows about the task.
   */
  call(params: TaskCall, options: TaskCallOptions = {}): Effect.Effect<TaskHandle, EntenteError> {
    const fault = paramsFault("tools/call", params, this.#connection.target)
    if (fault !== undefined) return Effect.fail(fault)
    return Effect.flatMap(this.#approach(params.name), (approach) =>
      approach === "impossible"
        ? Effect.fail(this.#impossible(params.name))
        : beginTask(this.#connection, params, options, approach === "augmented"),
    )
  }

  /** How a task stands, asked for once. Fails with `TaskGone` where the server does not know it. */
  get(taskId: string, options: TaskResumeOptions = {}): Effect.Effect<TaskView, EntenteError> {
    return Effect.suspend(() => {
      const { life, notes, target } = this.#connection
      const { headers, capabilities = life.clientCapabilities } = options
      const extras: CallExtras = {
        capabilities: declaringTasks(capabilities),
        ...(headers === undefined ? {} : { headers }),
      }
      const looked = this.#connection.request("tasks/get", { taskId }, extras)
      return Effect.flatMap(
        Effect.mapError(looked, (error) => this.#orGone(error)),
        (result) => {
          const { seen } = dialectOf(life.agreement.era)
          const read = seen(result, "tasks/get", { target, notes })
          return read.ok ? Effect.succeed(viewOfReport(read.value.report)) : Effect.fail(read.error)
        },
      )
    })
  }

  /**
   * Goes on with a task that was kept with `toJSON`, in this process or another (V26-TASK-09). Fails with
   * `InvalidInput` where it belongs to another server; whether it is still there the handle tells.
   */
  resume(
    stored: StoredTask | string,
    options: TaskResumeOptions = {},
  ): Effect.Effect<TaskHandle, EntenteError> {
    return Effect.suspend(() => {
      const { life, target, tasks } = this.#connection
      const { era } = life.agreement
      const home = { target, key: life.transport.key, era }
      return Effect.map(Effect.fromResult(readStoredTask(stored, home)), ({ taskId, tool }) => {
        const { watch, ...origin } = options
        const threaded = this.#connection.threaded(origin)
        const run = tasks.watch(
          { taskId, ...threaded },
          watch === undefined ? {} : { policy: watch },
        )
        const handle = new TaskHandle(this.#connection, run, tool === undefined ? {} : { tool })
        run.nudge()
        return handle
      })
    })
  }

  /**
   * All tasks that a legacy server knows of this client, as it sent them; `unsupported` where it does not
   * list them, and in the modern era, which has no such list (V25-TASK-14, V26-TASK-25).
   */
  list(options?: ListOptions): Effect.Effect<Listing<LegacyTask>, ConnectionClosed> {
    return Effect.suspend(() =>
      existsIn("tasks/list", this.#connection.life.agreement.revision)
        ? this.#list.list(options)
        : Effect.succeed(noList),
    )
  }

  /** Who decides: tool and server in the legacy era, the server alone in the modern one (V26-TASK-01). */
  #approach(name: string): Effect.Effect<Approach, EntenteError> {
    return Effect.suspend(() => {
      const { life } = this.#connection
      if (life.agreement.era === "modern") return Effect.succeed("plain" as const)
      const { last } = this.#tools
      const known = last === undefined || last.stale ? this.#tools.list() : Effect.succeed(last)
      return Effect.map(known, ({ items }) => {
        const support = taskSupportOf(items.find((tool) => tool.name === name))
        const { revision } = life.agreement
        return approachTo(support, { revision, capabilities: life.capabilities })
      })
    })
  }

  #impossible(name: string): CapabilityMissing {
    const what = `The tool ${JSON.stringify(name)} must become a task, but the server did not declare the capability "${callCapability}".`
    const fields = explain("capability-missing", "request", this.#connection.target, what)
    return new CapabilityMissing({ ...fields, method: "tools/call", capability: callCapability })
  }

  #orGone(error: EntenteError): EntenteError {
    if (lookFailureOf(error) !== "unknown") return error
    const what = "The server does not know the task, or not any more."
    const fields = explain("task-gone", "request", this.#connection.target, what)
    return new TaskGone({ ...fields, why: "unknown", cause: error })
  }
}
