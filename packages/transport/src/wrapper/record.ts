import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Trace, type RedactionPolicy, type TraceReader, type Unstamped } from "@entente/trace"
import type {
  Channel,
  HttpRejection,
  Origin,
  Outgoing,
  Receiver,
  SendOutcome,
  Sent,
  StreamEnd,
  StreamListener,
  StreamPosition,
  StreamRequest,
  Transport,
} from "../transport.js"
import { errorRecord, type ChannelError } from "./error-record.js"
import { Handles } from "./handles.js"

export interface RecordOptions {
  /**
   * What else is secret. Texts are kept in their full length unless it says otherwise, because a replay
   * has only what was recorded. Where the sink is a `Trace`, its own policy applies as well.
   */
  readonly redaction?: RedactionPolicy
}

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
): Transport => recorded(transport, new Recording(sink, options))

/** A fallback is spoken at the same place, so that it belongs to the same recording. */
const recorded = (transport: Transport, recording: Recording): Transport => ({
  ...transport,
  open: Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const channel = recording.open(transport, () => clock.currentTimeMillisUnsafe())
    // Added before the channel is opened, so that what its end brings is told before the end.
    yield* Effect.addFinalizer(() => Effect.sync(() => channel.released()))
    const opened = yield* Effect.tapError(transport.open, (error) =>
      Effect.sync(() => channel.failed(error)),
    )
    return channel.over(opened)
  }),
  ...(transport.fallback && { fallback: recorded(transport.fallback, recording) }),
})

class Recording {
  readonly trace: Trace
  readonly handles: Handles
  #channels = 0
  #now: () => number = Date.now

  constructor(sink: Trace | TraceReader, { redaction = {} }: RecordOptions) {
    const policy = { maxTextLength: Infinity, ...redaction }
    this.handles = new Handles(policy)
    if (sink instanceof Trace) this.trace = sink
    else {
      this.trace = new Trace(policy, () => this.#now())
      this.trace.subscribe(sink)
    }
  }

  open({ kind, target }: Transport, now: () => number): RecordedChannel {
    this.#now = now
    return new RecordedChannel(this, { channel: ++this.#channels, transport: kind, target })
  }
}

interface Place {
  readonly channel: number
  readonly transport: string
  readonly target: string
}

/** One opening of a recorded transport. */
class RecordedChannel {
  readonly #trace: Trace
  readonly #handles: Handles
  readonly #place: Place
  #sends = 0
  #opened = false
  /** What happens while a message is being handed over is told after the message itself. */
  #held: Array<Unstamped> | undefined
  /** The headers last told of each exchange: a stream of messages repeats them, the trace does not. */
  readonly #told = new Map<number, Origin["headers"]>()

  constructor({ trace, handles }: Recording, place: Place) {
    this.#trace = trace
    this.#handles = handles
    this.#place = place
  }

  failed(error: ChannelError): void {
    this.#tell({ type: "channel", ...this.#place, event: "failed", error: errorRecord(error) })
  }

  released(): void {
    if (this.#opened) this.#tell({ type: "channel", ...this.#place, event: "released" })
  }

  /** The channel that its owner gets. What this wrapper does not know of passes as it is. */
  over(inner: Channel): Channel {
    const { exchanges, endSession, openStream } = inner
    this.#opened = true
    this.#tell({ type: "channel", ...this.#place, event: "opened", exchanges })
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

  #tell(event: Unstamped): void {
    if (this.#held !== undefined) this.#held.push(event)
    else this.#trace.emit(event)
  }

  #send(inner: Channel, outgoing: Outgoing, settled: (outcome: SendOutcome) => void) {
    const { channel } = this.#place
    const send = ++this.#sends
    const held: Array<Unstamped> = []
    let exchange = 0
    this.#held = held
    const sent = inner.send(outgoing, (outcome) => {
      this.#told.delete(exchange)
      this.#tell({ type: "outcome", channel, send, outcome: this.#plain(outcome) })
      settled(outcome)
    })
    this.#held = undefined
    exchange = sent.exchange
    const message = this.#seen(outgoing.message)
    this.#tell({ type: "frame", direction: "out", message, exchange, channel, send })
    for (const event of held) this.#tell(event)
    return sent
  }

  #stream(
    openStream: NonNullable<Channel["openStream"]>,
    request: StreamRequest,
    listener: StreamListener,
  ): Sent {
    const { channel } = this.#place
    const send = ++this.#sends
    let exchange = 0
    const tell = (event: "asked" | "opened" | "delivered"): void =>
      this.#tell({ type: "stream", channel, send, exchange, event })
    const held: Array<Unstamped> = []
    this.#held = held
    const sent = openStream(request, {
      opened: () => {
        tell("opened")
        listener.opened()
      },
      delivered: () => {
        tell("delivered")
        listener.delivered()
      },
      ended: (end) => {
        this.#told.delete(exchange)
        const plain = this.#plain(end)
        this.#tell({ type: "stream", channel, send, exchange, event: "ended", end: plain })
        listener.ended(end)
      },
    })
    this.#held = undefined
    exchange = sent.exchange
    tell("asked")
    for (const event of held) this.#tell(event)
    return sent
  }

  #receiver(receiver: Receiver): Receiver {
    const { channel } = this.#place
    return {
      message: (value, origin) => {
        const { exchange } = origin
        const message = this.#seen(value)
        const headers = this.#news(origin)
        this.#tell({
          type: "frame",
          direction: "in",
          message,
          exchange,
          channel,
          ...(headers && { headers }),
        })
        receiver.message(value, origin)
      },
      note: (note, origin) => {
        this.#tell({ type: "note", ...note, channel })
        receiver.note(note, origin)
      },
      unreadable: (error, origin) => {
        const { exchange } = origin
        this.#tell({ type: "unreadable", channel, exchange, error: errorRecord(error) })
        receiver.unreadable(error, origin)
      },
      closed: (cause) => {
        const error = errorRecord(cause)
        this.#tell({ type: "channel", ...this.#place, event: "closed", error })
        receiver.closed(cause)
      },
    }
  }

  #asked<A, E extends ChannelError>(
    what: string,
    asking: Effect.Effect<A, E>,
  ): Effect.Effect<A, E> {
    const { channel } = this.#place
    const tell = (outcome: unknown) =>
      Effect.sync(() => this.#tell({ type: "ask", channel, what, outcome }))
    return asking.pipe(
      Effect.tap((value) => tell({ value })),
      Effect.tapError((error) => tell({ error: errorRecord(error) })),
    )
  }

  /** A message as it is told; where nobody reads, nothing is looked for in it. */
  #seen(message: unknown): unknown {
    return this.#trace.active ? this.#handles.inMessage(message) : message
  }

  /** Headers of an answer, unless they were told with an earlier message of it. */
  #news({ exchange, headers }: Origin): Origin["headers"] {
    if (headers === undefined || this.#told.get(exchange) === headers) return undefined
    this.#told.set(exchange, headers)
    return this.#handles.inHeaders(headers)
  }

  /** An outcome without its errors' stacks, and with its handles numbered. */
  #plain(outcome: SendOutcome | StreamEnd): unknown {
    return {
      ...outcome,
      ...("error" in outcome && outcome.error && { error: errorRecord(outcome.error) }),
      ...("position" in outcome && outcome.position && { position: this.#safe(outcome.position) }),
      ...(outcome._tag === "Rejected" && { rejection: this.#refusal(outcome.rejection) }),
    }
  }

  #safe(position: StreamPosition): StreamPosition {
    return { ...position, headers: this.#handles.inHeaders(position.headers) }
  }

  #refusal(rejection: HttpRejection): HttpRejection {
    const { headers, json } = rejection
    return {
      ...rejection,
      headers: this.#handles.inHeaders(headers),
      json: this.#handles.inMessage(json),
    }
  }
}
