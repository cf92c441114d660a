import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { ConnectionClosed, PagedMethod } from "@entente/protocol"
import type { ListingEvent } from "@entente/session"
import type { Connection } from "../call/connection.js"
import { Listeners } from "../wire/listeners.js"
import { KeptList } from "./kept-list.js"
import type { KeyOf } from "./list-difference.js"
import { noticeOf, type ListNotice } from "./list-notice.js"
import { doubtReason, reasonOf, type ListReason } from "./list-reason.js"
import { ListingActor } from "./listing-actor.js"
import { unsupported, type Listing, type ListState } from "./listing.js"
import {
  SharedWalk,
  type Asker,
  type Reading,
  type ReadingOptions,
  type WalkOver,
} from "./shared-walk.js"
import {
  causeOf,
  hasFailed,
  isUnknownMethod,
  listingOf,
  readOf,
  stopOf,
  type Walked,
} from "./walked.js"

/** What a walk came to: for the chart, and for whoever waits. */
interface Verdict<Item> {
  readonly event: Extract<ListingEvent, { type: "read" | "failed" | "refused" }>
  readonly reading: Reading<Item>
}

/**
 * The life of one list: what is kept of it, the chart that says how it stands, and those who follow it. The chart
 * begins with the first use, so that a list that nobody reads costs nothing.
 */
export class ListingLife<Item> {
  readonly method: PagedMethod
  readonly notice: ListNotice | undefined
  readonly stateChanged = new Listeners<ListState>()
  /** What was found where no list could be read, and whether asking again makes no sense (C008). */
  #absent: Listing<Item> | undefined
  #refused = false
  #failure: ListReason | undefined
  #started: ListingActor | undefined
  /** Whether the server told of changes when the list was last read. */
  #readWhileTold = false
  readonly #renewed = new Listeners<Listing<Item>>()
  readonly #shared: SharedWalk<Item>
  readonly #kept: KeptList<Item>
  /** When this connection was made: what is older was kept by another one. */
  readonly #heardSince: number
  readonly #connection: Connection
  readonly #walkOver: WalkOver<Item>

  constructor(
    connection: Connection,
    method: PagedMethod,
    keyOf: KeyOf<Item>,
    walkOver: WalkOver<Item>,
  ) {
    this.method = method
    this.notice = noticeOf[method]
    this.#connection = connection
    this.#heardSince = connection.life.timers.now()
    this.#kept = new KeptList(keyOf)
    this.#shared = new SharedWalk(walkOver, connection.life.fork, connection.target)
    this.#walkOver = walkOver
  }

  /** The last good listing, and whether anything speaks against it. */
  get last(): Listing<Item> | undefined {
    const { listing } = this.#kept
    if (listing === undefined) return undefined
    const doubt = this.#started?.doubt
    if (doubt === undefined) return { ...listing, stale: false }
    return { ...listing, stale: true, staleBecause: doubtReason(doubt, this.#failure) }
  }

  get state(): ListState {
    if (this.#started !== undefined) return this.#started.state
    if (this.#connection.life.ended) return "ended"
    return this.#missing === undefined ? "unknown" : "unsupported"
  }

  /** Something was heard of the list, or of its connection. */
  hear(event: "changed" | "lost" | "missed" | "heardAgain"): void {
    if (event === "changed" || event === "lost") this.#refused = false
    this.#started?.send({ type: event })
  }

  /** The connection is there again, on a new channel or session, and the server may offer other things. */
  recover(): void {
    const missing = this.#missing
    if (missing !== undefined) this.#kept.withdraw(unsupported(missing, this.#kept.version))
    this.#started?.send({ type: "recovered", offered: missing === undefined })
    if (missing !== undefined) this.#tellFollowers()
  }

  /** The server can be heard from now on: a list that is followed may have changed unheard before. */
  listen(): void {
    if (this.#renewed.isEmpty || this.#kept.listing === undefined) return
    if (this.#readWhileTold || !this.#isTold) return
    this.#readWhileTold = true
    this.hear("missed")
    this.hear("heardAgain")
  }

  /** Reads the list in a walk that is shared with all who want the same. */
  read(options: ReadingOptions): Reading<Item> {
    return Effect.suspend(() => {
      const early = this.#withoutAsking(options)
      if (early !== undefined) return Effect.succeed(early)
      const actor = this.#actor
      const { refresh = false, onPage } = options
      // Whoever wants the server to be asked does not share a walk that may be answered by what is kept.
      const isOther = actor.isReading && refresh && !this.#shared.refreshes
      if (actor.state === "ended" || isOther) return this.readAlone(options)
      return Effect.contextWith((context: Context.Context<never>) =>
        Effect.callback((resume) => {
          const leave = this.#shared.join({ resume, onPage })
          if (!actor.isReading) this.#ask({ context, refresh })
          return Effect.sync(() => {
            if (leave()) actor.send({ type: "gaveUp" })
          })
        }),
      )
    })
  }

  /** Reads the list in a walk of its own, because it differs in something. */
  readAlone(options: ReadingOptions): Reading<Item> {
    return Effect.suspend(() => {
      const early = this.#withoutAsking(options)
      if (early !== undefined) return Effect.succeed(early)
      const number = this.#kept.begin()
      return Effect.flatMap(
        this.#walkOver(options, () => {}),
        (walked) => {
          const { event, reading } = this.#judge(walked, number)
          if (event.type === "read") this.#actor.send({ ...event, type: "overheard" })
          this.#tellFollowers()
          return reading
        },
      )
    })
  }

  /**
   * Hears the list now, if there is one, then every newer version of it, and has it kept up to date until the
   * function returned is called.
   */
  follow(listener: (listing: Listing<Item>) => void): () => void {
    let version: number | undefined
    const take = (listing: Listing<Item>): void => {
      if (listing.version === version) return
      version = listing.version
      listener(listing)
    }
    const { notice } = this
    const { listening } = this.#connection.life
    const stop = this.#renewed.add(take)
    const forget = notice === undefined ? () => {} : listening.lists.add(notice)
    const shown = this.last ?? this.#withoutAsking({})
    if (shown !== undefined) take(shown)
    this.#actor.send({ type: "follow" })
    if (this.#isDoubtful) this.#ask(undefined)
    return () => {
      stop()
      forget()
      this.#actor.send({ type: "leave" })
    }
  }

  /** The capability that the server would have to declare, in words. */
  get #missing(): string | undefined {
    const missing = this.#connection.missing(this.method)
    return missing && `The server did not declare the capability "${missing}".`
  }

  /** What answers without a request: the list is not offered, or was found not to be there. */
  #withoutAsking({ refresh = false }: ReadingOptions): Listing<Item> | undefined {
    const missing = this.#missing
    if (missing !== undefined) return unsupported(missing, this.#kept.version)
    return this.#refused && !refresh ? this.#absent : undefined
  }

  get #isTold(): boolean {
    return this.notice !== undefined && this.#connection.life.listening.tellsOf(this.notice)
  }

  /** There is a list, but neither the server's word nor its notices vouch for it. */
  get #isDoubtful(): boolean {
    const { isReading, isFresh, doubt } = this.#actor
    if (this.#kept.listing === undefined || this.#missing !== undefined) return false
    if (isReading || isFresh) return false
    return doubt !== undefined || !this.#isTold
  }

  get #actor(): ListingActor {
    return (this.#started ??= this.#start())
  }

  #start(): ListingActor {
    const { life, notes } = this.#connection
    const { timers, runner, ready } = life
    const actor: ListingActor = new ListingActor(
      {
        walk: (tell) => {
          const number = this.#kept.begin()
          return this.#shared.begin(tell, (exit) => {
            const { event, reading } = this.#conclude(exit, number)
            tell(event)
            if (life.ended) actor.send({ type: "end" })
            this.#tellFollowers()
            this.#shared.settle(reading)
          })
        },
        churned: () => {
          const detail = `${this.method}: it is called changed again and again, and is the same`
          notes.add({ code: "catalog-churn", detail })
        },
        changed: (state) => this.stateChanged.tell(state),
      },
      { offered: this.#missing === undefined, online: ready, now: timers.now, random: Math.random },
      runner,
    )
    // A walk that is under way ends by itself, and those who wait for it hear why.
    life.whenEnded(() => {
      if (!actor.isReading) actor.send({ type: "end" })
    })
    return actor
  }

  #ask(asker: Asker | undefined): void {
    this.#shared.asker = asker
    this.#actor.send({ type: "ask" })
  }

  #tellFollowers(): void {
    const shown = this.last ?? this.#absent
    if (shown !== undefined) this.#renewed.tell(shown)
  }

  #conclude(exit: Exit.Exit<Walked<Item>, ConnectionClosed>, number: number): Verdict<Item> {
    if (Exit.isSuccess(exit)) return this.#judge(exit.value, number)
    return { event: { type: "failed", requests: 0 }, reading: Effect.failCause(exit.cause) }
  }

  /** What a walk makes of the list. */
  #judge(walked: Walked<Item>, number: number): Verdict<Item> {
    const { requests } = walked
    const failed = { type: "failed", requests } as const
    const stop = stopOf(walked)
    const cause = causeOf(walked)
    this.#failure = stop === undefined ? undefined : reasonOf(stop)
    this.#readWhileTold = this.#isTold
    if (cause?._tag === "ConnectionClosed") return { event: failed, reading: Effect.fail(cause) }
    const listing = listingOf(walked)
    if (listing.status === "unavailable") {
      this.#absent = listing
      this.#refused = isUnknownMethod(cause)
      if (this.#refused) this.#noteUnknown()
      const event = this.#refused ? ({ type: "refused", requests } as const) : failed
      return { event, reading: Effect.succeed(listing) }
    }
    // What is whole is not given up for a part of something newer (V26-CACHE-05).
    if (hasFailed(walked) && this.#kept.listing?.status === "complete") {
      return { event: failed, reading: Effect.succeed(listing) }
    }
    this.#absent = undefined
    this.#refused = false
    const { listing: kept, news } = this.#kept.adopt(listing, number)
    return {
      event: { type: "read", requests, ...readOf(walked, news, this.#heardSince) },
      reading: Effect.succeed(kept),
    }
  }

  #noteUnknown(): void {
    const detail = `${this.method} is unknown to the server, which declared its capability`
    this.#connection.notes.add({ code: "advertised-but-unimplemented", detail })
  }
}
