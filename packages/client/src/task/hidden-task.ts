import * as Effect from "effect/Effect"
import { RequestTimeout, explain, type EntenteError, type JsonObject } from "@entente/protocol"
import type { Turn } from "../call/turn.js"
import { dialectOf } from "./dialect-of.js"
import { outcomeOfEnd } from "./task-end.js"

/**
 * The result of a call whose answer was a task, for a caller who wants nothing but that (V26-TASK-26).
 * Interrupting it cancels the task, and never with `notifications/cancelled` (V26-TASK-16, V26-CANC-08); so
 * does a question that nobody answers, because nobody holds the task who could.
 */
export const hiddenTask = (turn: Turn): Effect.Effect<JsonObject, EntenteError> =>
  Effect.callback((resume) => {
    const { connection, method, options, result } = turn
    const { life, notes, target, tasks } = connection
    const created = dialectOf(life.agreement.era).created(result, { target, notes })
    // What is no task does not come here; see `continuations`.
    if (created === undefined) return resume(Effect.succeed(result))
    if (!created.ok) return resume(Effect.fail(created.error))
    const { taskId, report } = created.value
    const { maxTotalTimeoutMs = life.deadlines.total } = options
    const run = tasks.watch({ taskId, ...options }, { left: (refused) => giveUp(refused) })
    const tooLong = (timeoutMs: number): RequestTimeout => {
      const what = `${method} became a task, which did not end within ${timeoutMs} ms.`
      const fields = explain("timeout", "request", target, what)
      return new RequestTimeout({ ...fields, method, timeoutMs })
    }
    const timer =
      maxTotalTimeoutMs === Infinity
        ? undefined
        : life.timers.set(() => giveUp(tooLong(maxTotalTimeoutMs)), maxTotalTimeoutMs)
    const giveUp = (error: EntenteError): void => {
      life.timers.clear(timer)
      resume(Effect.fail(error))
      tasks.drop(run)
    }
    run.whenEnded((end) => {
      life.timers.clear(timer)
      const outcome = outcomeOfEnd(end, target)
      resume(outcome.ok ? Effect.succeed(outcome.result) : Effect.fail(outcome.error))
    })
    run.hint(report)
    return Effect.sync(() => {
      life.timers.clear(timer)
      tasks.drop(run)
    })
  })
