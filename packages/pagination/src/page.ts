import type * as Effect from "effect/Effect"

/** One page as a server gives it. */
export interface FetchedPage<Item, Meta = unknown> {
  readonly items: ReadonlyArray<Item>
  /**
   * Where the list goes on. Opaque: it is handed back unchanged. Its presence means "more", whatever
   * its value: `""` is a cursor like any other (V26-PAGE-01, V26-PAGE-02, C004). `null` counts as absent.
   */
  readonly nextCursor?: string | null | undefined
  /** Anything else that came with the page; passed on untouched. */
  readonly meta?: Meta | undefined
}

/** Where in a walk a page belongs. */
export interface Position {
  /** The number of the page, from 1. */
  readonly page: number
  /** How often the walk has started again from page one: 0 at first. */
  readonly generation: number
}

/**
 * Asks for one page. `cursor` is `undefined` for page one, and otherwise what the page before named.
 * Interruption must stop the request: that is how a deadline and a consumer who leaves reach it.
 */
export type FetchPage<Item, E = never, R = never, Meta = unknown> = (
  cursor: string | undefined,
  position: Position,
) => Effect.Effect<FetchedPage<Item, Meta>, E, R>

/** One page as a walk delivers it. */
export interface Page<Item, Meta = unknown> extends Position {
  /** What it was asked for with. */
  readonly cursor: string | undefined
  readonly nextCursor: string | undefined
  /** The items that were not delivered before; empty where the page brought nothing new. */
  readonly items: ReadonlyArray<Item>
  readonly meta: Meta | undefined
}
