import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { JsonRpcMessage, Note, TransportError } from "@entente/protocol"
import { CurrentTrace, Trace, type TraceEvent } from "@entente/trace"
import type {
  Channel,
  Origin,
  Outgoing,
  Receiver,
  SendOutcome,
  Transport,
} from "@entente/transport"

/** Remembers everything, and lets a test wait until what it remembers is enough. */
export class Recorder implements Receiver {
  readonly messages: Array<unknown> = []
  readonly origins: Array<Origin> = []
  readonly notes: Array<Note> = []
  readonly errors: Array<TransportError> = []
  readonly ends: Array<TransportError> = []
  #waiting: Array<() => void> = []

  readonly message = (value: unknown, origin: Origin): void => {
    this.messages.push(value)
    this.origins.push(origin)
    this.#wake()
  }
  readonly note = (note: Note): void => {
    this.notes.push(note)
    this.#wake()
  }
  readonly unreadable = (error: TransportError): void => {
    this.errors.push(error)
    this.#wake()
  }
  readonly closed = (cause: TransportError): void => {
    this.ends.push(cause)
    this.#wake()
  }

  async until(enough: (recorder: this) => boolean): Promise<this> {
    while (!enough(this)) await new Promise<void>((wake) => this.#waiting.push(wake))
    return this
  }

  #wake(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const wake of waiting) wake()
  }
}

export interface Opened extends AsyncDisposable {
  readonly channel: Channel
  readonly recorder: Recorder
  readonly events: ReadonlyArray<TraceEvent>
  readonly send: (message: JsonRpcMessage, more?: Omit<Outgoing, "message">) => Promise<SendOutcome>
  readonly close: () => Promise<void>
}

/** Opens a transport with somebody listening and somebody reading the trace, on a clock if one is given. */
export const openChannel = async (transport: Transport, clock?: Clock.Clock): Promise<Opened> => {
  const trace = new Trace()
  const events: Array<TraceEvent> = []
  trace.subscribe((event) => events.push(event))
  const scope = Scope.makeUnsafe()
  const opening = transport.open.pipe(
    Scope.provide(scope),
    Effect.provideService(CurrentTrace, trace),
  )
  const channel = await Effect.runPromise(
    clock === undefined ? opening : Effect.provideService(opening, Clock.Clock, clock),
  )
  const recorder = new Recorder()
  channel.listen(recorder)
  const close = () => Effect.runPromise(Scope.close(scope, Exit.void))
  return {
    channel,
    recorder,
    events,
    send: (message, more) => new Promise((settled) => channel.send({ message, ...more }, settled)),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Opens a transport that cannot be opened, and gives the reason. */
export const openingFails = (transport: Transport): Promise<TransportError> =>
  Effect.runPromise(Effect.flip(Effect.scoped(transport.open)))

export const request = (id: number, method = "tools/list", params = {}): JsonRpcMessage => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
})
