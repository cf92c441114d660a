import * as Context from "effect/Context"
import type { TraceEvent, Unstamped } from "./event.js"
import { redactEvent } from "./redact.js"
import type { RedactionPolicy } from "./redaction-policy.js"

/** Receives events in order. It must not throw; what it throws is its own loss. */
export type TraceReader = (event: TraceEvent) => void

/**
 * Where a connection's events go. While nobody reads, `active` is false and no event is made: callers
 * check it first, so that an unobserved connection pays one property read per message.
 *
 * @example
 * if (trace.active) trace.emit({ type: "note", code: "late-reply", detail: "id 7" })
 */
export class Trace {
  #readers: ReadonlyArray<{ readonly read: TraceReader }> = []
  #seq = 0
  #waiting: Array<TraceEvent> | undefined
  readonly #policy: RedactionPolicy
  readonly #now: () => number

  constructor(policy: RedactionPolicy = {}, now: () => number = Date.now) {
    this.#policy = policy
    this.#now = now
  }

  /** Whether anybody reads. */
  get active(): boolean {
    return this.#readers.length > 0
  }

  /** Starts reading; the function returned stops it. */
  subscribe(reader: TraceReader): () => void {
    const subscription = { read: reader }
    this.#readers = [...this.#readers, subscription]
    return () => {
      this.#readers = this.#readers.filter((one) => one !== subscription)
    }
  }

  /** Stamps, redacts and hands an event to every reader. */
  emit(event: Unstamped): void {
    if (!this.active) return
    const stamped = redactEvent(
      { ...event, seq: this.#seq++, at: this.#now() } as TraceEvent, // the stamp completes the event
      this.#policy,
    )
    if (this.#waiting !== undefined) {
      this.#waiting.push(stamped)
      return
    }
    // What a reader emits while it reads waits, so that every reader sees events in order.
    const waiting = (this.#waiting = [stamped])
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) this.#hand(next)
    this.#waiting = undefined
  }

  #hand(event: TraceEvent): void {
    for (const { read } of this.#readers) {
      try {
        read(event)
      } catch {
        // A reader that fails must not take the connection with it.
      }
    }
  }
}

/** The trace of the connection being opened; nobody reads the default one. */
export const CurrentTrace = Context.Reference<Trace>("entente/CurrentTrace", {
  defaultValue: () => new Trace(),
})
