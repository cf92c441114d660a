import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import { Client } from "@entente/client"
import type { TraceEvent, TraceReader } from "@entente/trace"
import { record, type Transport } from "@entente/transport"
import { Alignment } from "./alignment.js"
import { Driver } from "./driver.js"
import { partsOf } from "./recorded-message.js"
import { recordedOptions } from "./recorded-options.js"
import type { RecordedRun } from "./recorded-run.js"
import { ReplayClock } from "./replay-clock.js"
import { StepMaker } from "./step-maker.js"
import type { DivergenceReason, ReplayStep, StepSubject } from "./step.js"
import { Timeline } from "./timeline.js"
import { WovenTrace } from "./woven-trace.js"

export interface ReplayRunOptions {
  readonly run: RecordedRun
  /** Plays the recording. */
  readonly transport: Transport
  readonly patienceMs: number
  readonly trace: TraceReader | undefined
  readonly tell: (step: ReplayStep) => void
}

/** What an event is, for people. */
const named = (event: TraceEvent): string => {
  if (event.type !== "frame")
    return event.type === "channel" ? `channel ${event.event}` : event.type
  const { method, id } = partsOf(event.message)
  return method ?? (id === undefined ? "a message" : `the answer to ${id}`)
}

/** Enough for whatever a connection that has failed still has to give back. */
const turnsToEnd = 8

/** One replay: a real client over the recording, driven like the recorded one. */
class ReplayRun {
  readonly #options: ReplayRunOptions
  readonly #clock: ReplayClock
  readonly #alignment: Alignment
  readonly #woven: WovenTrace
  readonly #steps: StepMaker

  constructor(options: ReplayRunOptions) {
    const { run, trace, tell } = options
    const clock = new ReplayClock(run.events[0]?.at ?? 0)
    this.#options = options
    this.#clock = clock
    this.#alignment = new Alignment(run.events)
    this.#steps = new StepMaker(tell)
    this.#woven = new WovenTrace(run.events, this.#alignment, {
      now: () => clock.currentTimeMillisUnsafe(),
      stir: () => clock.stir(),
    })
    this.#woven.subscribe((event, recorded) => {
      trace?.(event)
      this.#take(event, recorded)
    })
  }

  get play(): Effect.Effect<void> {
    const played = Effect.gen({ self: this }, function* () {
      const { run, transport, patienceMs } = this.#options
      const { options, assumed } = recordedOptions(run)
      if (assumed) {
        const detail =
          "The recording has no server/discover; the replay takes it that the server offers what it was asked for."
        this.#diverge("assumed", detail)
      }
      const timeline = new Timeline(run, this.#alignment, this.#clock)
      const recording = record(timeline.punctual(transport), this.#woven.channel)
      const connected = Client.connect(recording, {
        ...options,
        trace: this.#woven.client,
      })
      const connecting = yield* Effect.forkChild(connected, { startImmediately: true })
      const driver = new Driver({
        run,
        alignment: this.#alignment,
        clock: this.#clock,
        timeline,
        connecting,
        patienceMs,
        missing: ({ index }, why) => this.#missing(index, why),
      })
      yield* driver.drive
      if (run.closed) yield* this.#close(connecting)
      // The charts come to rest.
      yield* this.#clock.pause(0)
      this.#finish()
    })
    return Effect.provideService(Effect.scoped(played), Clock.Clock, this.#clock)
  }

  /** Closes the connection as its owner did, or lets one that has failed come to its end. */
  #close(connecting: Fiber.Fiber<Client.Client, unknown>): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      for (let turn = 0; connecting.pollUnsafe() === undefined && turn < turnsToEnd; turn++) {
        yield* this.#clock.pause(0)
      }
      const exit = connecting.pollUnsafe()
      if (exit?._tag === "Success") yield* exit.value.close
    })
  }

  #take(event: TraceEvent, recorded: number | undefined): void {
    // A channel that fails because the recording has no further one says nothing of the server.
    const isStranger =
      recorded === undefined && event.type === "channel" && event.event !== "released"
    if (isStranger || (event.type === "frame" && recorded === undefined)) {
      const what = event.type === "frame" ? named(event) : `${event.event} a channel`
      const detail = `Our client did what the recording does not have: ${what}.`
      return this.#diverge("extra", detail, event.type === "frame" ? { frame: event } : {})
    }
    this.#steps.take(event, recorded)
  }

  #missing(place: number, why: string): void {
    const event = this.#options.run.events[place]
    if (event === undefined) return
    const detail = `${named(event)} was not sent again: ${why.replace(/\.$/, "")}.`
    this.#diverge("missing", detail, {
      recorded: event.seq,
      ...(event.type === "frame" ? { frame: event } : {}),
    })
  }

  #diverge(
    reason: DivergenceReason,
    detail: string,
    more: Partial<Extract<StepSubject, { readonly kind: "diverged" }>> = {},
  ): void {
    const at = this.#clock.currentTimeMillisUnsafe()
    this.#steps.begin({ ...more, kind: "diverged", reason, detail }, at)
  }

  /** Ends the last step, after saying what else of the recording did not happen. */
  #finish(): void {
    this.#woven.end()
    const unsaid = this.#alignment.missing.filter(
      ([, event]) => event.type === "frame" && event.direction === "in",
    )
    const [first] = unsaid
    if (first !== undefined) {
      const [, event] = first
      const others = unsaid.length === 1 ? "" : ` and ${unsaid.length - 1} more`
      const detail = `The recorded server's ${named(event)}${others} did not come again.`
      this.#diverge("missing", detail, { recorded: event.seq })
    }
    this.#steps.end()
  }
}

/** Plays a recording to its end, and tells each step as it is complete. */
export const replayRun = (options: ReplayRunOptions): Effect.Effect<void> =>
  Effect.suspend(() => new ReplayRun(options).play)
