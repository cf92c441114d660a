import { assign, fromCallback, setup } from "xstate"
import type {
  ListingContext,
  ListingDoubt,
  ListingEvent,
  ListingInput,
  ListingOutcome,
  ListingRead,
} from "./listing-context.js"
import { isSuspicious, isWanted, refreshPause, spentWith, wasCalm } from "./listing-due.js"

interface Facts {
  readonly context: ListingContext
}

const noWalk = { page: 0, generation: 0, requests: 0 }

/** What a walk has cost in the end. */
export interface ListingCost {
  readonly requests: number
}

/** There can only be doubt about a list that there is. */
const doubted = ({ held }: ListingContext, doubt: ListingDoubt): ListingDoubt | undefined =>
  held === "nothing" ? undefined : doubt

/** What every end of a walk changes. */
const over = (
  { now, policy, spent, walk }: ListingContext,
  { requests }: ListingCost,
): Partial<ListingContext> => ({
  readAt: now(),
  walk: { ...walk, requests },
  spent: spentWith(spent, { at: now(), requests }, policy),
})

/** What a list is after it was read, by whomever. */
const taken = (context: ListingContext, read: ListingRead): Partial<ListingContext> => ({
  held: read.whole ? "whole" : "part",
  cached: read.cached,
  expiresAt: read.expiresAt,
  refused: false,
  outdated: read.outdated,
  doubt: read.outdated
    ? "changed"
    : read.failed
      ? "failed"
      : context.missedMeanwhile
        ? "missed"
        : undefined,
  failures: read.failed ? context.failures + 1 : 0,
  ...(read.news ? { unchanged: 0, churnNoted: false } : {}),
})

/**
 * The named parts of the listing chart. The actor is the I/O: it walks over the list, tells `page` and then
 * `read`, `failed` or `refused`, and takes the walk back when it is stopped.
 */
export const listingParts = setup({
  types: {
    context: {} as ListingContext,
    events: {} as ListingEvent,
    input: {} as ListingInput,
    output: {} as ListingOutcome,
  },
  actors: {
    walk: fromCallback<ListingEvent>(() => {
      throw new Error(`The actor "walk" is not provided: give it with machine.provide`)
    }),
  },
  guards: {
    isWithdrawn: ({ context }: Facts) => !context.offered,
    holdsNothing: ({ context }: Facts) => context.held === "nothing",
    wasRefused: ({ context }: Facts) =>
      context.held === "nothing" && (context.refused || context.failures > 0),
    holdsPart: ({ context }: Facts) => context.held === "part",
    /** The server seems to call the list changed because it is read, and that was not noted yet. */
    isNewChurn: ({ context }: Facts) =>
      context.followers > 0 &&
      context.doubt === "changed" &&
      isSuspicious(context) &&
      !context.churnNoted,
    isDoubted: ({ context }: Facts) => context.doubt !== undefined,
    isCached: ({ context }: Facts) => context.cached,
    isWanted: ({ context }: Facts) => isWanted(context),
    isDue: ({ context }: Facts) => refreshPause(context) === 0,
    isNobodys: ({ context }: Facts) => context.followers === 0 && !context.walk.unasked,
  },
  actions: {
    follow: assign({ followers: ({ context }) => context.followers + 1 }),
    leave: assign({ followers: ({ context }) => context.followers - 1 }),
    /** Somebody waits for this reading. */
    beginAsked: assign({
      walk: { ...noWalk, byNotice: false, unasked: false },
      owed: false,
      missedMeanwhile: false,
    }),
    /** Nobody does, but it is to be read: because of a notice, a failure or a recovery. */
    beginUnasked: assign(({ context }) => {
      const byNotice = context.doubt === "changed"
      const calm = wasCalm(context, context.now())
      return {
        walk: { ...noWalk, byNotice, unasked: true },
        owed: false,
        missedMeanwhile: false,
        ...(calm ? { unchanged: 0, churnNoted: false } : {}),
      }
    }),
    recordPage: assign(
      (
        { context: { walk } },
        { page, generation }: { readonly page: number; readonly generation: number },
      ) => ({ walk: { ...walk, page, generation } }),
    ),
    take: assign(({ context }, read: ListingRead & ListingCost) => ({
      ...over(context, read),
      ...(context.walk.byNotice && !read.news ? { unchanged: context.unchanged + 1 } : {}),
      ...taken(context, read),
    })),
    takeOverheard: assign(({ context }, read: ListingRead) => taken(context, read)),
    fail: assign(({ context }, cost: ListingCost) => ({
      ...over(context, cost),
      failures: context.failures + 1,
      doubt: doubted(context, "failed"),
    })),
    refuse: assign(({ context }, cost: ListingCost) => ({
      ...over(context, cost),
      refused: true,
      failures: 0,
      doubt: doubted(context, "failed"),
    })),
    doubtChanged: assign({
      doubt: ({ context }) => doubted(context, "changed"),
      refused: false,
    }),
    doubtMissed: assign({ doubt: ({ context }) => context.doubt ?? doubted(context, "missed") }),
    doubtExpired: assign({ doubt: "expired" }),
    missMeanwhile: assign({ missedMeanwhile: true }),
    goOffline: assign({ online: false }),
    doubtLost: assign({ doubt: ({ context }) => doubted(context, "lost"), refused: false }),
    comeBack: assign((_, { offered }: { readonly offered: boolean }) => ({
      online: true,
      offered,
      failures: 0,
    })),
    /** What was read in an old session, or before a gap, is read again for nobody in particular. */
    owe: assign({ owed: ({ context }) => context.offered && context.held !== "nothing" }),
    oweAnother: assign({ owed: ({ context }) => context.offered }),
    drop: assign(({ context }) =>
      context.offered
        ? {}
        : ({ held: "nothing", doubt: undefined, cached: false, expiresAt: undefined } as const),
    ),
    markChurn: assign({ churnNoted: true }),
    /** The list is called changed again and again, and is the same: the pauses grow (C016). */
    noteChurn: () => {},
  },
  delays: {
    lifetime: ({ context: { expiresAt = Infinity, now } }) => Math.max(0, expiresAt - now()),
    refreshPause: ({ context }) => refreshPause(context),
  },
})
