import * as Context from "effect/Context"
import * as Option from "effect/Option"
import * as References from "effect/References"
import * as Tracer from "effect/Tracer"

/** Whether an effect runs for the connection itself, and so belongs to no trace of anybody. */
export const Detached = Context.Reference<boolean>("@entente/client/Detached", {
  defaultValue: () => false,
})

/**
 * What the spans of one conversation have in common: they are children of one parent, and each says which
 * one it follows (V26-TRACE-02). Without a parent the first one takes its place.
 */
export class TraceThread {
  #parent: Tracer.AnySpan | undefined
  #latest: Tracer.Span | undefined
  /** `root` begins a trace of its own, also where OpenTelemetry has a span that is active. */
  readonly #kind: "child" | "root" | "silent"

  constructor(parent?: Tracer.AnySpan, kind: "child" | "root" | "silent" = "child") {
    this.#parent = parent
    this.#kind = kind
  }

  /** What further spans will be children of. */
  get parent(): Tracer.AnySpan | undefined {
    return this.#parent
  }

  /** Begins the next span; none where tracing is switched off. */
  begin(tracer: Tracer.Tracer, name: string, startTime: bigint): Tracer.Span | undefined {
    if (this.#kind === "silent") return undefined
    const parent = this.#parent
    const latest = this.#latest
    const span = tracer.span({
      name,
      kind: "client",
      parent: Option.fromUndefinedOr(parent),
      // A tracer of OpenTelemetry may find a parent of its own: the span that is active where the call is made.
      root: parent === undefined && this.#kind === "root",
      links: latest === undefined ? [] : [{ span: latest, attributes: {} }],
      annotations: Context.empty(),
      startTime,
      sampled: parent?.sampled ?? true,
    })
    this.#parent ??= Option.getOrElse(span.parent, () => span)
    this.#latest = span
    return span
  }
}

/** The thread of an effect that runs in this context, if the context says anything of it. */
export const threadIn = (
  context: Context.Context<never>,
  current: TraceThread | undefined,
): TraceThread | undefined => {
  if (!Context.get(context, References.TracerEnabled)) return new TraceThread(undefined, "silent")
  const parent = propagated(Context.getOrUndefined(context, Tracer.ParentSpan))
  if (parent !== undefined) return current?.parent === parent ? current : new TraceThread(parent)
  if (current !== undefined) return current
  return Context.get(context, Detached) ? new TraceThread(undefined, "root") : undefined
}

/** Spans that are not to be told are passed over, as Effect does it. */
const propagated = (span: Tracer.AnySpan | undefined): Tracer.AnySpan | undefined => {
  let above = span
  while (above !== undefined && Context.get(above.annotations, Tracer.DisablePropagation)) {
    above = above._tag === "Span" ? Option.getOrUndefined(above.parent) : undefined
  }
  return above
}
