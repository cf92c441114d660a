import type { JsonObject } from "@entente/protocol"
import type { Headers } from "./server-headers.js"

/** One HTTP request and its answer, as a browser or an inspector logged them. Headers have lower-case names. */
export interface LoggedExchange {
  /** Milliseconds since the epoch; 0 where the log has no time. */
  readonly at: number
  /** Milliseconds until the head of the answer was there, and until its end. */
  readonly headAfter: number
  readonly endAfter: number
  readonly method: string
  readonly url: string
  readonly requestHeaders: Headers
  readonly requestBody: string | undefined
  /** Undefined, or 0, where there was no answer. */
  readonly status: number | undefined
  readonly responseHeaders: Headers
  /** Undefined where the log keeps none. */
  readonly responseBody: string | undefined
  /** Whether the answer had a body that the log does not hold. */
  readonly bodyMissing: boolean
  /** What the client said of a failure. */
  readonly error: string | undefined
}

/** The address without query and fragment, by which requests belong together. */
export const placeOf = (url: string): string => {
  const end = url.search(/[?#]/)
  return end < 0 ? url : url.slice(0, end)
}

export const isEventStream = (headers: Headers): boolean =>
  /^\s*text\/event-stream/i.test(headers["content-type"] ?? "")

/** An error of our own classes as a recording writes it. */
export const errorRecord = (
  tag: "Unreachable" | "ProtocolViolation",
  fields: {
    readonly code: string
    readonly stage: string
    readonly target: string
    readonly hint: string
    readonly message: string
  },
): JsonObject => ({ _tag: tag, ...fields })
