import type * as Tracer from "effect/Tracer"

/**
 * What is told to OpenTelemetry, or to any other tracer of Effect's, by the semantic conventions for MCP.
 * Neither arguments nor results are ever told, and nothing that is a secret.
 */
export interface TelemetryOptions {
  /**
   * Makes a client span for each request on the wire. By default the tracer of the Effect that connects; where
   * that is only Effect's own in-memory one, no spans are made and nothing is told to servers.
   *
   * @example
   * // The OpenTelemetry SDK, through @effect/opentelemetry; `provider` is any TracerProvider.
   * const tracer = await Effect.runPromise(
   *   Effect.provideService(OtelTracer.make, OtelTracer.OtelTracer, provider.getTracer("my-host")),
   * )
   */
  readonly tracer?: Tracer.Tracer
  /**
   * Whether durations are counted, as `mcp.client.operation.duration` and `mcp.client.session.duration`, in
   * seconds, in the metric registry of the Effect that connects (Effect's default one elsewhere). Default: yes.
   */
  readonly metrics?: boolean
  /**
   * Whether servers are told the span of each request, as `_meta.traceparent` and `tracestate`, so that their
   * own spans become its children (V26-TRACE-01). Default: yes, where there are spans.
   */
  readonly propagate?: boolean
  /**
   * Gives the W3C Baggage of a request. It goes to the server, which may be anybody's, so that by default
   * there is none (V26-TRACE-02). What is no baggage is left out.
   */
  readonly baggage?: () => string | undefined
  /** Whether `mcp.resource.uri` is told, without credentials. Default: no, for it may name anything. */
  readonly captureResourceUris?: boolean
  /**
   * What is told as `mcp.session.id`. Whoever has the id of a session may use it, so that by default a random
   * number stands for it, the same one as long as the session lasts (V25-HTTP-36, V25-SEC-01). A hash lets
   * the server's side be found again; `(id) => id` tells the id itself; `undefined` tells nothing.
   */
  readonly sessionId?: (id: string) => string | undefined
}
