import * as Effect from "effect/Effect"
import {
  readFreshness,
  rpcCode,
  type EntenteError,
  type Freshness,
  type JsonObject,
} from "@entente/protocol"
import type { CallOptions } from "../call/call-options.js"
import type { Connection } from "../call/connection.js"
import type { Asking, KeptResults } from "./kept-results.js"
import type { KeptFreshness } from "./kept-text.js"

/** What decides whether a page may be one that is kept. */
export interface PageOptions extends CallOptions {
  readonly verify?: boolean
  readonly refresh?: boolean
}

/** How a page is had of which nothing is kept. */
export interface PageSource<Page> {
  /** Asks the server. */
  readonly ask: Effect.Effect<JsonObject, EntenteError>
  /** Makes a page of a result, kept or new. */
  readonly read: (result: JsonObject) => Effect.Effect<Page, EntenteError>
}

/** A page, with how long it may be used again. */
export interface FreshPage<Page> {
  readonly page: Page
  readonly freshness: KeptFreshness
}

/** Whether a server refuses the cursor it was given (V26-PAGE-05). */
export const refusesCursor = (error: EntenteError): boolean =>
  error._tag === "PeerError" && error.rpcCode === rpcCode.invalidParams

/**
 * The pages of one list. Each is kept for itself with its own time, so that one which is out of date is asked
 * for again by its cursor, alone (V26-CACHE-12, V26-CACHE-13).
 */
export class PageCache {
  readonly #results: KeptResults
  /** What the pages were said to be so far; one that is private makes the whole list so. */
  #scope: Freshness["scope"] | undefined

  constructor({ results }: Connection, method: string) {
    this.#results = results.of(method)
  }

  /** A page from what is kept while that is fresh, otherwise from the server. */
  fetch<Page>(
    cursor: string | undefined,
    options: PageOptions,
    source: PageSource<Page>,
  ): Effect.Effect<FreshPage<Page>, EntenteError> {
    return Effect.suspend(() => {
      const asking = this.#results.asking({ cursor }, options)
      const asked = this.#ask(asking, cursor, source)
      // Whoever compares two readings of a list wants two (C097).
      if (options.refresh === true || options.verify === true) return asked
      return Effect.flatMap(asking.kept, (kept) => {
        if (kept === undefined) return asked
        const { result, freshness } = kept
        this.#see(result)
        return Effect.matchEffect(source.read(result), {
          onSuccess: (page) => Effect.succeed({ page, freshness }),
          onFailure: ({ message }) =>
            Effect.andThen(
              Effect.sync(() => asking.drop(message)),
              asked,
            ),
        })
      })
    })
  }

  /** Whose pages they are, if one of them is private: a list of somebody else is another one (V26-CACHE-14). */
  whose(pages: ReadonlyArray<KeptFreshness | undefined>): string | undefined {
    return pages.every((page) => page?.scope === "public") ? undefined : this.#results.asker
  }

  /** Whether a list is of somebody else than who asks now, as far as that is known (V26-AUTH-36). */
  isForeign(whose: string | undefined): boolean {
    const { asker } = this.#results
    return whose !== undefined && asker !== undefined && whose !== asker
  }

  /** The server says that the list is another one now. */
  discard(): void {
    this.#scope = undefined
    this.#results.discard()
  }

  /** The list may have become another one unnoticed. */
  doubt(): void {
    this.#results.doubt()
  }

  #ask<Page>(
    asking: Asking,
    cursor: string | undefined,
    { ask, read }: PageSource<Page>,
  ): Effect.Effect<FreshPage<Page>, EntenteError> {
    const asked = Effect.flatMap(ask, (result) =>
      Effect.map(read(result), (page) => {
        this.#see(result)
        return { page, freshness: asking.keep(result, this.#scope) }
      }),
    )
    if (cursor === undefined) return asked
    // The pages before it led to a place that is gone, so that none of them is good any more (V26-CACHE-13).
    return Effect.tapError(asked, (error) =>
      Effect.sync(() => {
        if (refusesCursor(error)) this.discard()
      }),
    )
  }

  /** V26-CACHE-12: all pages of a list are to have one scope; where they have two, private it is. */
  #see(result: JsonObject): void {
    const { scope } = readFreshness(result)
    if (scope === "private" && this.#scope === "public") this.#results.withdraw()
    if (this.#scope !== "private") this.#scope = scope
  }
}
