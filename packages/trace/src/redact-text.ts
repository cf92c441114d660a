import { redactAssignments } from "./redact-assignment.js"
import { redactAddress } from "./redact-url.js"
import { defaultMaxTextLength, redacted, type RedactionPolicy } from "./redaction-policy.js"
import { redactShapes } from "./secret-shape.js"

/** The start of a URL and all that may belong to it. */
const address = /(?<![\w+.-])[a-z][a-z0-9+.-]{1,30}:\/\/[^\s"'<>`\\]+/gi

/** URLs inside parameters of URLs are looked into this deep; what is deeper is hidden whole. */
const deepest = 3

/** No name, sign and value is shorter. */
const shortest = "pwd=x".length

const redactPieces = (text: string, policy: RedactionPolicy, depth: number): string => {
  if (text.length < shortest) return text
  const withoutAddresses = text.includes("://")
    ? text.replaceAll(address, (url) =>
        depth < deepest ? redactIn(url, policy, depth + 1) : redacted,
      )
    : text
  return redactAssignments(redactShapes(withoutAddresses), policy)
}

const redactIn = (url: string, policy: RedactionPolicy, depth: number): string =>
  redactAddress(url, policy, (piece) => redactPieces(piece, policy, depth))

/** Read beyond the cut, so that a secret across it is recognised. */
const margin = 4_096

const commonPrefix = (one: string, other: string): string => {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return one.slice(0, length)
}

/** Cuts a text that is too long, after it was redacted. */
const within = (
  text: string,
  policy: RedactionPolicy,
  redact: (text: string) => string,
): string => {
  const limit = policy.maxTextLength ?? defaultMaxTextLength
  if (text.length <= limit) return redact(text)
  const mark = `…‹${text.length} characters in all›`
  // A secret that the cut goes through may go unseen in the shorter text; there the two differ.
  const kept = commonPrefix(redact(text.slice(0, limit)), redact(text.slice(0, limit + margin)))
  return kept.slice(0, Math.max(0, limit - mark.length)) + mark
}

/**
 * Hides what looks like a secret in free text: issued keys by their form, bearer tokens, private keys,
 * the values of secret names, and secrets in URLs. The text comes back unchanged where there is none.
 *
 * @example
 * redactText("DEBUG api_key=abc123 ok") // "DEBUG api_key=‹redacted› ok"
 */
export const redactText = (text: string, policy: RedactionPolicy = {}): string =>
  within(text, policy, (whole) => redactPieces(whole, policy, 0))

/**
 * Hides userinfo, the values of secret parameters, and path segments that look like keys.
 *
 * @example
 * redactUrl("https://u:p@example.com/mcp?token=abc&page=2") // "https://‹redacted›@example.com/mcp?token=‹redacted›&page=2"
 */
export const redactUrl = (url: string, policy: RedactionPolicy = {}): string =>
  within(url, policy, (whole) => redactIn(whole, policy, 0))
