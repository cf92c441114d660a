import * as Context from "effect/Context"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import {
  formatTraceparent,
  isTracestate,
  parseTraceparent,
  type TraceContext,
} from "@entente/protocol"

/** The `tracestate` that came with a span of another program. */
const Tracestate = Context.Reference<string | undefined>("@entente/client/Tracestate", {
  defaultValue: () => undefined,
})

/** The span of another program that a trace context names; nothing where it names none (W3C: begin anew). */
export const remoteSpan = ({
  traceparent,
  tracestate,
}: {
  readonly traceparent?: unknown
  readonly tracestate?: unknown
}): Tracer.ExternalSpan | undefined => {
  const parent = parseTraceparent(traceparent)
  if (parent === undefined) return undefined
  const { traceId, spanId, flags } = parent
  const annotations = isTracestate(tracestate)
    ? Context.make(Tracestate, tracestate)
    : Context.empty()
  return Tracer.externalSpan({ traceId, spanId, sampled: (flags & 1) === 1, annotations })
}

/**
 * How a span is named to other programs. A tracer whose ids are none of W3C's, and one of OpenTelemetry that
 * records nothing and has no ids at all, have no such name.
 */
export const contextOf = (span: Tracer.AnySpan): TraceContext | undefined => {
  const own = openTelemetryContext(span)
  const traceparent = formatTraceparent({
    traceId: span.traceId,
    spanId: span.spanId,
    flags: own?.traceFlags ?? (span.sampled ? 1 : 0),
  })
  if (traceparent === undefined) return undefined
  const tracestate = own?.traceState?.serialize() ?? inherited(span)
  return isTracestate(tracestate) ? { traceparent, tracestate } : { traceparent }
}

/** What OpenTelemetry's API calls the context of a span, as far as it is needed here. */
interface OpenTelemetryContext {
  readonly traceFlags: number
  readonly traceState?: { readonly serialize: () => string }
}

/** The spans of `@effect/opentelemetry` hold the one of OpenTelemetry, which knows more than Effect's. */
const openTelemetryContext = (span: Tracer.AnySpan): OpenTelemetryContext | undefined => {
  const { span: own } = span as { readonly span?: unknown } // a member that Effect's own have not
  if (typeof own !== "object" || own === null || !("spanContext" in own)) return undefined
  // Found by its form, so that nobody has to have OpenTelemetry who does not use it.
  return typeof own.spanContext === "function"
    ? (own.spanContext() as OpenTelemetryContext)
    : undefined
}

/** The nearest `tracestate` above a span. */
const inherited = (span: Tracer.AnySpan): string | undefined => {
  let above: Tracer.AnySpan | undefined = span
  while (above !== undefined) {
    const state = Context.get(above.annotations, Tracestate)
    if (state !== undefined) return state
    above = above._tag === "Span" ? Option.getOrUndefined(above.parent) : undefined
  }
  return undefined
}
