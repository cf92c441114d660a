import type { Verdict } from "@entente/session"

/**
 * Remembers which era a server speaks, per endpoint or command line, so that the next connection sends
 * no probe (V26-ERA-11, V26-ERA-12). A verdict that turns out wrong is replaced.
 */
export interface VerdictStore {
  readonly get: (key: string) => Verdict | undefined
  readonly set: (key: string, verdict: Verdict) => void
  readonly delete: (key: string) => void
}

/** How many servers the memory store remembers before it forgets the oldest. */
const capacity = 1_000

/** A store that lives as long as the process. */
export const memoryVerdicts = (): VerdictStore => {
  const verdicts = new Map<string, Verdict>()
  return {
    get: (key) => verdicts.get(key),
    set: (key, verdict) => {
      verdicts.delete(key)
      verdicts.set(key, verdict)
      const [oldest] = verdicts.keys()
      if (verdicts.size > capacity && oldest !== undefined) verdicts.delete(oldest)
    },
    delete: (key) => void verdicts.delete(key),
  }
}

/** The store that connections share unless they are given another. */
export const processVerdicts = memoryVerdicts()
