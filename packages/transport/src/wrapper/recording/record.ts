import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Trace, TraceReader } from "@entente/trace"
import type {
  Channel,
  Outgoing,
  Receiver,
  SendOutcome,
  Sent,
  StreamListener,
  StreamRequest,
  Transport,
} from "../../transport.js"
import type { ChannelLog } from "./channel-log.js"
import type { ChannelError } from "./error-record.js"
import { RecordingLog, type RecordOptions } from "./recording-log.js"

/**
 * The same transport, with everything on it told to a sink: each message with its exchange and time, what
 * became of it, statuses, notes and ends. It is what `replay` needs. Secrets are hidden before the sink
 * sees anything; session ids, cursors and the like are numbered, so that the recording can be followed
 * (V25-HTTP-36, V26-SEC-12).
 *
 * The sink is a reader of events, or a `Trace` that others tell of too. It must not throw.
 *
 * @example
 * await using recorder = new FileRecorder("session.jsonl")
 * await using client = await connect(record(http("https://example.com/mcp"), recorder.read))
 */
export const record = (
  transport: Transport,
  sink: Trace | TraceReader,
  options: RecordOptions = {},
): Transport => recorded(transport, new RecordingLog(sink, options))

/** A fallback is spoken at the same place, so that it belongs to the same recording. */
const recorded = (transport: Transport, recording: RecordingLog): Transport => ({
  ...transport,
  open: Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const { kind, target } = transport
    const now = (): number => clock.currentTimeMillisUnsafe()
    const channel = new RecordedChannel(recording.open({ transport: kind, target }, now))
    // Added before the channel is opened, so that what its end brings is told before the end.
    yield* Effect.addFinalizer(() => Effect.sync(() => channel.released()))
    const opened = yield* Effect.tapError(transport.open, (error) =>
      Effect.sync(() => channel.failed(error)),
    )
    return channel.over(opened)
  }),
  ...(transport.fallback && { fallback: recorded(transport.fallback, recording) }),
})

/** One opening of a recorded transport. */
class RecordedChannel {
  readonly #log: ChannelLog
  #opened = false

  constructor(log: ChannelLog) {
    this.#log = log
  }

  failed(error: ChannelError): void {
    this.#log.failed(error)
  }

  released(): void {
    if (this.#opened) this.#log.released()
  }

  /** The channel that its owner gets. What this wrapper does not know of passes as it is. */
  over(inner: Channel): Channel {
    const { exchanges, endSession, openStream } = inner
    this.#opened = true
    this.#log.opened(exchanges)
    return {
      ...inner,
      listen: (receiver) => inner.listen(this.#receiver(receiver)),
      send: (outgoing, settled) => this.#send(inner, outgoing, settled),
      ...(endSession && {
        endSession: (headers) => this.#asked("endSession", endSession(headers)),
      }),
      ...(openStream && {
        openStream: (request, listener) => this.#stream(openStream, request, listener),
      }),
    }
  }

  #send(inner: Channel, outgoing: Outgoing, settled: (outcome: SendOutcome) => void): Sent {
    const log = this.#log
    const send = log.nextSend()
    let exchange = 0
    return log.before(
      () =>
        inner.send(outgoing, (outcome) => {
          log.settled(send, exchange, outcome)
          settled(outcome)
        }),
      (sent) => {
        exchange = sent.exchange
        log.sent(send, exchange, outgoing.message)
      },
    )
  }

  #stream(
    openStream: NonNullable<Channel["openStream"]>,
    request: StreamRequest,
    listener: StreamListener,
  ): Sent {
    const log = this.#log
    const send = log.nextSend()
    let exchange = 0
    const told: StreamListener = {
      opened: () => {
        log.stream(send, exchange, "opened")
        listener.opened()
      },
      delivered: () => {
        log.stream(send, exchange, "delivered")
        listener.delivered()
      },
      ended: (end) => {
        log.streamEnded(send, exchange, end)
        listener.ended(end)
      },
    }
    return log.before(
      () => openStream(request, told),
      (sent) => {
        exchange = sent.exchange
        log.stream(send, exchange, "asked")
      },
    )
  }

  #receiver(receiver: Receiver): Receiver {
    const log = this.#log
    return {
      message: (value, origin) => {
        log.received(value, origin)
        receiver.message(value, origin)
      },
      note: (note, origin) => {
        log.note(note)
        receiver.note(note, origin)
      },
      unreadable: (error, origin) => {
        log.unreadable(error, origin)
        receiver.unreadable(error, origin)
      },
      closed: (cause) => {
        log.closed(cause)
        receiver.closed(cause)
      },
    }
  }

  #asked<A, E extends ChannelError>(
    what: string,
    asking: Effect.Effect<A, E>,
  ): Effect.Effect<A, E> {
    return asking.pipe(
      Effect.tap((value) => Effect.sync(() => this.#log.asked(what, { value }))),
      Effect.tapError((error) => Effect.sync(() => this.#log.asked(what, { error }))),
    )
  }
}
