import * as Effect from "effect/Effect"
import {
  createActor,
  type Actor,
  type AnyActorRef,
  type EventObject,
  type InspectionEvent,
} from "xstate"
import {
  connectionMachine,
  fromEffect,
  type ChartClock,
  type ConnectionInput,
  type Fork,
  type NegotiationInput,
  type NegotiationOutcome,
  type Opened,
} from "@entente/session"
import type { Handshake } from "../handshake/handshake.js"

/** What every chart of a connection runs on. */
export interface ChartRunner {
  readonly fork: Fork
  readonly clock: ChartClock
  readonly inspect: (event: InspectionEvent) => void
}

/** Sends a chart its last event and waits until it is over; a chart that is over already gets none. */
export const finish = (actor: AnyActorRef, event: EventObject): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const over = () => resume(Effect.void)
    if (actor.getSnapshot().status !== "active") return over()
    actor.subscribe({ complete: over, error: over })
    actor.send(event)
  })

/** The connection chart with its I/O in place, not yet started. */
export const connectionActor = (
  runner: ChartRunner,
  handshake: Handshake,
  io: { readonly open: Effect.Effect<Opened>; readonly release: Effect.Effect<void> },
  input: ConnectionInput,
): Actor<typeof connectionMachine> =>
  createActor(
    connectionMachine.provide({
      actors: {
        open: fromEffect(() => io.open, runner.fork),
        negotiate: handshake.machine,
        close: fromEffect((): Effect.Effect<unknown> => io.release, runner.fork),
      },
    }),
    { id: "connection", clock: runner.clock, inspect: runner.inspect, input },
  )

/** A negotiation beside the connection's own: the one that renews a session. */
export const negotiate = (
  runner: ChartRunner,
  handshake: Handshake,
  input: NegotiationInput,
): Effect.Effect<NegotiationOutcome> =>
  Effect.callback((resume) => {
    const actor = createActor(handshake.machine, {
      id: "negotiation",
      clock: runner.clock,
      inspect: runner.inspect,
      input,
    })
    actor.subscribe({
      complete: () => {
        const { output } = actor.getSnapshot()
        if (output !== undefined) resume(Effect.succeed(output))
      },
      error: (error) => resume(Effect.die(error)),
    })
    actor.start()
    return Effect.sync(() => actor.stop())
  })
