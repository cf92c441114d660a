import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Pull from "effect/Pull"
import * as Result from "effect/Result"
import type { FetchedPage, FetchPage, Page, Position } from "./page.js"
import type { Bounds } from "./policy.js"
import { type Admitted, Progress } from "./progress.js"
import { PaginationStopped, type StopReason } from "./stop.js"

/** Milliseconds that may still be spent waiting for pages; shared by walks that share a deadline. */
export interface Allowance {
  leftMs: number
}

/** What the consumer does when a walk starts again. */
type Consumer =
  /** Has taken what was delivered: nothing may come twice. */
  | "streaming"
  /** Throws everything away and keeps the last generation. */
  | "collecting"

/** One page that was asked for: here, refused, or too late. */
type Answer<Item, E, Meta> = Option.Option<Result.Result<FetchedPage<Item, Meta>, E>>

/** What a pull finds: a page, or how the walk ended. */
type Step<Item, E, R, Meta> = Pull.Pull<Page<Item, Meta>, PaginationStopped<Item, E>, void, R>

/** What a pull finds after the last page. */
type End<Item, E> = Pull.Pull<never, PaginationStopped<Item, E>>

const quoted = (text: string): string =>
  JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text)

const quotedList = (texts: ReadonlyArray<string>): string => {
  const shown = texts.slice(0, 5).map(quoted).join(", ")
  return texts.length > 5 ? `${shown} and ${texts.length - 5} more` : shown
}

/**
 * One walk over a list, page by page. Each pull asks for one page; nothing is asked for before. The
 * rules live here and nowhere else: streams and collections only pull.
 */
export class Walker<Item, E, R, Meta> {
  /** Items of the current generation, where they are retained. */
  items: Array<Item> = []
  /** Whether the list changed while it was read, and the restarts were used up. */
  stale = false

  readonly #fetchPage: FetchPage<Item, E, R, Meta>
  readonly #bounds: Bounds<Item, E>
  readonly #consumer: Consumer
  readonly #allowance: Allowance
  #generation: number
  #progress: Progress<Item>
  #cursor: string | undefined
  #pages = 0
  #itemCount = 0
  #deliveredAny = false
  #changesSeen = 0
  #restartsForChange = 0
  #restartedForCursor = false
  #end: End<Item, E> | undefined

  constructor(
    fetchPage: FetchPage<Item, E, R, Meta>,
    bounds: Bounds<Item, E>,
    consumer: Consumer,
    allowance: Allowance = { leftMs: bounds.deadlineMs },
    generation = 0,
  ) {
    this.#fetchPage = fetchPage
    this.#bounds = bounds
    this.#consumer = consumer
    this.#allowance = allowance
    this.#generation = generation
    this.#progress = new Progress(bounds.identify)
  }

  get generation(): number {
    return this.#generation
  }

  /** The next page; or the end of the list; or why there is no next page. */
  readonly next: Step<Item, E, R, Meta> = Effect.suspend(() => {
    if (this.#end !== undefined) return this.#end
    if (this.#pages > 0 && this.#changed()) this.#restartForChange(this.#pages + 1)
    if (this.#pages === 0) this.#changesSeen = this.#bounds.changeCount()
    const position = { page: this.#pages + 1, generation: this.#generation }
    const cursor = this.#cursor
    if (cursor !== undefined) this.#progress.use(cursor)
    return Effect.flatMap(this.#ask(cursor, position), (answer) =>
      this.#judge(cursor, position, answer),
    )
  })

  /** Asks for a page within the time that is left, and takes the time it took off. */
  #ask(
    cursor: string | undefined,
    position: Position,
  ): Effect.Effect<Answer<Item, E, Meta>, never, R> {
    const fetched = Effect.result(Effect.suspend(() => this.#fetchPage(cursor, position)))
    const allowance = this.#allowance
    if (allowance.leftMs === Infinity) return Effect.asSome(fetched)
    if (allowance.leftMs <= 0) return Effect.succeedNone
    return Clock.clockWith((clock) => {
      const from = clock.monotonicTimeNanosUnsafe()
      return Effect.map(Effect.timeoutOption(fetched, allowance.leftMs), (answer) => {
        allowance.leftMs -= Number(clock.monotonicTimeNanosUnsafe() - from) / 1e6
        return answer
      })
    })
  }

  #judge(
    cursor: string | undefined,
    position: Position,
    answer: Answer<Item, E, Meta>,
  ): Step<Item, E, R, Meta> {
    if (Option.isNone(answer)) {
      const limitMs = this.#bounds.deadlineMs
      return this.#stop({
        code: "walk-deadline",
        limitMs,
        message: `the list was not complete after waiting ${limitMs} ms for its pages`,
      })
    }
    if (Result.isFailure(answer.value)) return this.#refused(cursor, position, answer.value.failure)
    return this.#arrived(cursor, position, answer.value.success)
  }

  #refused(cursor: string | undefined, position: Position, error: E): Step<Item, E, R, Meta> {
    if (cursor === undefined || !this.#bounds.isCursorInvalid(error)) {
      return this.#stop({
        code: "page-failed",
        error,
        message: `page ${position.page} could not be read`,
      })
    }
    if (this.#restartedForCursor || !this.#canRestart()) {
      return this.#stop({
        code: "cursor-invalid",
        cursor,
        error,
        message: `the cursor of page ${position.page} was refused`,
      })
    }
    this.#restartedForCursor = true
    this.#restart(`the cursor of page ${position.page} was refused`)
    return this.next
  }

  #arrived(
    cursor: string | undefined,
    position: Position,
    fetched: FetchedPage<Item, Meta>,
  ): Step<Item, E, R, Meta> {
    const nextCursor = fetched.nextCursor ?? undefined
    // Even a single page may have been written before the change that was announced while it was read.
    if (this.#changed() && this.#restartForChange(position.page)) return this.next
    const room = this.#bounds.maxItems - this.#itemCount
    const admitted = this.#progress.admit(fetched.items, room)
    this.#pages = position.page
    this.#itemCount += admitted.fresh.length
    this.#retain(admitted.fresh)
    this.#deliveredAny ||= admitted.undelivered.length > 0
    this.#cursor = nextCursor
    this.#end = this.#endAfter(position, nextCursor, fetched.items, admitted)
    const items = admitted.undelivered
    return Effect.succeed({ ...position, cursor, nextCursor, items, meta: fetched.meta })
  }

  #retain(fresh: ReadonlyArray<Item>): void {
    if (this.#consumer === "streaming" && this.#itemCount > this.#bounds.retain) this.items = []
    else for (const item of fresh) this.items.push(item)
  }

  /** How the walk ends after a page; `undefined` where it goes on. */
  #endAfter(
    { page }: Position,
    nextCursor: string | undefined,
    items: ReadonlyArray<Item>,
    admitted: Admitted<Item>,
  ): End<Item, E> | undefined {
    const { maxItems, maxPages, note } = this.#bounds
    const leadsOn = nextCursor !== undefined && !admitted.overflow
    if (leadsOn && !this.#progress.advances(items, admitted) && this.#progress.used(nextCursor)) {
      return this.#endOfLoop(page, nextCursor)
    }
    if (admitted.repeated.length > 0) {
      note("unstable-pagination", `page ${page} repeats ${quotedList(admitted.repeated)}`)
    }
    if (admitted.overflow) {
      const message = `the list goes on after ${maxItems} items`
      return this.#stop({ code: "item-limit", limit: maxItems, message })
    }
    if (nextCursor === undefined) return Cause.done()
    if (page < maxPages) return undefined
    const message = `the list goes on after ${maxPages} pages`
    return this.#stop({ code: "page-limit", limit: maxPages, message })
  }

  /** Some servers end their lists with a cursor "" that leads nowhere: that is an end (C005). */
  #endOfLoop(page: number, cursor: string): End<Item, E> {
    const message = `page ${page} brought nothing new and leads back to the cursor ${quoted(cursor)}`
    if (cursor === "") {
      this.#bounds.note("empty-cursor-repeated", message)
      return Cause.done()
    }
    this.#bounds.note("cursor-loop", message)
    return this.#stop({ code: "cursor-loop", cursor, message })
  }

  #changed(): boolean {
    return !this.stale && this.#bounds.changeCount() !== this.#changesSeen
  }

  #outOfDate(why: string): void {
    this.stale = true
    this.#bounds.note("changed-while-listing", why)
  }

  /** Starts again because the list changed; or, where that may not be, says so and returns false. */
  #restartForChange(page: number): boolean {
    const why = `the list changed before page ${page} was there`
    if (this.#restartsForChange >= this.#bounds.maxRestarts) {
      this.#outOfDate(`${why}, and the walk started again ${this.#restartsForChange} times already`)
      return false
    }
    if (!this.#canRestart()) {
      this.#outOfDate(`${why}, and without identities its items would come twice`)
      return false
    }
    this.#restartsForChange++
    this.#restart(why)
    return true
  }

  /**
   * A stream whose items have no identity cannot tell which of them the consumer has already, so it
   * does not start again once it has delivered any.
   */
  #canRestart(): boolean {
    return (
      this.#consumer === "collecting" || this.#bounds.identify !== undefined || !this.#deliveredAny
    )
  }

  #restart(why: string): void {
    const delivered = this.#consumer === "streaming" ? this.#progress.delivered() : undefined
    this.#progress = new Progress(this.#bounds.identify, delivered)
    this.#generation++
    this.#cursor = undefined
    this.#pages = 0
    this.#itemCount = 0
    this.items = []
    this.#bounds.note("walk-restarted", why)
  }

  #stop(reason: StopReason<E>): End<Item, E> {
    const { message } = reason
    const counts = { itemCount: this.#itemCount, pageCount: this.#pages }
    this.#end = Effect.fail(
      new PaginationStopped({ message, reason, items: this.items, ...counts }),
    )
    return this.#end
  }
}
