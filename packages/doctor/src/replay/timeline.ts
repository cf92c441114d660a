import * as Effect from "effect/Effect"
import type { Transport } from "@entente/transport"
import type { Alignment } from "./alignment.js"
import type { RecordedRun } from "./recorded-run.js"
import type { ReplayClock } from "./replay-clock.js"

/** When things are due in a replay: as long after what happened last as they were in the recording. */
export class Timeline {
  readonly #run: RecordedRun
  readonly #alignment: Alignment
  readonly #clock: ReplayClock

  constructor(run: RecordedRun, alignment: Alignment, clock: ReplayClock) {
    this.#run = run
    this.#alignment = alignment
    this.#clock = clock
  }

  /** Waits until an event of the recording is due, or has happened. */
  due(place: number): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      for (;;) {
        if (this.#alignment.has(place)) return
        const before = this.#alignment.sync
        yield* this.#clock.pause(this.#missingMs(place))
        if (this.#alignment.sync === before) return
      }
    })
  }

  /** The transport, opened when the recording has it: what happens at once has no place between two other things. */
  punctual(transport: Transport): Transport {
    const { fallback } = transport
    const due = Effect.suspend(() => {
      const place = this.#alignment.nextOpening
      return place === undefined ? this.#clock.pause(0) : this.due(place)
    })
    return {
      ...transport,
      open: Effect.gen({ self: this }, function* () {
        yield* due
        // A medium takes its time to end as well.
        yield* Effect.addFinalizer(() => this.#clock.pause(0))
        return yield* transport.open
      }),
      ...(fallback && { fallback: this.punctual(fallback) }),
    }
  }

  #missingMs(place: number): number {
    const at = (index: number): number => this.#run.events[index]?.at ?? 0
    const now = this.#clock.currentTimeMillisUnsafe()
    const { sync } = this.#alignment
    if (sync === undefined) return at(place) - now
    return sync.place >= place ? 0 : sync.at + at(place) - at(sync.place) - now
  }
}
