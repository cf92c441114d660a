import { callOf, isRequest, type Arrival, type ReceivedRequest } from "./arrival.js"
import { matches } from "./match.js"
import type { Match } from "./script.js"

/** Everything a peer noticed, in order, and ways to wait for more of it. No method polls or times out. */
export interface Journal {
  readonly received: ReadonlyArray<Arrival>
  /** The requests that were received, all or those of one method. */
  readonly requests: (method?: string) => ReadonlyArray<ReceivedRequest>
  /** The methods of requests and notifications, in order of arrival. */
  readonly methods: () => ReadonlyArray<string>
  /** How many clients went away: channels closed, HTTP exchanges left, processes gone. */
  readonly disconnects: () => number
  /** Calls for every arrival from now on, as it is noticed. */
  readonly watch: (listener: (arrival: Arrival) => void) => void
  /** The first arrival, past or future, for which the predicate holds. */
  readonly until: (predicate: (arrival: Arrival) => boolean) => Promise<Arrival>
  /**
   * The first arrival of a method, or of what matches, that no earlier `next` has given: so calls in
   * a row walk through them, whether they have come already or not. Ignores `nth`.
   */
  readonly next: (what: string | Match) => Promise<Arrival>
}

interface Waiting {
  readonly wants: (arrival: Arrival) => boolean
  readonly resolve: (arrival: Arrival) => void
  /** Whether the arrival is used up by this wait. */
  readonly takes: boolean
}

/** A journal, and the one way to write into it. */
export const makeJournal = (
  endpoint: string,
): { readonly journal: Journal; readonly record: (arrival: Arrival) => void } => {
  const received: Array<Arrival> = []
  const taken = new Set<Arrival>()
  const waiting = new Set<Waiting>()
  const listeners: Array<(arrival: Arrival) => void> = []

  const satisfies = (arrival: Arrival, wait: Waiting): boolean => {
    if ((wait.takes && taken.has(arrival)) || !wait.wants(arrival)) return false
    if (wait.takes) taken.add(arrival)
    waiting.delete(wait)
    wait.resolve(arrival)
    return true
  }

  const wait = (wants: Waiting["wants"], takes: boolean): Promise<Arrival> =>
    new Promise((resolve) => {
      const entry: Waiting = { wants, takes, resolve }
      waiting.add(entry)
      received.some((arrival) => satisfies(arrival, entry))
    })

  const journal: Journal = {
    received,
    requests: (method) =>
      received
        .filter(isRequest)
        .filter(({ message }) => method === undefined || message.method === method),
    methods: () =>
      received
        .filter(({ kind }) => kind === "request" || kind === "notification")
        .flatMap((arrival) => callOf(arrival)?.method ?? []),
    disconnects: () => received.filter(({ kind }) => kind === "disconnect").length,
    watch: (listener) => void listeners.push(listener),
    until: (predicate) => wait(predicate, false),
    next: (what) => {
      const when = typeof what === "string" ? { method: what } : what
      return wait((arrival) => matches(when, arrival, endpoint), true)
    },
  }
  const record = (arrival: Arrival): void => {
    received.push(arrival)
    for (const listener of listeners) listener(arrival)
    for (const entry of waiting) satisfies(arrival, entry)
  }
  return { journal, record }
}
