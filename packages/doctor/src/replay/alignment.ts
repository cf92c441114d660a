import { isJsonObject } from "@entente/protocol"
import type { FrameEvent, TraceEvent } from "@entente/trace"
import { paramsText, partsOf } from "./recorded-message.js"

/** Names what an event of a channel is, so that events of one name can be told apart by their order alone. */
class Labels {
  /** Requests by direction, channel and id, with the place in the recording that each stands for. */
  readonly #requests = new Map<string, { readonly method: string; readonly place: number }>()
  readonly #sends = new Map<string, number>()

  /** The name of an event; undefined for what does not come from a channel. */
  of(event: TraceEvent): string | undefined {
    switch (event.type) {
      case "frame":
        return event.channel === undefined ? undefined : this.#frame(event)
      case "outcome":
        return `outcome of ${this.#sends.get(`${event.channel} ${event.send}`)}`
      case "channel":
      case "stream":
        return `${event.type} ${event.event}`
      case "note":
        return event.channel === undefined ? undefined : `note ${event.code}`
      case "unreadable":
        return "unreadable"
      case "ask":
        return `ask ${event.what}`
      default:
        return undefined
    }
  }

  /** The event stands for this place in the recording: what belongs to it is named after the place. */
  learn(event: TraceEvent, place: number): void {
    if (event.type !== "frame") return
    const { channel, send, direction } = event
    if (send !== undefined && direction === "out") this.#sends.set(`${channel} ${send}`, place)
    const { id, method } = partsOf(event.message)
    if (id === undefined || method === undefined) return
    this.#requests.set(`${direction} ${channel} ${id}`, { method, place })
  }

  #frame({ direction, channel, message }: FrameEvent): string {
    const { id, method } = partsOf(message)
    if (method !== undefined)
      return `${direction} ${id === undefined ? "notice" : "request"} ${method}`
    if (Array.isArray(message)) return `${direction} batch`
    const asked = this.#requests.get(`${direction === "in" ? "out" : "in"} ${channel} ${id}`)
    return `${direction} answer to ${asked?.place}`
  }
}

interface Waiting {
  readonly place: number
  readonly params: string
}

/** How far the replay has come in the recording. */
export interface Sync {
  /** The place of the latest event that happened again. */
  readonly place: number
  /** When it happened in the replay. */
  readonly at: number
}

/**
 * Lays the events of a replay beside those of the recording: which of them is which. Messages are matched as the
 * replay transport matches them, by method and order, of several rather the one with the same parameters.
 */
export class Alignment {
  readonly #labels = new Labels()
  readonly #waiting = new Map<string, Array<Waiting>>()
  readonly #places = new Map<number, TraceEvent>()
  readonly #matched = new Set<number>()
  readonly #exchanges = new Map<number, number>()
  #strangers: number
  /** Undefined until something has happened again. */
  sync: Sync | undefined

  constructor(events: ReadonlyArray<TraceEvent>) {
    const labels = new Labels()
    let highest = 0
    events.forEach((event, place) => {
      if ("exchange" in event && event.exchange !== undefined) {
        highest = Math.max(highest, event.exchange)
      }
      const label = labels.of(event)
      if (label === undefined) return
      labels.learn(event, place)
      this.#places.set(place, event)
      const params = isRequestOut(event) ? paramsText(event.message) : ""
      const same = this.#waiting.get(label)
      if (same === undefined) this.#waiting.set(label, [{ place, params }])
      else same.push({ place, params })
    })
    this.#strangers = highest
  }

  /** The place in the recording of an event of the replay, if it has one. */
  match(event: TraceEvent): number | undefined {
    const label = this.#labels.of(event)
    if (label === undefined) return undefined
    const waiting = this.#waiting.get(label) ?? []
    const params = isRequestOut(event) ? paramsText(event.message) : ""
    const same = params === "" ? 0 : waiting.findIndex((one) => one.params === params)
    const [found] = waiting.splice(Math.max(same, 0), 1)
    if (found === undefined) return undefined
    const { place } = found
    this.#matched.add(place)
    this.#labels.learn(event, place)
    this.#learnExchange(event, this.#places.get(place))
    this.#synchronise(place, event.at)
    return place
  }

  has(place: number): boolean {
    return this.#matched.has(place)
  }

  /** The place of the next opening that has not happened again. */
  get nextOpening(): number | undefined {
    const places = ["opened", "failed"].flatMap(
      (event) => this.#waiting.get(`channel ${event}`)?.[0]?.place ?? [],
    )
    return places.length === 0 ? undefined : Math.min(...places)
  }

  /** Events of the recording that have not happened again, by place. */
  get missing(): ReadonlyArray<readonly [number, TraceEvent]> {
    return [...this.#places].filter(([place]) => !this.#matched.has(place))
  }

  /** The event with the number that its exchange has in the recording, so that it fits to what is there. */
  renumbered(event: TraceEvent): TraceEvent {
    if (!("exchange" in event) || event.exchange === undefined || event.exchange === 0) return event
    const known = this.#exchanges.get(event.exchange)
    if (known !== undefined) return { ...event, exchange: known }
    this.#exchanges.set(event.exchange, ++this.#strangers)
    return { ...event, exchange: this.#strangers }
  }

  /** What comes late, after something that followed it in the recording, makes all that follows late as well. */
  #synchronise(place: number, at: number): void {
    const { sync } = this
    if (sync === undefined || place >= sync.place) {
      this.sync = { place, at }
      return
    }
    const recordedAt = (index: number): number => this.#places.get(index)?.at ?? 0
    const late = at + recordedAt(sync.place) - recordedAt(place)
    if (late > sync.at) this.sync = { place: sync.place, at: late }
  }

  #learnExchange(event: TraceEvent, recorded: TraceEvent | undefined): void {
    if (recorded === undefined || !("exchange" in event) || !("exchange" in recorded)) return
    if (event.exchange === undefined || recorded.exchange === undefined) return
    this.#exchanges.set(event.exchange, recorded.exchange)
  }
}

const isRequestOut = (event: TraceEvent): event is FrameEvent =>
  event.type === "frame" &&
  event.direction === "out" &&
  isJsonObject(event.message) &&
  "method" in event.message
