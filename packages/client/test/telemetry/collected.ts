import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import type { ReceivedRequest } from "@entente/testkit"

/** Effect's own spans, kept in the order in which they began. */
export const collecting = (): {
  readonly tracer: Tracer.Tracer
  readonly spans: ReadonlyArray<Tracer.NativeSpan>
  readonly named: (name: string) => Tracer.NativeSpan
} => {
  const spans: Array<Tracer.NativeSpan> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    },
  })
  const named = (name: string): Tracer.NativeSpan => {
    const found = spans.find((span) => span.name === name)
    if (found === undefined)
      throw new Error(`${name} is not among ${spans.map((one) => one.name).join(", ")}`)
    return found
  }
  return { tracer, spans, named }
}

export const parentOf = (span: Tracer.Span): string | undefined =>
  Option.getOrUndefined(span.parent)?.spanId

/** The error that a span ended with; undefined where it ended well. */
export const errorOf = (span: Tracer.Span): unknown => {
  if (span.status._tag !== "Ended") throw new Error(`${span.name} has not ended`)
  const { exit } = span.status
  return Exit.isSuccess(exit) ? undefined : Cause.squash(exit.cause)
}

/** What a request says of the trace that it is part of. */
export const traceOf = (request: ReceivedRequest | undefined) => {
  const { _meta } = (request?.message.params ?? {}) as { readonly _meta?: Record<string, unknown> }
  const { traceparent, tracestate, baggage } = _meta ?? {}
  return { traceparent, tracestate, baggage }
}

/** The `traceparent` of a span that is recorded. */
export const traceparentOf = ({ traceId, spanId }: Tracer.AnySpan): string =>
  `00-${traceId}-${spanId}-01`

/** Everything that a span tells, as text. */
export const told = (span: Tracer.NativeSpan): string => {
  const error = errorOf(span)
  const { name, attributes, events, links } = span
  const shown = error instanceof Error ? Cause.pretty(Cause.fail(error)) : String(error)
  return JSON.stringify([name, [...attributes], events.map(String), links.length, shown])
}
