import { rpcCode, type EntenteError, type Freshness, type Quarantined } from "@entente/protocol"
import type { PartialReason, Walk } from "@entente/pagination"
import type { ListingRead } from "@entente/session"
import { reasonOf } from "./list-reason.js"
import type { Listing } from "./listing.js"

/** What a page of a list carries besides its items. */
export interface PageMeta {
  readonly quarantined: ReadonlyArray<Quarantined>
  /** From when on, for how long and for whom the page may be used again. */
  readonly freshness: Freshness & { readonly receivedAt: number }
}

/** A walk over a list that is over. */
export interface Walked<Item> {
  readonly walk: Walk<Item, EntenteError, PageMeta>
  /** In milliseconds since 1970. */
  readonly startedAt: number
  /** Pages that came, in all generations. */
  readonly requests: number
  /** Whether the list changed after the walk could not start again. */
  readonly outdated: boolean
}

/** Why a walk stopped early, if it did. */
export const stopOf = <Item>({ walk }: Walked<Item>): PartialReason<EntenteError> | undefined =>
  walk.status === "partial" ? walk.reason : undefined

/** The error that stopped a walk, if one did. */
export const causeOf = <Item>(walked: Walked<Item>): EntenteError | undefined => {
  const stop = stopOf(walked)
  return stop !== undefined && "error" in stop ? stop.error : undefined
}

/** What a walk came to, as it is shown; its version is given by who keeps it. */
export const listingOf = <Item>(walked: Walked<Item>): Listing<Item> => {
  const { walk, outdated } = walked
  const stop = stopOf(walked)
  return {
    status: stop !== undefined && walk.pages.length === 0 ? "unavailable" : walk.status,
    version: 0,
    pages: walk.pages.length,
    items: walk.items,
    quarantined: walk.pages.flatMap(({ meta }) => meta?.quarantined ?? []),
    stale: outdated,
    ...(stop === undefined ? {} : { reason: reasonOf(stop) }),
  }
}

/** Whether a walk stopped where another try may come further: a guard would stop that as well. */
export const hasFailed = <Item>(walked: Walked<Item>): boolean => {
  const code = stopOf(walked)?.code
  return code === "page-failed" || code === "cursor-invalid" || code === "walk-deadline"
}

/** The server does not know the method, although it declared the capability (C008). */
export const isUnknownMethod = (cause: EntenteError | undefined): boolean =>
  cause?._tag === "PeerError" && cause.rpcCode === rpcCode.methodNotFound

/**
 * What the chart is to know of a walk. A list is fresh for as long as all of its pages are (V26-CACHE-12); a
 * page without a time to live says nothing of that, so that the list is asked for on each use.
 */
export const readOf = <Item>(
  walked: Walked<Item>,
  news: boolean,
  heardSince: number,
): ListingRead & { readonly expiresAt: number | undefined } => {
  const { walk, startedAt, outdated } = walked
  let expiresAt: number | undefined = walk.pages.length === 0 ? undefined : Infinity
  let cached = false
  for (const { meta } of walk.pages) {
    const { receivedAt, ttlMs } = meta?.freshness ?? { receivedAt: startedAt, ttlMs: 0 }
    // The server may have called it changed before anybody here could hear that.
    if (receivedAt < heardSince) cached = true
    if (ttlMs === 0) expiresAt = undefined
    else if (expiresAt !== undefined) expiresAt = Math.min(expiresAt, receivedAt + ttlMs)
  }
  const whole = walk.status === "complete"
  return { whole, news, outdated, cached, expiresAt, failed: hasFailed(walked) }
}
