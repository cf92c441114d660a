/** How patiently a server that asks again is answered. */
export interface RoundBounds {
  /** How often a request is sent again before it is given up; 10 by default (C035). */
  readonly max?: number
  /** Milliseconds from the first question to the last retry, people's time included; 3,600,000 by default. */
  readonly deadlineMs?: number
}

export const defaultRounds = { max: 10, deadlineMs: 3_600_000 } as const satisfies RoundBounds
