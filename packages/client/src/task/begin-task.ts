import * as Effect from "effect/Effect"
import { isJsonObject, type EntenteError, type JsonObject } from "@entente/protocol"
import type { TaskPolicy } from "@entente/session"
import type { CallExtras, CallOptions } from "../call/call-options.js"
import type { Connection } from "../call/connection.js"
import { converse } from "../call/conversation.js"
import { PlainAnswer } from "./plain-answer.js"
import { declaringTasks } from "./task-capability.js"
import { dialectOf } from "./dialect-of.js"
import { TaskHandle } from "./task-handle.js"

/** What a call may differ in that may become a task. */
export interface TaskCallOptions extends CallOptions {
  /**
   * Legacy servers only: milliseconds from its creation for which the server is asked to keep the task; the
   * server may choose another time (V25-TASK-05). A modern server decides alone.
   */
  readonly ttlMs?: number
  /** How patiently the task is watched; see `defaultTaskPolicy`. */
  readonly watch?: Partial<TaskPolicy>
}

/** What is called. */
export interface TaskCall {
  readonly name: string
  readonly arguments?: JsonObject
}

/** Calls a tool; `augmented` asks a legacy server for a task. See `Tasks.call`. */
export const beginTask = (
  connection: Connection,
  call: TaskCall,
  { ttlMs, watch, ...options }: TaskCallOptions,
  augmented: boolean,
): Effect.Effect<TaskHandle, EntenteError> =>
  connection.inSpan(options, (spanned) =>
    Effect.callback((resume) => {
      const { life, notes, target, tasks } = connection
      const threaded = connection.threaded(spanned)
      const { capabilities = life.clientCapabilities } = threaded
      let unwanted = false
      let endProgress = (): void => {}
      const extras: CallExtras = {
        ...threaded,
        capabilities: declaringTasks(capabilities),
        keepTask: true,
        // V25-CANC-03: what is to become a task is cancelled as one, or not at all.
        cancellable: !augmented,
        // V25-PROG-05: the token is good for as long as the task is not over.
        progressOutlives: (reply, end) => {
          endProgress = end
          return augmented && reply._tag === "Result" && isJsonObject(reply.result["task"])
        },
      }
      const params = { ...call, ...(augmented && { task: wishOf(ttlMs) }) }
      const cancel = converse(connection, "tools/call", params, extras, (outcome) => {
        if (!outcome.ok) return resume(Effect.fail(outcome.error))
        const { result } = outcome
        const { outputSchemas } = options
        const details = {
          tool: call.name,
          ...(outputSchemas === undefined ? {} : { outputSchemas }),
        }
        const created = dialectOf(life.agreement.era).created(result, { target, notes })
        if (created === undefined) {
          const plain = new PlainAnswer(result)
          return resume(Effect.succeed(new TaskHandle(connection, plain, details)))
        }
        if (!created.ok) {
          endProgress()
          return resume(Effect.fail(created.error))
        }
        const { taskId, report, ...provisional } = created.value
        const origin = { taskId, ...threaded }
        if (unwanted) {
          endProgress()
          return tasks.cancelUnwanted(origin)
        }
        const run = tasks.watch(origin, watch === undefined ? {} : { policy: watch })
        const handle = new TaskHandle(connection, run, { ...details, ...provisional })
        run.whenEnded(endProgress)
        run.hint(report)
        resume(Effect.succeed(handle))
      })
      return Effect.sync(() => {
        // The request stays out there, so that the id is heard by which it is to be cancelled.
        if (augmented && life.ready) unwanted = true
        else cancel()
      })
    }),
  )

const wishOf = (ttlMs: number | undefined): JsonObject =>
  ttlMs === undefined ? {} : { ttl: ttlMs }
