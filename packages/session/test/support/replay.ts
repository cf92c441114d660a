import { createActor, fromPromise, SimulatedClock, type AnyEventObject } from "xstate"
import type { AnyActorLogic, AnyStateMachine, SnapshotFrom } from "xstate"
import type { Taken } from "./transitions.js"

/** What can happen in each state of a chart. */
export type EventsByState = Readonly<Record<string, ReadonlyArray<AnyEventObject>>>

interface Pending {
  readonly resolve: (output: unknown) => void
  readonly reject: (error: unknown) => void
}

/** Actors whose end a test decides, by the id under which the chart invokes them. */
export class Puppets {
  readonly pending = new Map<string, Pending>()
  /** Every start of an actor, in order, with its input. */
  readonly started: Array<{ readonly id: string; readonly input: unknown }> = []

  /** Logic that ends when the path says so. */
  logic(id: string): AnyActorLogic {
    return fromPromise(
      ({ input, signal }) =>
        new Promise((resolve, reject) => {
          this.started.push({ id, input })
          this.pending.set(id, { resolve, reject })
          signal.addEventListener("abort", () => this.pending.delete(id))
        }),
    )
  }

  take(id: string): Pending {
    const pending = this.pending.get(id)
    if (!pending) throw new Error(`The actor "${id}" does not run`)
    this.pending.delete(id)
    return pending
  }
}

const done = "xstate.done.actor."
const failed = "xstate.error.actor."

/** Long enough for every `after` of every chart. */
const long = 24 * 60 * 60 * 1000

/** A chart that runs for real, on a simulated clock, with puppets for its I/O. */
export const startReplay = <M extends AnyStateMachine>(
  machine: M,
  input: unknown,
  puppets: Puppets,
  taken: Taken,
) => {
  const clock = new SimulatedClock()
  const actor = createActor(machine as AnyStateMachine, { input, clock, inspect: taken.inspect })
  const errors: Array<unknown> = []
  actor.subscribe({ error: (error) => errors.push(error) })
  actor.start()
  /** Does to the running chart what an event of a generated path stands for. */
  const step = async (event: AnyEventObject): Promise<void> => {
    const before = actor.getSnapshot()
    if (event.type.startsWith(done)) {
      puppets.take(event.type.slice(done.length)).resolve(event["output"])
    } else if (event.type.startsWith(failed)) {
      puppets.take(event.type.slice(failed.length)).reject(event["error"])
    } else if (event.type.startsWith("xstate.after.")) {
      clock.increment(long)
    } else {
      actor.send(event)
    }
    // A settled promise takes a few turns of the microtask queue to reach the chart.
    for (let turn = 0; turn < 10 && actor.getSnapshot() === before; turn++) await Promise.resolve()
  }
  return { actor, step, errors, snapshot: () => actor.getSnapshot() as SnapshotFrom<M> }
}
