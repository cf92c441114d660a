import type { ErrorCode } from "./error-code.js"

/** The part of a connection's life in which something failed. */
export type Stage = "input" | "open" | "negotiate" | "request" | "list" | "recover" | "close"

/** One thing that was tried and what came of it, in order; the first is the primary cause. */
export interface Attempt {
  /** What was sent or done, for example `server/discover` or `GET (HTTP+SSE)`. */
  readonly what: string
  /** What came back, in plain words and redacted. */
  readonly outcome: string
}

/** What every error carries. */
export interface ErrorFields<Code extends ErrorCode> {
  readonly code: Code
  readonly stage: Stage
  /** The server, as errors and traces name it: redacted. */
  readonly target: string
  readonly message: string
  /** What a person can do about it. */
  readonly hint: string
  /** The first cause, where there is one. */
  readonly cause?: unknown
  /** Everything that was tried before giving up, in order. */
  readonly attempts?: ReadonlyArray<Attempt>
}
