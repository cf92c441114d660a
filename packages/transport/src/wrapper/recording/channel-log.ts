import type { Note } from "@entente/protocol"
import type { Trace, Unstamped } from "@entente/trace"
import type {
  Channel,
  HttpRejection,
  Origin,
  SendOutcome,
  StreamEnd,
  StreamPosition,
} from "../../transport.js"
import { errorRecord, type ChannelError } from "./error-record.js"
import type { Handles } from "./handles.js"

/** Which opening of which transport it is. */
export interface Place {
  /** From 1. */
  readonly channel: number
  readonly transport: string
  readonly target: string
}

/**
 * The words of a recording, for one opening of a transport: whoever sees a channel, from inside the client
 * or from between it and its server, tells it here, and `replay` reads it. Handles are numbered on the way
 * (V25-HTTP-36, V26-SEC-12).
 */
export class ChannelLog {
  readonly #trace: Trace
  readonly #handles: Handles
  readonly #place: Place
  #sends = 0
  /** What happens while a message is being handed over is told after the message itself. */
  #held: Array<Unstamped> | undefined
  /** The headers last told of each exchange: a stream of messages repeats them, the trace does not. */
  readonly #told = new Map<number, Origin["headers"]>()

  constructor(
    { trace, handles }: { readonly trace: Trace; readonly handles: Handles },
    place: Place,
  ) {
    this.#trace = trace
    this.#handles = handles
    this.#place = place
  }

  opened(exchanges: Channel["exchanges"]): void {
    this.#tell({ type: "channel", ...this.#place, event: "opened", exchanges })
  }

  failed(error: ChannelError): void {
    this.#tell({ type: "channel", ...this.#place, event: "failed", error: errorRecord(error) })
  }

  /** It ended by itself. */
  closed(cause: ChannelError): void {
    this.#tell({ type: "channel", ...this.#place, event: "closed", error: errorRecord(cause) })
  }

  /** Its owner closed it. */
  released(): void {
    this.#tell({ type: "channel", ...this.#place, event: "released" })
  }

  /** The number of the next message or stream on its way. */
  nextSend(): number {
    return ++this.#sends
  }

  /** Runs something that may already bring answers, and tells first what they answer. */
  before<A>(run: () => A, tell: (value: A) => void): A {
    const held: Array<Unstamped> = []
    this.#held = held
    const value = run()
    this.#held = undefined
    tell(value)
    for (const event of held) this.#tell(event)
    return value
  }

  sent(send: number, exchange: number, value: unknown): void {
    const { channel } = this.#place
    const message = this.#seen(value)
    this.#tell({ type: "frame", direction: "out", message, exchange, channel, send })
  }

  settled(send: number, exchange: number, outcome: SendOutcome): void {
    const { channel } = this.#place
    this.#told.delete(exchange)
    this.#tell({ type: "outcome", channel, send, outcome: this.#plain(outcome) })
  }

  /** A stream beside the messages. */
  stream(send: number, exchange: number, event: "asked" | "opened" | "delivered"): void {
    const { channel } = this.#place
    this.#tell({ type: "stream", channel, send, exchange, event })
  }

  /** Without an end, the client has let go of it. */
  streamEnded(send: number, exchange: number, end: StreamEnd): void {
    const { channel } = this.#place
    this.#told.delete(exchange)
    const plain = this.#plain(end)
    this.#tell({ type: "stream", channel, send, exchange, event: "ended", end: plain })
  }

  received(value: unknown, origin: Origin): void {
    const { channel } = this.#place
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
  }

  note(note: Note): void {
    this.#tell({ type: "note", ...note, channel: this.#place.channel })
  }

  unreadable(error: ChannelError, { exchange }: Origin): void {
    const { channel } = this.#place
    this.#tell({ type: "unreadable", channel, exchange, error: errorRecord(error) })
  }

  /** What it was asked for besides messages, and what came of it. */
  asked(
    what: string,
    outcome: { readonly value: unknown } | { readonly error: ChannelError },
  ): void {
    const plain = "error" in outcome ? { error: errorRecord(outcome.error) } : outcome
    this.#tell({ type: "ask", channel: this.#place.channel, what, outcome: plain })
  }

  #tell(event: Unstamped): void {
    if (this.#held !== undefined) this.#held.push(event)
    else this.#trace.emit(event)
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
