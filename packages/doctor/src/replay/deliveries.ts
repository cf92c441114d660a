import { isJsonObject } from "@entente/protocol"
import type { TraceEvent } from "@entente/trace"
import type { Alignment } from "./alignment.js"
import type { RecordedRun } from "./recorded-run.js"

/** Something that the recorded client heard. */
interface Delivery {
  readonly place: number
  /** The place of the message that it belongs to; undefined where nothing of the owner's has to come first. */
  readonly of: number | undefined
}

/** What comes of the client itself, or is not said again. */
const unheard: ReadonlySet<unknown> = new Set(["Written", "Aborted"])

const tagOf = (value: unknown): unknown => (isJsonObject(value) ? value["_tag"] : undefined)

const isHeard = (event: TraceEvent): boolean => {
  switch (event.type) {
    case "frame":
      return event.direction === "in" && event.channel !== undefined
    case "outcome":
      return !unheard.has(tagOf(event.outcome))
    case "stream":
      return event.event !== "asked" && !unheard.has(tagOf(event.end))
    case "unreadable":
      return true
    case "channel":
      return event.event === "closed"
    default:
      return false
  }
}

/** What the recorded client heard, in order. */
const deliveriesIn = ({ events, answers }: RecordedRun): ReadonlyArray<Delivery> => {
  const requests = new Map([...answers].map(([request, answer]) => [answer, request]))
  const sends = new Map<string, number>()
  return events.flatMap((event, place): ReadonlyArray<Delivery> => {
    if (event.type === "frame" && event.direction === "out" && event.send !== undefined) {
      sends.set(`${event.channel} ${event.send}`, place)
    }
    if (!isHeard(event)) return []
    const of =
      event.type === "outcome" ? sends.get(`${event.channel} ${event.send}`) : requests.get(place)
    return [{ place, of }]
  })
}

/** Which of the things that the recorded client heard are still to come. */
export class Deliveries {
  readonly #all: ReadonlyArray<Delivery>
  readonly #alignment: Alignment
  /** Nothing before it is waited for any more. */
  #next = 0

  constructor(run: RecordedRun, alignment: Alignment) {
    this.#all = deliveriesIn(run)
    this.#alignment = alignment
  }

  /** Whether something that the recording has before a place is still to come. */
  isOwedBefore(place: number): boolean {
    for (; ; this.#next++) {
      const delivery = this.#all[this.#next]
      if (delivery === undefined || delivery.place >= place) return false
      if (this.#isToCome(delivery)) return true
    }
  }

  /** Stops waiting for anything before a place. */
  giveUpBefore(place: number): void {
    while ((this.#all[this.#next]?.place ?? Infinity) < place) this.#next++
  }

  #isToCome({ place, of }: Delivery): boolean {
    return !this.#alignment.has(place) && (of === undefined || this.#alignment.has(of))
  }
}
