import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { TransportError } from "@entente/protocol"
import { CurrentTrace, type Trace } from "@entente/trace"
import type { Channel, Transport } from "@entente/transport"

/** The one channel a connection has at a time, and the scope that holds it. */
export class OpenChannel {
  /** Of the channel that is open, and of one that is being opened in its place. */
  readonly #scopes = new Set<Scope.Closeable>()
  #channel: Channel | undefined
  #spoken: Transport
  readonly #transport: Transport
  readonly #trace: Trace

  constructor(transport: Transport, trace: Trace) {
    this.#transport = transport
    this.#spoken = transport
    this.#trace = trace
  }

  get channel(): Channel | undefined {
    return this.#channel
  }

  /** The transport of the channel: the connection's own, or what it fell back to. */
  get spoken(): Transport {
    return this.#spoken
  }

  /** Opens a channel; an older one is released first, its process ended. */
  get open(): Effect.Effect<Channel, TransportError> {
    return Effect.andThen(this.close, this.#replace(this.#transport))
  }

  /** Opens the fallback, and only then releases the channel in whose place it comes. */
  get openFallback(): Effect.Effect<Channel, TransportError> {
    const { fallback } = this.#transport
    // The negotiation is told whether there is one.
    return fallback === undefined
      ? Effect.die("This transport has no fallback")
      : this.#replace(fallback)
  }

  /** Releases the channel; without one it does nothing. */
  get close(): Effect.Effect<void> {
    return Effect.suspend(() => {
      this.#channel = undefined
      return this.#release([...this.#scopes])
    })
  }

  #replace(transport: Transport): Effect.Effect<Channel, TransportError> {
    return Effect.gen({ self: this }, function* () {
      const older = [...this.#scopes]
      const scope = yield* Scope.make()
      this.#scopes.add(scope)
      const channel = yield* transport.open.pipe(
        Effect.provideService(CurrentTrace, this.#trace),
        Scope.provide(scope),
        Effect.onExit((exit) => (Exit.isFailure(exit) ? this.#release([scope]) : Effect.void)),
      )
      this.#channel = channel
      this.#spoken = transport
      yield* this.#release(older)
      return channel
    })
  }

  #release(scopes: ReadonlyArray<Scope.Closeable>): Effect.Effect<void> {
    return Effect.forEach(
      scopes,
      (scope) => {
        this.#scopes.delete(scope)
        return Scope.close(scope, Exit.void)
      },
      { discard: true },
    )
  }
}
