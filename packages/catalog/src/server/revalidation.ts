import type { Client } from "@entente/client"
import { isFailure } from "./server-status.js"

/** How `list` of a catalog treats servers whose tools may be out of date. Times are in milliseconds. */
export interface RevalidationPolicy {
  readonly revalidateMs: number
  readonly listMs: number
}

/** How often a server is asked because its list is stale, in milliseconds: it may be called stale again at once. */
const leastPauseMs = 1_000

/** Whether the server says by itself when its tools change, and is heard. */
const tellsOfChanges = ({ connection, tools }: Client.Client): boolean =>
  tools.notice !== undefined && connection.life.listening.tellsOf(tools.notice)

/**
 * Whether the tools of a server are worth waiting for before they are shown. What failed is read again at the pace
 * of its client, and nobody waits for that, nor for a list that was never there.
 */
export const isDue = (
  client: Client.Client,
  { askedAt, readAt, now }: { readonly [time in "askedAt" | "readAt" | "now"]: number },
  revalidateMs: number,
): boolean => {
  const { state, last } = client.tools
  if (state === "refreshing") return true
  if (last === undefined || state === "unsupported") return false
  const { stale, staleBecause } = last
  if (!stale) return !tellsOfChanges(client) && now - readAt >= revalidateMs
  return (staleBecause === undefined || !isFailure(staleBecause)) && now - askedAt >= leastPauseMs
}
