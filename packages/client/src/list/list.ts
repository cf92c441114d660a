import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import {
  ListIncomplete,
  explain,
  readPage,
  requests,
  type ConnectionClosed,
  type EntenteError,
  type ItemOf,
  type JsonObject,
  type Page,
  type PageContext,
  type PagedMethod,
  type Tool,
} from "@entente/protocol"
import {
  collect,
  collectVerified,
  paginate,
  type FetchPage,
  type Pagination,
  type PaginationPolicy,
  type PaginationStopped,
  type Position,
} from "@entente/pagination"
import { PageCache, refusesCursor } from "../cache/page-cache.js"
import type { CallOptions } from "../call/call-options.js"
import type { Connection } from "../call/connection.js"
import { invalidResult, resultTypeOf } from "../call/result-type.js"
import { watchNewest } from "../watch.js"
import type { Listeners } from "../wire/listeners.js"
import { ListChanges, type WalkChanges } from "./list-changes.js"
import type { ListNotice } from "./list-notice.js"
import { reasonOf, type ListReason } from "./list-reason.js"
import { ListingLife } from "./listing-life.js"
import type { Listing, ListPage, ListState } from "./listing.js"
import type { PageMeta, Walked } from "./walked.js"

export interface ListOptions extends CallOptions {
  /** Reads whole lists until two in a row agree, at most three (C097). */
  readonly verify?: boolean
  /**
   * Asks the server for every page, also where what is kept is fresh, or the list was found unavailable
   * (C008).
   */
  readonly refresh?: boolean
  /**
   * Streams only: whether the items that were delivered are also kept, so that the error of a list that ends too
   * early can carry them. By default they are while there are at most 1,000, and none of them from then on: what
   * a stream holds does not grow with the list. `true` keeps all of them, `false` none.
   */
  readonly retain?: boolean
  /** Is told of each page as it arrives. */
  readonly onPage?: (progress: { readonly pages: number; readonly items: number }) => void
}

/** Whether a reading differs in nothing from what others may want as well. */
const isPlain = ({ onPage: _told, refresh: _again, verify, ...others }: ListOptions): boolean =>
  verify !== true && Object.values(others).every((option) => option === undefined)

/** The lists a client offers; tasks have an interface of their own. */
export type ListMethod = Exclude<PagedMethod, "tasks/list">

/** One kind of list of one server. */
export class List<Method extends PagedMethod> {
  readonly method: Method
  readonly #connection: Connection
  readonly #changes = new ListChanges()
  readonly #pages: PageCache
  readonly #life: ListingLife<ItemOf<Method>>
  /** Whose the pages of the last walk are, where one of them is private. */
  #whose: string | undefined

  constructor(connection: Connection, method: Method) {
    this.#connection = connection
    this.method = method
    this.#pages = new PageCache(connection, method)
    this.#life = new ListingLife(connection, method, this.keyOf, (options, arrived) =>
      this.#walk(options, arrived),
    )
  }

  /** The last listing that had items to show, also while a new one is read or fails. */
  get last(): Listing<ItemOf<Method>> | undefined {
    const { last } = this.#life
    return last !== undefined && this.#pages.isForeign(this.#whose)
      ? { ...last, stale: true, staleBecause: last.staleBecause ?? readAsAnother }
      : last
  }

  /** How the list stands. */
  get state(): ListState {
    return this.#life.state
  }

  /** Hears whenever `state` changes. */
  get stateChanged(): Listeners<ListState> {
    return this.#life.stateChanged
  }

  /** The notification with which the server says that the list has changed. */
  get notice(): ListNotice | undefined {
    return this.#life.notice
  }

  /** What tells an item from others: its name, URI or URI template. */
  readonly keyOf = (item: ItemOf<Method>): string => {
    const { key } = requests[this.method].page
    // The table names the member, and the schema made sure of it.
    return String((item as { readonly [member: string]: unknown })[key])
  }

  /** The server says that the list has changed. */
  markChanged(): void {
    this.#changes.notice()
    this.#pages.discard()
    this.#life.hear("changed")
  }

  /** The connection, or the session that the list was read in, is lost. */
  markLost(): void {
    this.#changes.lose()
    this.#pages.doubt()
    this.#life.hear("lost")
  }

  /** Nothing was heard of the server for a while, so that the list may have changed unnoticed. */
  markMissed(): void {
    this.#pages.doubt()
    this.#life.hear("missed")
  }

  /** The server is heard again: what was read before is read again. */
  markHeardAgain(): void {
    this.#life.hear("heardAgain")
  }

  /** The connection is ready again: what was read before is read again (C019, C118). */
  markRecovered(): void {
    this.#life.recover()
  }

  /** The server can be heard from now on. */
  markListening(): void {
    this.#life.listen()
  }

  /** Pages as they arrive; fails where the list ends before its end. */
  pages(options: ListOptions = {}): Stream.Stream<ListPage<ItemOf<Method>>, EntenteError> {
    return this.#gated(options, ({ pages }) =>
      Stream.map(pages, ({ page, generation, items, meta }) => ({
        page,
        generation,
        items,
        quarantined: meta?.quarantined ?? [],
      })),
    )
  }

  /** Items as they arrive. Breaking off stops the page under way. */
  stream(options: ListOptions = {}): Stream.Stream<ItemOf<Method>, EntenteError> {
    return this.#gated(options, ({ items }) => items)
  }

  /**
   * The list now, then every newer version of it. While somebody reads this, what the server says of changes
   * leads to a new reading: at once, and for what comes soon after together. A slow reader gets the newest.
   * Ends with the connection, and fails when it fails.
   */
  follow(): Stream.Stream<Listing<ItemOf<Method>>, EntenteError> {
    return watchNewest(this.#connection.life, (put: (listing: Listing<ItemOf<Method>>) => void) =>
      this.#life.follow(put),
    )
  }

  /**
   * Like `follow`, for a listener, which is called at once where there is a list already; the function returned
   * stops it.
   */
  onListing(listener: (listing: Listing<ItemOf<Method>>) => void): () => void {
    return this.#life.follow(listener)
  }

  /**
   * The whole list: what is kept, for as long as the server said that it may be used again and nothing speaks
   * against it (V26-CACHE-02), and else read anew. Those who ask at the same time share one walk. It fails only
   * where there is no connection any more.
   */
  list(options: ListOptions = {}): Effect.Effect<Listing<ItemOf<Method>>, ConnectionClosed> {
    return isPlain(options) ? this.#life.read(options) : this.#life.readAlone(options)
  }

  #walk(
    options: ListOptions,
    arrived: (position: Position) => void,
  ): Effect.Effect<Walked<ItemOf<Method>>> {
    return Effect.suspend(() => {
      const changes = this.#changes.watch()
      const startedAt = this.#connection.life.timers.now()
      const progress = { pages: 0, items: 0 }
      const fetchPage = this.#announced(options, changes, progress, arrived)
      const collecting = options.verify === true ? collectVerified : collect
      return Effect.map(collecting(fetchPage, this.#policy(changes)), (walk) => {
        if (walk.pages.length > 0) {
          this.#whose = this.#pages.whose(walk.pages.map(({ meta }) => meta?.freshness))
        }
        const outdated = walk.stale || changes.movedSince()
        return { walk, startedAt, requests: progress.pages, outdated }
      })
    })
  }

  /** The pages of a walk, each counted and announced as it arrives. */
  #announced(
    options: ListOptions,
    changes: WalkChanges,
    progress: { pages: number; items: number },
    arrived: (position: Position) => void,
  ): FetchPage<ItemOf<Method>, EntenteError, never, PageMeta> {
    const { onPage } = options
    const fetchPage = this.#fetch(options, changes)
    return (cursor, position) =>
      Effect.map(fetchPage(cursor, position), (page) => {
        progress.pages++
        progress.items += page.items.length
        arrived(position)
        onPage?.({ ...progress })
        return page
      })
  }

  #gated<A>(
    options: ListOptions,
    walk: (
      streams: Pagination<ItemOf<Method>, EntenteError, never, PageMeta>,
    ) => Stream.Stream<A, PaginationStopped<ItemOf<Method>, EntenteError>>,
  ): Stream.Stream<A, EntenteError> {
    // `call` refuses the first page where the capability is absent, so no gate is needed here.
    return Stream.suspend(() => {
      const changes = this.#changes.watch()
      const { retain = mostRetained } = options
      const policy = { ...this.#policy(changes), retain }
      const streams = paginate(this.#fetch(options, changes), policy)
      return Stream.mapError(walk(streams), (stopped) => this.#incomplete(stopped))
    })
  }

  #incomplete(stopped: PaginationStopped<ItemOf<Method>, EntenteError>): EntenteError {
    const { reason } = stopped
    // A list that never began has failed; it is not incomplete.
    if ("error" in reason && stopped.pageCount === 0) return reason.error
    const shown = reasonOf(reason)
    const what = `${this.method} ended after ${stopped.itemCount} items: ${shown.message}`
    return new ListIncomplete({
      ...explain("list-incomplete", "list", this.#connection.target, what),
      method: this.method,
      items: stopped.items,
      itemCount: stopped.itemCount,
      reason: shown,
      ...("error" in reason ? { cause: reason.error } : {}),
    })
  }

  #fetch(
    options: ListOptions,
    changes: WalkChanges,
  ): FetchPage<ItemOf<Method>, EntenteError, never, PageMeta> {
    // The pages of one walk belong to the same trace.
    const threaded = this.#connection.threaded(options)
    return (cursor, { page }) => {
      const params = cursor === undefined ? undefined : { cursor }
      const ask = Effect.suspend(() => {
        const came = page === 1 ? changes.askFirst() : () => {}
        return Effect.tap(this.#connection.request(this.method, params, threaded), () =>
          Effect.sync(came),
        )
      })
      const read = (result: JsonObject) => this.#read(result, page)
      return Effect.map(
        this.#pages.fetch(cursor, options, { ask, read }),
        ({ page: { items, nextCursor, quarantined }, freshness }) => ({
          items,
          nextCursor,
          meta: { quarantined, freshness },
        }),
      )
    }
  }

  #read(result: JsonObject, page: number): Effect.Effect<Page<ItemOf<Method>>, EntenteError> {
    // V26-MRTR-01: a list never asks for anything, so that its result is complete or invalid.
    const type = resultTypeOf(this.#connection, this.method, {}, result)
    if (!type.ok) return Effect.fail(invalidResult(this.#connection, this.method, type))
    const { notes, outputSchemas, target } = this.#connection
    const context = { page: page - 1, target, policy: notes.policy, ...this.#exclusion }
    const read = readPage(this.method, result, context)
    if (!read.ok) return Effect.fail(read.error)
    for (const note of read.notes) notes.add(note)
    // Items of this one method are tools.
    if (this.method === "tools/list") outputSchemas.learn(read.items as ReadonlyArray<Tool>)
    return Effect.succeed(read)
  }

  /** Over HTTP a modern server's tools are looked at for headers that arguments go into (V26-XHDR-04). */
  get #exclusion(): Pick<PageContext<Method>, "exclude"> {
    const { mirrored } = this.#connection
    // Where the method is that of tools, so are the items.
    return this.method === "tools/list" && mirrored.active
      ? { exclude: mirrored.learn as NonNullable<PageContext<Method>["exclude"]> }
      : {}
  }

  #policy(changes: WalkChanges): PaginationPolicy<ItemOf<Method>, EntenteError> {
    const { maxPages, maxItems, deadlineMs } = this.#connection.lists
    return {
      ...(maxPages === undefined ? {} : { maxPages }),
      ...(maxItems === undefined ? {} : { maxItems }),
      ...(deadlineMs === undefined ? {} : { deadline: deadlineMs }),
      identify: this.keyOf,
      isCursorInvalid: refusesCursor,
      changeCount: changes.count,
      onNote: (note) => this.#connection.notes.add(note),
    }
  }
}

/** As many items as an error of a stream carries, unless it was asked for all or none. */
const mostRetained = 1_000

/** Lists may differ by who asks (V26-CACHE-14, V26-AUTH-36). */
const readAsAnother: ListReason = {
  code: "authorization-changed",
  message: "the list was read with another authorization than the one in use now",
}
