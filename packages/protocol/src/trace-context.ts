import type { JsonObject } from "./json-rpc.js"

/**
 * Where a request stands in a trace that goes through several programs, as `_meta` carries it: W3C Trace
 * Context and W3C Baggage under their own names, without a prefix (V26-TRACE-01, SEP-414).
 */
export interface TraceContext {
  /** `00-{trace id}-{span id}-{flags}` in lower-case hexadecimal digits. */
  readonly traceparent: string
  /** What tracing systems add for each other: `key=value`, separated by commas. */
  readonly tracestate?: string
  /** What the program adds, for whoever comes after. It may leak to third parties (V26-TRACE-02). */
  readonly baggage?: string
}

/** A span of a trace, as `traceparent` names it. */
export interface TraceParent {
  /** 32 hexadecimal digits, not all of them 0. */
  readonly traceId: string
  /** 16 hexadecimal digits, not all of them 0. */
  readonly spanId: string
  /** Two digits: bit 0 says that the trace is recorded. */
  readonly flags: number
}

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

const allZero = /^0+$/

/**
 * Reads a `traceparent`. Of a later version of the format only the four parts known today are read, and
 * what follows them is left; what has no valid form means nothing.
 *
 * @example
 * parseTraceparent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")?.flags // 1
 */
export const parseTraceparent = (text: unknown): TraceParent | undefined => {
  if (typeof text !== "string" || text.length > 512) return undefined
  const [, version, traceId = "", spanId = "", flags = "", more] = form.exec(text) ?? []
  if (version === undefined || version === "ff" || (version === "00" && more !== undefined)) {
    return undefined
  }
  if (allZero.test(traceId) || allZero.test(spanId)) return undefined
  return { traceId, spanId, flags: Number.parseInt(flags, 16) }
}

/** Writes a `traceparent`; nothing where the ids are none of W3C's, as some tracers' are. */
export const formatTraceparent = ({ traceId, spanId, flags }: TraceParent): string | undefined => {
  const text = `00-${traceId}-${spanId}-${(flags & 0xff).toString(16).padStart(2, "0")}`
  return parseTraceparent(text) === undefined ? undefined : text
}

/** One member of a `tracestate`: a key, perhaps of a tenant (`t@system`), and a value without `,` and `=`. */
const member =
  /^(?:[a-z][a-z0-9_\-*/]{0,255}|[a-z0-9][a-z0-9_\-*/]{0,240}@[a-z][a-z0-9_\-*/]{0,13})=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/

const membersOf = (text: string): ReadonlyArray<string> =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")

/** Whether a text has the form of a `tracestate`: at most 32 members, each key once. */
export const isTracestate = (text: unknown): text is string => {
  if (typeof text !== "string" || text.length > 8_192) return false
  const members = membersOf(text)
  const keys = new Set(members.map((part) => part.slice(0, part.indexOf("="))))
  return (
    members.length > 0 &&
    members.length <= 32 &&
    keys.size === members.length &&
    members.every((part) => member.test(part))
  )
}

/** `name = value`, then properties behind `;`. A value is percent-encoded. */
const entry =
  /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+[ \t]*=[ \t]*[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*(?:[ \t]*;[ \t]*[!#$%&'*+\-.^_`|~0-9A-Za-z]+[ \t]*(?:=[ \t]*[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*)?)*$/

/** Whether a text has the form of W3C Baggage: at most 64 entries in 8,192 bytes. */
export const isBaggage = (text: unknown): text is string => {
  if (typeof text !== "string" || text.length > 8_192) return false
  const entries = membersOf(text)
  return entries.length > 0 && entries.length <= 64 && entries.every((one) => entry.test(one))
}

const forms: Readonly<Record<keyof TraceContext, (text: unknown) => boolean>> = {
  traceparent: (text) => parseTraceparent(text) !== undefined,
  tracestate: isTracestate,
  baggage: isBaggage,
}

/** Which member of a `_meta` is there and does not have the form that W3C gives it (V26-TRACE-01). */
export const traceFault = (meta: JsonObject): keyof TraceContext | undefined => {
  for (const name of ["traceparent", "tracestate", "baggage"] as const) {
    if (meta[name] !== undefined && !forms[name](meta[name])) return name
  }
  return undefined
}
