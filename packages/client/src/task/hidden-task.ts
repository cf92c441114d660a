import {
  RequestAborted,
  RequestTimeout,
  explain,
  type EntenteError,
} from "@entente/protocol"
import type { CallOutcome, Cancel } from "../call/call.js"
import type { Turn } from "../call/conversation.js"
import { dialectOf } from "./task-dialect.js"
import { outcomeOfEnd } from "./task-end.js"

/**
 * A call whose answer was a task, for a caller who wants nothing but the result (V26-TASK-26). Giving the
 * call up cancels the task, and never with `notifications/cancelled` (V26-TASK-16, V26-CANC-08); so does a
 * question that nobody answers, because nobody holds the task who could.
 */
export const hiddenTask = (turn: Turn, done: (outcome: CallOutcome) => void): Cancel => {
  const { connection, method, options, result } = turn
  const { life, notes, target, tasks } = connection
  const settled = { ok: true, result } as const
  const created = dialectOf(life.agreement.era).created(result, { target, notes })
  if (options.keepTask === true || created === undefined || !created.ok) {
    done(created?.ok === false ? created : settled)
    return () => {}
  }
  const { taskId, report } = created.value
  const { headers, capabilities, maxTotalTimeoutMs = life.deadlines.total } = options
  const run = tasks.watch(
    {
      taskId,
      ...(headers === undefined ? {} : { headers }),
      ...(capabilities === undefined ? {} : { capabilities }),
    },
    { left: (refused) => giveUp(refused) },
  )
  const timer =
    maxTotalTimeoutMs === Infinity
      ? undefined
      : life.timers.set(() => giveUp(tooLate(maxTotalTimeoutMs)), maxTotalTimeoutMs)
  const tooLate = (timeoutMs: number): RequestTimeout => {
    const what = `${method} became a task, which did not end within ${timeoutMs} ms.`
    const fields = explain("timeout", "request", target, what)
    return new RequestTimeout({ ...fields, method, timeoutMs })
  }
  let over = false
  const finish = (outcome: CallOutcome): void => {
    if (over) return
    over = true
    life.timers.clear(timer)
    done(outcome)
  }
  const giveUp = (error: EntenteError): void => {
    if (over) return
    finish({ ok: false, error })
    tasks.drop(run)
  }
  run.whenEnded((end) => finish(outcomeOfEnd(end, target)))
  run.hint(report)
  return () => {
    const what = `${method} was cancelled by the caller.`
    giveUp(new RequestAborted({ ...explain("aborted", "request", target, what), method }))
  }
}
