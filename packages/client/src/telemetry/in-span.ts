import * as Effect from "effect/Effect"
import type { CallExtras } from "../call/call-options.js"
import type { Telemetry } from "./telemetry.js"

/** Runs a call that is an effect as part of the span that it is run in; where nobody is told, only runs it. */
export const inSpan = <A, E>(
  telemetry: Telemetry | undefined,
  options: CallExtras,
  run: (options: CallExtras) => Effect.Effect<A, E>,
): Effect.Effect<A, E> =>
  telemetry === undefined
    ? run(options)
    : Effect.withFiber(({ context }) => run(telemetry.within(options, context)))
