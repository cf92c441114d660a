import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { JsonObject } from "@entente/protocol"
import type { Channel, Transport } from "@entente/transport"

type Headers = Readonly<Record<string, string>>

/** What a clumsy client hears: the message that answers, and the headers it came with. */
export interface Answered {
  readonly message: JsonObject | undefined
  readonly headers: Headers
}

/** A client that says exactly what a test wants said, right or wrong, over a real transport. */
export class ClumsyClient implements AsyncDisposable {
  readonly #channel: Channel
  readonly #scope: Scope.Closeable
  readonly #waiting = new Map<unknown, (answered: Answered) => void>()

  private constructor(channel: Channel, scope: Scope.Closeable) {
    this.#channel = channel
    this.#scope = scope
    channel.listen({
      message: (value, { headers = {} }) => {
        const message = value as JsonObject // whatever a server of a test says
        this.#waiting.get(message["id"])?.({ message, headers })
      },
      note: () => {},
      unreadable: () => {},
      closed: () => {},
    })
  }

  static readonly open = async (transport: Transport): Promise<ClumsyClient> => {
    const scope = await Effect.runPromise(Scope.make())
    const channel = await Effect.runPromise(Scope.provide(transport.open, scope))
    return new ClumsyClient(channel, scope)
  }

  /** Sends a message and waits for its answer, or for its end where it has none. */
  say(message: JsonObject, headers: Headers = {}): Promise<Answered> {
    return new Promise((resolve) => {
      const { id } = message
      if (id !== undefined) this.#waiting.set(id, resolve)
      this.#channel.send(
        // A clumsy client says things that are no message of the protocol.
        { message: { jsonrpc: "2.0", ...message } as never, headers },
        ({ _tag }) => {
          if (_tag !== "Written" || id === undefined) resolve({ message: undefined, headers: {} })
        },
      )
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Effect.runPromise(Scope.close(this.#scope, Exit.void))
  }
}
