/** How patiently a list is read again. Times are in milliseconds. */
export interface ListingPolicy {
  /** After a reading that a notice led to, what comes within this time is read together. */
  readonly settleMs: number
  /** The first pause after a reading that failed; each one after it is twice as long. */
  readonly retryMs: number
  readonly maxMs: number
  /** Requests that may be spent within `windowMs` on a list that is called changed and is not (C016). */
  readonly maxRequests: number
  readonly windowMs: number
}

export const defaultListing: ListingPolicy = {
  settleMs: 500,
  retryMs: 1_000,
  maxMs: 300_000,
  maxRequests: 6,
  windowMs: 15_000,
}

/** Why a list that was read may be out of date. */
export type ListingDoubt =
  /** The server says that it has changed. */
  | "changed"
  /** For a while the server could not have been heard. */
  | "missed"
  /** The connection was lost, or its session was. */
  | "lost"
  /** Its time to live is over. */
  | "expired"
  /** It was to be read again, and that failed. */
  | "failed"

/** What a walk over a list came to. */
export interface ListingRead {
  /** Whether it came to the end of the list. */
  readonly whole: boolean
  /** Whether it brought anything that the list before it did not have. */
  readonly news: boolean
  /** Whether the list changed while it was read, after the walk could not start again (V25-LIST-02). */
  readonly outdated: boolean
  /** Whether it was answered from what was kept from before. */
  readonly cached: boolean
  /** When its time to live is over; absent where the server names none. */
  readonly expiresAt?: number | undefined
  /** Whether it ended early because of an error, so that another try may come further. */
  readonly failed: boolean
}

export type ListingEvent =
  /** Somebody wants the list read now. */
  | { readonly type: "ask" }
  /** Somebody wants to see every change of it, or does so no more. */
  | { readonly type: "follow" }
  | { readonly type: "leave" }
  /** So many pages are there; `generation` counts how often the walk has started again. */
  | { readonly type: "page"; readonly page: number; readonly generation: number }
  /** The walk is over; `requests` is what it has cost, in all generations. */
  | ({ readonly type: "read"; readonly requests: number } & ListingRead)
  /** Nothing that could be kept was read. */
  | { readonly type: "failed"; readonly requests: number }
  /** The server does not know the method, although it declared the capability (C008). */
  | { readonly type: "refused"; readonly requests: number }
  /** Nobody waits for the walk any more. */
  | { readonly type: "gaveUp" }
  /** A walk of somebody's own, beside this chart, has read the list. */
  | ({ readonly type: "overheard" } & ListingRead)
  | { readonly type: "changed" }
  | { readonly type: "missed" }
  /** What was missed cannot be known, but from now on the server is heard again. */
  | { readonly type: "heardAgain" }
  | { readonly type: "lost" }
  /** The connection is ready again, on a new channel or session; `offered` tells of the capability. */
  | { readonly type: "recovered"; readonly offered: boolean }
  /** The connection is over. */
  | { readonly type: "end" }

export interface ListingInput {
  /** Whether the server declares what the list needs. */
  readonly offered: boolean
  /** Whether the connection is ready; true by default. */
  readonly online?: boolean
  readonly now: () => number
  /** From 0 up to 1, like `Math.random`: keeps many clients from trying again all at once. */
  readonly random: () => number
  readonly policy?: Partial<ListingPolicy>
}

/** Requests that were spent on one reading. */
export interface Spent {
  readonly at: number
  readonly requests: number
}

/** The walk that is under way, or was last. */
export interface ListingWalk {
  /** The last page that was told of, from 1; 0 where there was no need to. */
  readonly page: number
  /** How often it has started again. */
  readonly generation: number
  /** What it has cost, in all generations; 0 while it is under way. */
  readonly requests: number
  /** Whether a notice led to it. */
  readonly byNotice: boolean
  /** Whether it is read without anybody waiting for it. */
  readonly unasked: boolean
}

export interface ListingContext {
  readonly policy: ListingPolicy
  readonly now: () => number
  readonly random: () => number
  readonly offered: boolean
  /** Whether the connection is ready, as far as is known. */
  readonly online: boolean
  readonly followers: number
  /** What there is to show. */
  readonly held: "nothing" | "part" | "whole"
  readonly cached: boolean
  readonly expiresAt: number | undefined
  readonly doubt: ListingDoubt | undefined
  /** The server does not know the method. */
  readonly refused: boolean
  /** To be read as soon as can be, whether or not anybody follows. */
  readonly owed: boolean
  readonly walk: ListingWalk
  /** Whether something was missed while the list was read. */
  readonly missedMeanwhile: boolean
  /** When the last reading was over. */
  readonly readAt: number
  /** Whether the list kept changing while it was last read. */
  readonly outdated: boolean
  /** Readings in a row that a notice led to and that brought nothing new. */
  readonly unchanged: number
  /** Whether the churn that is on has been noted. */
  readonly churnNoted: boolean
  /** Readings in a row that failed. */
  readonly failures: number
  readonly spent: ReadonlyArray<Spent>
}

export interface ListingOutcome {
  /** What there is to show, now that nothing is read any more. */
  readonly held: ListingContext["held"]
}

export const initialListing = (input: ListingInput): ListingContext => ({
  policy: { ...defaultListing, ...input.policy },
  now: input.now,
  random: input.random,
  offered: input.offered,
  online: input.online ?? true,
  followers: 0,
  held: "nothing",
  cached: false,
  expiresAt: undefined,
  doubt: undefined,
  refused: false,
  owed: false,
  walk: { page: 0, generation: 0, requests: 0, byNotice: false, unasked: false },
  missedMeanwhile: false,
  readAt: input.now(),
  outdated: false,
  unchanged: 0,
  churnNoted: false,
  failures: 0,
  spent: [],
})
