import type { JsonObject } from "@entente/protocol"

/** Version, trace id, parent id, flags; a version that is not known yet may go on after a hyphen. */
const traceparent = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/

/** Keys whose values are header values by origin: printable, on one line. */
const plainKeys = ["tracestate", "baggage"] as const
const printable = /^[\t\x20-\x7e]*$/

/**
 * What is wrong with the trace context that a caller puts into `_meta`, or nothing. It has to be in the
 * formats of W3C Trace Context and W3C Baggage (V26-TRACE-01): servers hand it on to their collectors.
 */
export const traceContextFault = (meta: JsonObject): string | undefined => {
  const { traceparent: parent } = meta
  if (parent !== undefined && !isTraceparent(parent)) {
    return "meta.traceparent is not in the format of W3C Trace Context."
  }
  for (const key of plainKeys) {
    const value = meta[key]
    if (value === undefined || (typeof value === "string" && printable.test(value))) continue
    return `meta.${key} is not a text that a header could carry.`
  }
  return undefined
}

const isTraceparent = (value: unknown): boolean => {
  const parts = typeof value === "string" ? traceparent.exec(value) : null
  if (parts === null) return false
  const [, version, trace = "", parent = "", more] = parts
  return !isZero(trace) && !isZero(parent) && (version !== "00" || more === undefined)
}

/** An id of zeros alone is none. */
const isZero = (id: string): boolean => /^0+$/.test(id)
