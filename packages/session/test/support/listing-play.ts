import { createActor, fromCallback, SimulatedClock } from "xstate"
import {
  listingMachine,
  type ListingEvent,
  type ListingPolicy,
  type ListingRead,
} from "../../src/index.js"
import type { Taken } from "./transitions.js"

/** A list whose walks are played by the test. */
export const playListing = (taken: Taken, policy: Partial<ListingPolicy> = {}, offered = true) => {
  const clock = new SimulatedClock()
  const walks: Array<number> = []
  const stopped: Array<number> = []
  let churn = 0
  let sendBack: (event: ListingEvent) => void = () => {}
  const machine = listingMachine.provide({
    actors: {
      walk: fromCallback<ListingEvent>((walk) => {
        walks.push(clock.now())
        sendBack = walk.sendBack
        return () => stopped.push(clock.now())
      }),
    },
    actions: { noteChurn: () => churn++ },
  })
  const actor = createActor(machine, {
    input: { offered, now: () => clock.now(), random: () => 0, policy },
    clock,
    inspect: taken.inspect,
  })
  actor.start()
  const state = () => actor.getSnapshot().value
  const context = () => actor.getSnapshot().context
  const send = (...events: ReadonlyArray<ListingEvent | ListingEvent["type"]>): void => {
    for (const event of events) {
      actor.send(typeof event === "string" ? ({ type: event } as ListingEvent) : event)
    }
  }
  /** What the walk under way tells: pages, and then what it came to. */
  const pages = (count: number, generation = 0): void => {
    for (let page = 1; page <= count; page++) sendBack({ type: "page", page, generation })
  }
  const read = (rest: Partial<ListingRead> = {}): void => {
    pages(1)
    sendBack({ ...whole, ...rest })
  }
  return {
    actor,
    clock,
    walks,
    stopped,
    state,
    context,
    send,
    pages,
    read,
    tell: (event: ListingEvent) => sendBack(event),
    churn: () => churn,
  }
}

export const whole = {
  type: "read",
  requests: 1,
  whole: true,
  news: true,
  outdated: false,
  cached: false,
  failed: false,
} as const
export const failed = { type: "failed", requests: 1 } as const
export const refused = { type: "refused", requests: 1 } as const
export const same = { news: false }
export const overheard = (rest: Partial<ListingRead> = {}) =>
  ({ ...whole, ...rest, type: "overheard" }) as const
export const recovered = (offered = true) => ({ type: "recovered", offered }) as const

/** A list that was read and is followed. */
export const playFollowed = (taken: Taken) => {
  const list = playListing(taken)
  list.send("follow")
  list.read()
  return list
}
