import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import {
  ListIncomplete,
  explain,
  readPage,
  requests,
  rpcCode,
  type ConnectionClosed,
  type EntenteError,
  type ItemOf,
  type JsonObject,
  type Page,
  type PageContext,
  type PagedMethod,
  type Quarantined,
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
} from "@entente/pagination"
import { PageCache, refusesCursor } from "../cache/page-cache.js"
import type { KeptFreshness } from "../cache/kept-text.js"
import type { CallOptions } from "../call/call-options.js"
import type { Connection } from "../call/connection.js"
import { ListChanges, type WalkChanges } from "./list-changes.js"
import { reasonOf, type ListReason } from "./list-reason.js"
import { sameJson } from "./same-json.js"
import { invalidResult, resultTypeOf } from "../call/result-type.js"

/** A list as it was read: complete, or with the reason why it is not. */
export interface Listing<Item> {
  /**
   * `complete`; `partial`: a guard or an error stopped it, the items so far are here; `unsupported`: the
   * capability is absent and nothing was sent; `unavailable`: advertised, but every attempt failed.
   */
  readonly status: "complete" | "partial" | "unsupported" | "unavailable"
  readonly pages: number
  /** What the server sent, unchanged; broken items are in `quarantined` instead. */
  readonly items: ReadonlyArray<Item>
  readonly quarantined: ReadonlyArray<Quarantined>
  /**
   * Whether the list has changed, its connection was lost, or the authorization that it was private to is
   * another one, since it was read.
   */
  readonly stale: boolean
  /** Whether the items differ from those of the last good listing; absent for the first. */
  readonly changed?: boolean
  /** Why the list is not complete. */
  readonly reason?: ListReason
}

/** A list that is not offered, and why: nothing was sent for it. */
export const unsupported = (message: string): Listing<never> => ({
  status: "unsupported",
  pages: 0,
  items: [],
  quarantined: [],
  stale: false,
  reason: { code: "capability-missing", message },
})

/** One page of a list, without the items that earlier pages brought. */
export interface ListPage<Item> {
  /** From 1. */
  readonly page: number
  /** How often the walk has started again because the list changed or a cursor expired. */
  readonly generation: number
  readonly items: ReadonlyArray<Item>
  readonly quarantined: ReadonlyArray<Quarantined>
}

export interface ListOptions extends CallOptions {
  /** Reads whole lists until two in a row agree, at most three (C097). */
  readonly verify?: boolean
  /** Asks the server for every page, also for one that is kept, and again for a list that was unavailable (C008). */
  readonly refresh?: boolean
  /** Is told of each page as it arrives. */
  readonly onPage?: (progress: { readonly pages: number; readonly items: number }) => void
}

/** The lists a client offers; tasks have an interface of their own. */
export type ListMethod = Exclude<PagedMethod, "tasks/list">

/** One kind of list of one server. */
export class List<Method extends PagedMethod> {
  readonly method: Method
  #connection: Connection
  #last: Listing<ItemOf<Method>> | undefined
  #unavailable: Listing<ItemOf<Method>> | undefined
  readonly #changes = new ListChanges()
  readonly #pages: PageCache
  #changesAtLast = 0
  #whoseLast: string | undefined
  #walks = 0

  constructor(connection: Connection, method: Method) {
    this.#connection = connection
    this.method = method
    this.#pages = new PageCache(connection, method)
  }

  /** The last listing that had items to show, also while a new one is read or fails. */
  get last(): Listing<ItemOf<Method>> | undefined {
    const last = this.#last
    return last === undefined ? undefined : { ...last, stale: this.#isStale(last) }
  }

  #isStale(last: Listing<ItemOf<Method>>): boolean {
    const isOld = last.stale || this.#changesAtLast !== this.#changes.total
    return isOld || this.#pages.isForeign(this.#whoseLast)
  }

  /** The server says that the list has changed. */
  markChanged(): void {
    this.#changes.notice()
    this.#pages.discard()
    this.#unavailable = undefined
  }

  /** The connection, or the session that the list was read in, is lost. */
  markLost(): void {
    this.#changes.lose()
    this.#pages.doubt()
    this.#unavailable = undefined
  }

  /** Nothing was heard of the server for a while, so that the list may have changed unnoticed. */
  markMissed(): void {
    this.#changes.miss()
    this.#pages.doubt()
  }

  /** Reads again what was read before, unless somebody is already reading it (C019, C118). */
  get refresh(): Effect.Effect<void> {
    return Effect.suspend(() =>
      this.#last === undefined || this.#walks > 0
        ? Effect.void
        : Effect.ignore(this.list({ refresh: true })),
    )
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

  /** Reads the whole list. It fails only where there is no connection any more. */
  list(options: ListOptions = {}): Effect.Effect<Listing<ItemOf<Method>>, ConnectionClosed> {
    return Effect.suspend(() => {
      const missing = this.#connection.missing(this.method)
      if (missing !== undefined)
        return Effect.succeed(
          unsupported(`The server did not declare the capability "${missing}".`),
        )
      if (this.#unavailable !== undefined && options.refresh !== true) {
        return Effect.succeed(this.#unavailable)
      }
      return this.#walk(options)
    })
  }

  #walk(options: ListOptions): Effect.Effect<Listing<ItemOf<Method>>, ConnectionClosed> {
    const startedAt = this.#changes.total
    const changes = this.#changes.watch()
    const collecting = options.verify === true ? collectVerified : collect
    this.#walks++
    const walk = collecting(this.#announced(options, changes), this.#policy(changes)).pipe(
      Effect.ensuring(Effect.sync(() => this.#walks--)),
    )
    return Effect.flatMap(walk, (result) => {
      const stopped = result.status === "partial" ? result.reason : undefined
      const cause = stopped !== undefined && "error" in stopped ? stopped.error : undefined
      if (cause?._tag === "ConnectionClosed") return Effect.fail(cause)
      const listing: Listing<ItemOf<Method>> = {
        status: stopped !== undefined && result.pages.length === 0 ? "unavailable" : result.status,
        pages: result.pages.length,
        items: result.items,
        quarantined: result.pages.flatMap(({ meta }) => meta?.quarantined ?? []),
        stale: result.stale,
        ...(stopped === undefined ? {} : { reason: reasonOf(stopped) }),
      }
      const whose = this.#pages.whose(result.pages.map(({ meta }) => meta?.freshness))
      return Effect.succeed(this.#remember(listing, cause, startedAt, whose))
    })
  }

  /** The pages of a walk, each announced as it arrives. */
  #announced(
    options: ListOptions,
    changes: WalkChanges,
  ): FetchPage<ItemOf<Method>, EntenteError, never, Meta> {
    const { onPage } = options
    const fetchPage = this.#fetch(options, changes)
    if (onPage === undefined) return fetchPage
    const progress = { pages: 0, items: 0 }
    return (cursor, position) =>
      Effect.tap(fetchPage(cursor, position), (page) =>
        Effect.sync(() => {
          progress.pages++
          progress.items += page.items.length
          onPage({ ...progress })
        }),
      )
  }

  #remember(
    listing: Listing<ItemOf<Method>>,
    cause: EntenteError | undefined,
    startedAt: number,
    whose: string | undefined,
  ): Listing<ItemOf<Method>> {
    if (listing.status === "unavailable") {
      if (cause?._tag === "PeerError" && cause.rpcCode === rpcCode.methodNotFound) {
        const detail = `${this.method} is unknown to the server, which declared its capability`
        this.#connection.notes.add({ code: "advertised-but-unimplemented", detail })
        this.#unavailable = listing
      }
      return listing
    }
    const before = this.#last
    const compared =
      before === undefined
        ? listing
        : { ...listing, changed: !sameJson(before.items, listing.items) }
    this.#last = compared
    this.#whoseLast = whose
    // A walk that noticed changes has already started over; it is as new as its last page.
    this.#changesAtLast = listing.stale ? startedAt : this.#changes.total
    return compared
  }

  #gated<A>(
    options: ListOptions,
    walk: (
      streams: Pagination<ItemOf<Method>, EntenteError, never, Meta>,
    ) => Stream.Stream<A, PaginationStopped<ItemOf<Method>, EntenteError>>,
  ): Stream.Stream<A, EntenteError> {
    // `call` refuses the first page where the capability is absent, so no gate is needed here.
    return Stream.suspend(() => {
      const changes = this.#changes.watch()
      const streams = paginate(this.#fetch(options, changes), this.#policy(changes))
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
      reason: shown,
      ...("error" in reason ? { cause: reason.error } : {}),
    })
  }

  #fetch(
    options: ListOptions,
    changes: WalkChanges,
  ): FetchPage<ItemOf<Method>, EntenteError, never, Meta> {
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
    const { key } = requests[this.method].page
    return {
      ...(maxPages === undefined ? {} : { maxPages }),
      ...(maxItems === undefined ? {} : { maxItems }),
      ...(deadlineMs === undefined ? {} : { deadline: deadlineMs }),
      // The table names the member that tells items apart, and the schema made sure of it.
      identify: (item) => String((item as { readonly [member: string]: unknown })[key]),
      isCursorInvalid: refusesCursor,
      changeCount: changes.count,
      onNote: (note) => this.#connection.notes.add(note),
    }
  }
}

/** What a page carries besides its items. */
interface Meta {
  readonly quarantined: ReadonlyArray<Quarantined>
  readonly freshness: KeptFreshness
}
