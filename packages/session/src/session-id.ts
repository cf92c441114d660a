declare const sessionIdBrand: unique symbol

/**
 * The id of a legacy HTTP session. Only `parseSessionId` makes one, and only a legacy agreement and the
 * session chart can hold it, so it cannot reach a modern server (V26-HDR-11). It is confidential and
 * never part of an attempt, an error or a note (V25-HTTP-36).
 */
export type SessionId = string & { readonly [sessionIdBrand]: true }

const visibleAscii = /^[\x21-\x7e]{1,4096}$/

/** A header value as a session id, or nothing if it may not be echoed (V25-HTTP-28). */
export const parseSessionId = (value: string): SessionId | undefined =>
  visibleAscii.test(value) ? (value as SessionId) : undefined // the test above is the brand's meaning
