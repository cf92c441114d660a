import { createActor, fromCallback, type Actor } from "xstate"
import {
  listingMachine,
  type ListingDoubt,
  type ListingEvent,
  type ListingInput,
} from "@entente/session"
import type { ChartRunner } from "../life/charts.js"
import type { ListState } from "./listing.js"

/** Tells the chart what becomes of a walk. */
export type TellListing = (event: ListingEvent) => void

export interface ListingHooks {
  /** Walks over the list; the function returned takes that back. */
  readonly walk: (tell: TellListing) => () => void
  /** The server calls the list changed again and again, and it is the same. */
  readonly churned: () => void
  readonly changed: (state: ListState) => void
}

/** The chart of one list, running over walks of whatever kind. */
export class ListingActor {
  readonly #actor: Actor<typeof listingMachine>
  #state: ListState = "unknown"

  constructor(hooks: ListingHooks, input: ListingInput, { clock, inspect }: ChartRunner) {
    const machine = listingMachine.provide({
      actors: { walk: fromCallback<ListingEvent>(({ sendBack }) => hooks.walk(sendBack)) },
      actions: { noteChurn: hooks.churned },
    })
    this.#actor = createActor(machine, { id: "listing", clock, inspect, input })
    this.#actor.subscribe(({ value }) => {
      if (value === this.#state || value === "settling") return
      this.#state = value
      hooks.changed(value)
    })
    this.#actor.start()
  }

  get state(): ListState {
    return this.#state
  }

  get isReading(): boolean {
    return this.#state === "fetching" || this.#state === "refreshing"
  }

  /** Whether the server said that the list may be used again without asking, and nothing speaks against it. */
  get isFresh(): boolean {
    const { expiresAt = 0, now, doubt, held } = this.#actor.getSnapshot().context
    return doubt === undefined && held === "whole" && now() < expiresAt
  }

  /** Why the list may be out of date; undefined where nothing says so. */
  get doubt(): ListingDoubt | undefined {
    return this.#actor.getSnapshot().context.doubt
  }

  send(event: ListingEvent): void {
    if (this.#state !== "ended") this.#actor.send(event)
  }
}
