import { isJsonObject } from "@entente/protocol"
import { Trace, type TraceEvent, type TraceReader, type Unstamped } from "@entente/trace"
import type { Alignment } from "./alignment.js"

/** What a medium tells by itself: a replay has no medium, so that it is told as it was recorded. */
const ofMedium = (event: TraceEvent): boolean =>
  event.type === "http" ||
  event.type === "process" ||
  event.type === "experiment" ||
  (event.type === "transition" && event.chart === "childProcess")

/** An event without its stamp. */
const unstamped = ({ seq: _seq, at: _at, ...event }: TraceEvent): Unstamped => event as Unstamped // the rest of a member of the union is one of the other

const tagOf = (outcome: unknown): unknown => (isJsonObject(outcome) ? outcome["_tag"] : undefined)

/** What is told of each event of a replay. */
export type Heard = (event: TraceEvent, recorded: number | undefined) => void

/**
 * The trace of a replay: what the client that runs tells, with the heads of HTTP messages and the life of the process
 * at the places where the recording has them.
 */
export class WovenTrace {
  /** For the channel: it tells of messages with everything that a further replay needs. */
  readonly channel: Trace
  /** For the client, whose own word on messages is left out. */
  readonly client: Trace
  readonly #out: Trace
  readonly #recorded: ReadonlyArray<TraceEvent>
  readonly #alignment: Alignment
  readonly #stir: () => void
  #next = 0
  #place: number | undefined
  #muted = false

  constructor(
    recorded: ReadonlyArray<TraceEvent>,
    alignment: Alignment,
    clock: { readonly now: () => number; readonly stir: () => void },
  ) {
    const policy = { maxTextLength: Infinity }
    this.#recorded = recorded
    this.#alignment = alignment
    this.#stir = clock.stir
    this.#out = new Trace(policy, clock.now)
    this.channel = new Trace(policy, clock.now)
    this.client = new Trace(policy, clock.now)
    this.channel.subscribe((event) => this.#channelTold(event))
    this.client.subscribe((event) => {
      if (event.type !== "frame") this.#tell(event, undefined)
    })
  }

  /** Hears the whole trace, in order. */
  subscribe(reader: Heard): void {
    const read: TraceReader = (event) => reader(event, this.#place)
    this.#out.subscribe(read)
  }

  /** Tells what the medium told last. Nothing is heard after it. */
  end(): void {
    this.#weave(this.#recorded.length)
    this.#muted = true
  }

  #channelTold(event: TraceEvent): void {
    const place = this.#alignment.match(event)
    if (place !== undefined) this.#weave(place)
    this.#tell(this.#asRecorded(this.#alignment.renumbered(event), place), place)
  }

  /** The replay does not say of a request without an answer that it was written; the medium did. */
  #asRecorded(event: TraceEvent, place: number | undefined): TraceEvent {
    const recorded = place === undefined ? undefined : this.#recorded[place]
    const isUnsaid =
      event.type === "outcome" &&
      recorded?.type === "outcome" &&
      tagOf(event.outcome) === "Aborted" &&
      tagOf(recorded.outcome) === "Written"
    return isUnsaid ? { ...event, outcome: recorded.outcome } : event
  }

  #tell(event: TraceEvent, place: number | undefined): void {
    if (this.#muted) return
    this.#stir()
    this.#place = place === undefined ? undefined : this.#recorded[place]?.seq
    this.#out.emit(unstamped(event))
    this.#place = undefined
  }

  /** Tells what the medium told before a place of the recording. */
  #weave(place: number): void {
    for (; this.#next < place; this.#next++) {
      const event = this.#recorded[this.#next]
      if (event !== undefined && ofMedium(event)) this.#tell(event, this.#next)
    }
  }
}
