import type { Era } from "@entente/protocol"

/**
 * `healthy`: the tools are there, or the server says and shows that it has none to offer. `degraded`: some are
 * missing, or nothing proves that none is. `failed`: none can be had.
 */
export type Verdict = "healthy" | "degraded" | "failed"

/** What a tool passes on its way from the server to a model, in order. */
export const stageNames = [
  "spawn",
  "bytes",
  "negotiate",
  "session",
  "list",
  "accept",
  "project",
  "expose",
] as const

export type StageName = (typeof stageNames)[number]

/** How a stage stands. */
export interface Stage {
  readonly stage: StageName
  readonly status: "ok" | "warn" | "failed" | "not-reached"
  /** One sentence. */
  readonly detail: string
}

/** How many tools the server sent, how many of them are valid, and how many reach the model. */
export interface Counts {
  readonly raw: number
  readonly accepted: number
  readonly exposed: number
}

/**
 * The families of causes. 0 stands before all others: the server does not start, cannot be reached, or what it
 * says cannot be read. 1 capabilities, 2 listing, 3 session, 4 version, 5 cached or filtered, 6 authorization.
 */
export type Family = 0 | 1 | 2 | 3 | 4 | 5 | 6

/** Where in a trace something shows. */
export interface Evidence {
  /** The number of the event in the trace, from 0. */
  readonly frame: number
  /** What stands there, redacted and cut, on one line. */
  readonly excerpt: string
  /** The part of the excerpt that differs from a right exchange, as it stands there. */
  readonly marked?: string
}

/** What to change, and where. */
export interface Fix {
  /** For the author of the server. */
  readonly server: string
  /** For whoever runs what stands between. */
  readonly proxy: string
  /** For the user of the client. */
  readonly client: string
}

/** A possible cause. */
export interface Hypothesis {
  /** A stable name; each has a heading in the docs. */
  readonly code: string
  readonly family: Family
  /** From 0 to 1. */
  readonly confidence: number
  readonly title: string
  readonly evidence: ReadonlyArray<Evidence>
  /** What a right exchange has there. */
  readonly expected: string
  readonly fix: Fix
  /** The command that would settle it. */
  readonly next: string
}

/** A named deviation that costs nothing. */
export interface Remark {
  readonly code: string
  readonly detail: string
  readonly count: number
}

/** What is wrong with a connection, or that nothing is. It survives `JSON.stringify`. */
export interface Diagnosis {
  readonly verdict: Verdict
  /** The era that was found; absent where the server has shown none. */
  readonly era?: Era
  /** The revision that was agreed on, or the one the server insists on. */
  readonly protocolVersion?: string
  /** All of them, in order. */
  readonly stages: ReadonlyArray<Stage>
  readonly counts: Counts
  /** The likeliest first. Empty where there is nothing to explain. */
  readonly hypotheses: ReadonlyArray<Hypothesis>
  readonly remarks: ReadonlyArray<Remark>
}
