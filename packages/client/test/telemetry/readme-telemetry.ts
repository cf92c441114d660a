import * as OtelTracer from "@effect/opentelemetry/OtelTracer"
import type { TracerProvider } from "@opentelemetry/api"
import * as Effect from "effect/Effect"
import { connect, type PromiseClient } from "@entente/client"

/** Connects, and tells OpenTelemetry of every request. */
export const observed = async (url: string, provider: TracerProvider): Promise<PromiseClient> => {
  const tracer = await Effect.runPromise(
    Effect.provideService(OtelTracer.make, OtelTracer.OtelTracer, provider.getTracer("my-host")),
  )
  return connect(url, { telemetry: { tracer } })
}
