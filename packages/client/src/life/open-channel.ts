import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { TransportError } from "@entente/protocol"
import { CurrentTrace, type Trace } from "@entente/trace"
import type { Channel, Transport } from "@entente/transport"

/** The one channel a connection has at a time, and the scope that holds it. */
export class OpenChannel {
  #scope: Scope.Closeable | undefined
  #channel: Channel | undefined
  readonly #transport: Transport
  readonly #trace: Trace

  constructor(transport: Transport, trace: Trace) {
    this.#transport = transport
    this.#trace = trace
  }

  get channel(): Channel | undefined {
    return this.#channel
  }

  /** Opens a channel; an older one is released first, its process ended. */
  get open(): Effect.Effect<Channel, TransportError> {
    return Effect.gen({ self: this }, function* () {
      yield* this.close
      const scope = yield* Scope.make()
      this.#scope = scope
      this.#channel = yield* this.#transport.open.pipe(
        Effect.provideService(CurrentTrace, this.#trace),
        Scope.provide(scope),
        Effect.onExit((exit) => (Exit.isFailure(exit) ? Scope.close(scope, exit) : Effect.void)),
      )
      return this.#channel
    })
  }

  /** Releases the channel; without one it does nothing. */
  get close(): Effect.Effect<void> {
    return Effect.suspend(() => {
      const scope = this.#scope
      this.#scope = undefined
      this.#channel = undefined
      return scope === undefined ? Effect.void : Scope.close(scope, Exit.void)
    })
  }
}
