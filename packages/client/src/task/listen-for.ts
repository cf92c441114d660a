import type { SubscriptionFilter } from "@entente/protocol"
import type { Life } from "../life/life.js"
import type { TaskRun } from "./task-run.js"

/** A task that lasts longer than this, in milliseconds, is worth a subscription; others are polled. */
const lasting = 5_000

/**
 * Has a modern server say by itself how a task stands, as far as it agrees to: then looking is a safety net
 * only (V26-TASK-18). A legacy one says so unasked, or not at all, so that nobody may rely on it
 * (V25-TASK-11). The function returned ends the interest.
 */
export const listenFor = (run: TaskRun, { agreement, listening, timers }: Life): (() => void) => {
  if (agreement.era === "legacy" || !listening.mayListen) return () => {}
  const names = ({ taskIds }: SubscriptionFilter): boolean => taskIds?.includes(run.taskId) === true
  let covered = false
  const cover = (now: boolean): void => {
    if (now === covered) return
    covered = now
    run.cover(now)
    // What was told before the server began to tell us is known to a look alone.
    if (now) run.nudge()
  }
  const ends: Array<() => void> = []
  const timer = timers.set(() => {
    ends.push(
      listening.granted.add((granted) => cover(names(granted))),
      listening.withheld.add(({ filter }) => {
        if (names(filter)) cover(false)
      }),
      listening.changed.add((state) => {
        if (state !== "open") cover(false)
      }),
      listening.tasks.add(run.taskId),
    )
  }, lasting)
  return () => {
    timers.clear(timer)
    for (const end of ends) end()
  }
}
