import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Tracer from "effect/Tracer"
import type { Transport } from "@entente/transport"
import type { Telemetry } from "./telemetry.js"
import type { TelemetryOptions } from "./telemetry-options.js"
import { Detached } from "./trace-thread.js"

/** What tells of a connection that is opened here and now; nothing where nobody is to be told. */
export const telemetryFor = (
  { kind, target }: Transport,
  options: TelemetryOptions | undefined,
): Effect.Effect<Telemetry | undefined> =>
  options === undefined
    ? Effect.succeed(undefined)
    : Effect.gen(function* () {
        const clock = yield* Clock.Clock
        const context = yield* Effect.context()
        // Loaded on first use: most programs have no use for it.
        const { Telemetry } = yield* Effect.promise(() => import("./telemetry.js"))
        return new Telemetry(options, { kind, target, clock, context })
      })

/** Makes what will run for the connection itself, long after the span in which it was opened has ended. */
export const detached = <A, E>(
  effect: Effect.Effect<A, E, Scope.Scope>,
): Effect.Effect<A, E, Scope.Scope> =>
  Effect.updateContext(effect, (context: Context.Context<Scope.Scope>) =>
    Context.add(Context.omit(Tracer.ParentSpan)(context), Detached, true),
  )
