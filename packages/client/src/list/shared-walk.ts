import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Position } from "@entente/pagination"
import { ConnectionClosed, explain } from "@entente/protocol"
import type { Fork } from "@entente/session"
import type { Listing } from "./listing.js"
import type { TellListing } from "./listing-actor.js"
import type { Walked } from "./walked.js"

/** What a reading comes to: it fails only where there is no connection any more. */
export type Reading<Item> = Effect.Effect<Listing<Item>, ConnectionClosed>

/** How far a walk has come. */
export interface WalkProgress {
  readonly pages: number
  readonly items: number
}

/** A reading as its caller wants it. */
export interface ReadingOptions {
  readonly refresh?: boolean
  readonly onPage?: (progress: WalkProgress) => void
}

/** Walks over the list once; `arrived` is told of each page. */
export type WalkOver<Item> = (
  options: ReadingOptions,
  arrived: (position: Position) => void,
) => Effect.Effect<Walked<Item>>

/** Whom a walk is begun for: its pages belong to their trace. */
export interface Asker {
  readonly context: Context.Context<never>
  readonly refresh: boolean
}

/** Somebody who waits for the walk under way. */
interface Waiter<Item> {
  readonly resume: (reading: Reading<Item>) => void
  readonly onPage: ReadingOptions["onPage"]
}

/** The one walk that the chart of a list has under way, and those who share what it brings. */
export class SharedWalk<Item> {
  /** For whom the next walk begins; undefined where nobody waits for it. */
  asker: Asker | undefined
  #waiters = new Set<Waiter<Item>>()
  #refreshes = false
  readonly #walkOver: WalkOver<Item>
  readonly #target: string
  readonly #fork: Fork

  constructor(walkOver: WalkOver<Item>, fork: Fork, target: string) {
    this.#walkOver = walkOver
    this.#fork = fork
    this.#target = target
  }

  /** Whether the walk under way asks the server, whatever is kept. */
  get refreshes(): boolean {
    return this.#refreshes
  }

  /** Waits for the walk; the function returned gives that up, and says whether that leaves nobody. */
  join(waiter: Waiter<Item>): () => boolean {
    this.#waiters.add(waiter)
    return () => this.#waiters.delete(waiter) && this.#waiters.size === 0
  }

  /** Begins a walk; `over` hears what it came to, unless the function returned has taken it back. */
  begin(
    tell: TellListing,
    over: (walked: Exit.Exit<Walked<Item>, ConnectionClosed>) => void,
  ): () => void {
    const { asker } = this
    this.asker = undefined
    this.#refreshes = asker?.refresh ?? true
    const walk = this.#walkOver(
      { refresh: this.#refreshes, onPage: (progress) => this.#announce(progress) },
      (position) => {
        if (isWorthTelling(position)) tell({ type: "page", ...position })
      },
    )
    const fiber = asker === undefined ? this.#fork(walk) : Effect.runForkWith(asker.context)(walk)
    let wanted = true
    fiber.addObserver((exit) => {
      if (!wanted) return
      const isCut = Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)
      over(isCut ? Exit.fail(this.#closed()) : exit)
    })
    return () => {
      wanted = false
      fiber.interruptUnsafe()
    }
  }

  /** All hear the same; whoever comes from now on waits for another walk. */
  settle(reading: Reading<Item>): void {
    const waiters = this.#waiters
    this.#waiters = new Set()
    for (const { resume } of waiters) resume(reading)
  }

  /** Tells of a page. Whoever throws then has lost only its own reading. */
  #announce(progress: WalkProgress): void {
    for (const waiter of this.#waiters) {
      try {
        waiter.onPage?.({ ...progress })
      } catch (defect) {
        this.#waiters.delete(waiter)
        waiter.resume(Effect.die(defect))
      }
    }
  }

  /** A walk that nobody waits for ends with the scope of the connection. */
  #closed(): ConnectionClosed {
    const what = "The connection was closed before the list was read."
    return new ConnectionClosed(explain("closed", "list", this.#target, what))
  }
}

/** The chart hears of every new beginning, and of pages 2, 4, 8 …: it is no place for each page of a long list. */
const isWorthTelling = ({ page, generation }: Position): boolean =>
  page === 1 ? generation > 0 : (page & (page - 1)) === 0
