import type { EntenteError, SubscriptionFilter } from "@entente/protocol"

/** What the server has agreed to tell: what the filter names, or on a legacy stream whatever it likes. */
export type AcknowledgedFilter = "everything" | SubscriptionFilter

/** How patiently a stream of notices is opened, and opened again. Times are in milliseconds. */
export interface SubscriptionPolicy {
  /** Opens in a row that bring nothing before the stream counts as unavailable (C047). */
  readonly maxFruitless: number
  /** The first pause where the server names none; each fruitless one after it is twice as long. */
  readonly baseMs: number
  /** The first pause after a server has ended the stream in due form: it wants some peace (V26-SUB-11). */
  readonly gracefulMs: number
  readonly maxMs: number
  /** From the request to the head of its answer, or to the acknowledgement (C050, V26-SUB-17). */
  readonly openMs: number
  /** A stream that has lasted this long was not fruitless, even if it was silent. */
  readonly steadyMs: number
}

export const defaultSubscription: SubscriptionPolicy = {
  maxFruitless: 5,
  baseMs: 1_000,
  gracefulMs: 5_000,
  maxMs: 30_000,
  openMs: 10_000,
  steadyMs: 10_000,
}

/** A stream that ended, or was never opened, though it may be another time. */
export interface Drop {
  /** What the server asks to wait before the next open (V25-HTTP-22). */
  readonly retryMs?: number | undefined
  /** Why, unless it was a clean end. */
  readonly error?: EntenteError | undefined
  /** Whether the server has said that it ends the stream (V26-SUB-10). */
  readonly graceful?: boolean
  /** Whether the next stream can go on where this one ended, so that nothing was missed. */
  readonly resumable: boolean
}

export type SubscriptionEvent =
  /** Somebody wants to hear what the server says by itself. */
  | { readonly type: "want" }
  /** The stream is open, for these notices. */
  | { readonly type: "acknowledged"; readonly filter: AcknowledgedFilter }
  /** Something came on it. */
  | { readonly type: "delivered" }
  | ({ readonly type: "dropped" } & Drop)
  /** The server is out of order: tried once more, later. */
  | { readonly type: "outage"; readonly error: EntenteError }
  /** The server does not offer the stream, which is its right (V25-HTTP-12). */
  | { readonly type: "refused"; readonly error: EntenteError }
  /** The session that the stream belongs to is unknown to the server. */
  | { readonly type: "expired"; readonly error: EntenteError }
  /** Nobody wants it any more. */
  | { readonly type: "release" }

export type SubscriptionReason = "released" | "unsupported" | "unavailable" | "expired"

export interface SubscriptionOutcome {
  readonly reason: SubscriptionReason
  /** The first failure of the last series, where there was one. */
  readonly error: EntenteError | undefined
}

export interface SubscriptionInput {
  readonly policy?: Partial<SubscriptionPolicy>
  /** From 0 up to 1, like `Math.random`: keeps many clients from coming back all at once. */
  readonly random: () => number
}

export interface SubscriptionContext {
  readonly policy: SubscriptionPolicy
  readonly random: () => number
  readonly filter: AcknowledgedFilter | undefined
  /** Whether the stream that is open, or was last, brought anything or lasted. */
  readonly fruitful: boolean
  /** Opens in a row that were not fruitful. */
  readonly fruitless: number
  /** Whether an outage was met already since the stream was last open. */
  readonly hadOutage: boolean
  readonly retryMs: number | undefined
  /** Whether the server has ended the last stream in due form. */
  readonly graceful: boolean
  readonly error: EntenteError | undefined
  readonly reason: SubscriptionReason
}

export const initialSubscription = (input: SubscriptionInput): SubscriptionContext => ({
  policy: { ...defaultSubscription, ...input.policy },
  random: input.random,
  filter: undefined,
  fruitful: false,
  fruitless: 0,
  hadOutage: false,
  retryMs: undefined,
  graceful: false,
  error: undefined,
  reason: "released",
})

/** Whether the server has agreed to tell nothing at all (V26-SUB-04). */
export const grantsNothing = (filter: AcknowledgedFilter): boolean =>
  filter !== "everything" &&
  Object.values(filter).every((granted) =>
    Array.isArray(granted) ? granted.length === 0 : granted !== true,
  )

/**
 * Milliseconds before a stream is opened again: what the server asks for, or else the base, doubled with
 * each open that brought nothing. Chance adds up to a quarter to our own pauses, and nothing to a pause
 * that the server named and that need not grow: it is to be kept (V25-HTTP-22).
 */
export const reopenDelay = ({
  policy,
  random,
  retryMs,
  graceful = false,
  fruitless,
}: Pick<SubscriptionContext, "policy" | "random" | "retryMs" | "fruitless"> & {
  readonly graceful?: boolean
}): number => {
  const asked = retryMs === undefined ? undefined : Math.max(retryMs, shortest)
  const base = graceful ? policy.gracefulMs : policy.baseMs
  const grown = Math.min(policy.maxMs, (asked ?? base) * 2 ** Math.max(0, fruitless - 1))
  if (asked !== undefined && grown <= asked) return Math.min(asked, longest)
  return grown * (1 + random() / 4)
}

/** A server that asks for no pause at all gets this one: it is asked again and again. */
const shortest = 100

/** What a timer can hold. */
const longest = 2 ** 31 - 1
