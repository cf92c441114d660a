import { createActor, fromCallback, type Actor } from "xstate"
import {
  subscriptionMachine,
  type Drop,
  type SubscriptionEvent,
  type SubscriptionOutcome,
  type SubscriptionPolicy,
} from "@entente/session"
import type { ChartRunner } from "../life/charts.js"

/** Tells the chart what became of a stream. */
export type Tell = (event: SubscriptionEvent) => void

/** What a chart runs on. */
export interface SubscriptionRun {
  readonly policy: Partial<SubscriptionPolicy>
  /** From 0 up to 1, like `Math.random`. */
  readonly random: () => number
  readonly runner: ChartRunner
}

export interface SubscriptionHooks {
  /** Opens a stream; the function returned closes it. */
  readonly open: (tell: Tell) => () => void
  /** The stream is gone. Told while the chart is at work: nothing may be asked of it here. */
  readonly dropped: (drop: Drop) => void
  readonly changed: () => void
  readonly ended: (outcome: SubscriptionOutcome) => void
}

/** The chart of one subscription, running over streams of whatever kind. */
export class SubscriptionActor {
  readonly #actor: Actor<typeof subscriptionMachine>

  constructor(hooks: SubscriptionHooks, { policy, random, runner }: SubscriptionRun) {
    const machine = subscriptionMachine.provide({
      actors: {
        stream: fromCallback<SubscriptionEvent>(({ sendBack }) => hooks.open(sendBack)),
      },
      actions: { markStale: (_, drop) => hooks.dropped(drop) },
    })
    const { clock, inspect } = runner
    const input = { policy, random }
    this.#actor = createActor(machine, { id: "subscription", clock, inspect, input })
    this.#actor.subscribe({
      next: ({ output }) => {
        hooks.changed()
        if (output !== undefined) hooks.ended(output)
      },
    })
  }

  /** The state of the chart, the innermost one. */
  get state(): string {
    const { value } = this.#actor.getSnapshot()
    return typeof value === "string" ? value : value.streaming
  }

  start(): void {
    this.#actor.start()
    this.#actor.send({ type: "want" })
  }

  /** Closes the stream; nothing more is heard of it. */
  release(): void {
    this.#actor.stop()
  }
}
