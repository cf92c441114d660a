import type { ErrorCode } from "@entente/protocol"

/**
 * How soon a server is tried again once its connection has failed for good, which is after the tries that the
 * connection itself makes (`reconnect`). It is never given up, unless somebody has to act first: see
 * `waitsForSomebody`.
 */
export interface RetryPolicy {
  /** Milliseconds before the first further try; 1,000 by default. Each further pause is twice as long. */
  readonly baseMs: number
  /** The longest pause in milliseconds; 300,000 by default. */
  readonly maxMs: number
  /**
   * Milliseconds that a server has to stay before its next failure counts as the first again; 60,000 by
   * default. So one that comes and goes is tried less and less often.
   */
  readonly steadyMs: number
}

export const defaultRetry: RetryPolicy = { baseMs: 1_000, maxMs: 300_000, steadyMs: 60_000 }

/** The pause before a try, in milliseconds; `chance` from 0 up to 1 takes up to half of it away. */
export const pauseBefore = (
  failures: number,
  { baseMs, maxMs }: RetryPolicy,
  chance: number,
): number => Math.round(Math.min(maxMs, baseMs * 2 ** (failures - 1)) * (1 - chance / 2))

/** Failures that stay until somebody does something about them: only `retry` tries again. */
const lasting: ReadonlySet<string> = new Set<ErrorCode>([
  "invalid-input",
  "command-not-found",
  "authorization-required",
  "forbidden",
  "no-common-version",
  "redirect-refused",
  "endpoint-refused",
  "not-tolerated",
  "replay-diverged",
])

/** Whether trying again by itself would be in vain. */
export const waitsForSomebody = (code: string): boolean => lasting.has(code)
