import type { ListingContext, ListingPolicy, Spent } from "./listing-context.js"

/** What decides when a list that was called changed is read again. */
export type ChurnFacts = Pick<
  ListingContext,
  "policy" | "walk" | "readAt" | "outdated" | "unchanged" | "spent"
>

/** The pause after readings that brought nothing new: twice as long after each. */
const grown = ({ settleMs, maxMs }: ListingPolicy, unchanged: number): number =>
  Math.min(maxMs, settleMs * 2 ** unchanged)

/** Whether the server seems to call a list changed because it is read (C016). */
export const isSuspicious = ({
  unchanged,
  outdated,
}: Pick<ListingContext, "unchanged" | "outdated">): boolean => unchanged > 0 || outdated

/**
 * When a list that was called changed may be read again. The first notice is followed at once, and what
 * comes soon after together. Where notices bring nothing new the pause grows; and whatever a reading costs, in pages
 * and in walks that start again, no more is spent in a window than the policy allows.
 */
export const churnPause = (facts: ChurnFacts): number => {
  const { policy, walk, readAt, unchanged, spent } = facts
  if (!isSuspicious(facts)) return walk.byNotice ? readAt + policy.settleMs : readAt
  let due = readAt + grown(policy, unchanged)
  for (const { at } of spent) {
    if (spentSince(spent, due - policy.windowMs) + walk.requests <= policy.maxRequests) break
    due = Math.max(due, at + policy.windowMs)
  }
  return due
}

const spentSince = (spent: ReadonlyArray<Spent>, since: number): number =>
  spent.reduce((sum, { at, requests }) => (at > since ? sum + requests : sum), 0)

/** What was spent, with one more reading: each costs a request at least, so that the newest few decide. */
export const spentWith = (
  spent: ReadonlyArray<Spent>,
  reading: Spent,
  { maxRequests }: ListingPolicy,
): ReadonlyArray<Spent> => [...spent, reading].slice(-Math.max(1, maxRequests))

/** Whether it was quiet for so long that what was before says nothing about the server now. */
export const wasCalm = (
  { policy, readAt, unchanged }: Pick<ListingContext, "policy" | "readAt" | "unchanged">,
  now: number,
): boolean => now - readAt >= Math.max(policy.windowMs, 2 * grown(policy, unchanged))

/** The pause after readings that failed. */
export const retryPause = ({
  policy: { retryMs, maxMs },
  failures,
  random,
}: Pick<ListingContext, "policy" | "failures" | "random">): number =>
  Math.min(maxMs, retryMs * 2 ** Math.max(0, failures - 1)) * (1 + random() / 4)

/**
 * Whether the list is to be read without anybody asking for it now. A time to live that is over is no
 * reason (V26-CACHE-04), nor is silence: both wait for the next use.
 */
export const isWanted = (context: ListingContext): boolean => {
  const { offered, online, owed, followers, held, refused, doubt } = context
  if (!offered || !online) return false
  if (owed) return true
  if (followers === 0 || refused) return false
  return held === "nothing" || doubt === "changed" || doubt === "failed"
}

/** Milliseconds until the list may be read; without end where nobody wants it read. */
export const refreshPause = (context: ListingContext): number => {
  if (!isWanted(context)) return Infinity
  const { owed, failures, doubt, readAt, now } = context
  if (owed) return 0
  const due = failures > 0 ? readAt + retryPause(context) : churnPause(context)
  return failures > 0 || doubt === "changed" ? Math.max(0, due - now()) : 0
}
