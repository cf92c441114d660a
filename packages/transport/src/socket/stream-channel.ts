import { connect, type Socket } from "node:net"
import * as Effect from "effect/Effect"
import { explain, Unreachable } from "@entente/protocol"
import { encodeMessage } from "../framing/encode-message.js"
import { Inbox } from "../inbox.js"
import { LineWriter } from "../framing/line-writer.js"
import { MessageLines } from "../framing/message-lines.js"
import type { Timer, Timers } from "../timers.js"
import type { Channel, Outgoing, Receiver, SendOutcome, Sent } from "../transport.js"
import { connectionFailure } from "./connection-failure.js"

/** Milliseconds that the server may take to end the connection after we did. */
const closeGrace = 1_000

/** Milliseconds of silence after which the system asks whether the other machine is there. */
const keepAliveDelay = 30_000

export type StreamAddress =
  | { readonly path: string }
  | { readonly host: string; readonly port: number }

export interface StreamContext {
  readonly target: string
  readonly address: StreamAddress
  readonly timers: Timers
  /** Milliseconds until the connection must be there. */
  readonly connectTimeout: number
  readonly maxMessageBytes: number
  /** Whether messages leave this machine unencrypted. */
  readonly clearText: boolean
}

/** One connection that carries a JSON value a line both ways, as stdio does (V26-CUST-04). */
export class StreamChannel implements Channel {
  readonly exchanges = "shared"
  readonly #context: StreamContext
  readonly #inbox = new Inbox()
  readonly #lines: MessageLines
  readonly #socket: Socket
  readonly #writer: LineWriter
  #opening: ((failure: Unreachable | undefined) => void) | undefined
  #deadline: Timer
  #fault: Error | undefined
  #ended = false
  #whenGone: () => void = () => {}

  constructor(context: StreamContext) {
    const { target, maxMessageBytes } = context
    this.#context = context
    this.#lines = new MessageLines({ target, maxMessageBytes, receiver: this.#inbox })
    this.#socket = connect({ ...context.address, noDelay: true })
    this.#socket.setKeepAlive(true, keepAliveDelay)
    // A write that fails ends the connection, and that says why.
    this.#writer = new LineWriter(this.#socket, () => {})
    this.#socket.on("error", (fault) => {
      this.#fault ??= fault
    })
    this.#socket.once("connect", () => this.#opened())
    this.#socket.once("close", () => this.#gone())
  }

  /** Succeeds when the connection is there; `close` releases it, whatever comes of it. */
  get opened(): Effect.Effect<void, Unreachable> {
    return Effect.callback((resume) => {
      const { timers, connectTimeout } = this.#context
      this.#opening = (failure) => resume(failure ? Effect.fail(failure) : Effect.void)
      this.#deadline = timers.set(() => {
        this.#socket.destroy(new Error(`no connection within ${connectTimeout} ms`))
      }, connectTimeout)
    })
  }

  /** Nothing is read before somebody listens, so that the server is held back and not kept in memory. */
  readonly listen = (receiver: Receiver): void => {
    this.#inbox.listen(receiver)
    this.#socket.on("data", (chunk) => this.#lines.push(chunk))
    this.#socket.once("end", () => {
      this.#endLines()
      this.#socket.destroy()
    })
  }

  readonly send = ({ message }: Outgoing, settled: (outcome: SendOutcome) => void): Sent => {
    const text = encodeMessage(message, this.#context.target)
    if (typeof text === "string") this.#writer.write(`${text}\n`, settled)
    else queueMicrotask(() => settled({ _tag: "Failed", error: text, mayHaveArrived: false }))
    return onTheSharedConnection
  }

  /** Ends the connection after what was sent before, and waits until it is gone. */
  get close(): Effect.Effect<void> {
    return Effect.callback((resume) => {
      const unopened = this.#opening !== undefined
      this.#opening = undefined
      this.#inbox.shut()
      if (this.#ended) return resume(Effect.void)
      const { timers } = this.#context
      const patience = timers.set(() => this.#socket.destroy(), closeGrace)
      this.#whenGone = () => {
        timers.clear(patience)
        resume(Effect.void)
      }
      if (unopened) this.#socket.destroy()
      else this.#writer.end()
      // The rest of what the server says is read, but by nobody, so that its end is seen.
      this.#socket.resume()
    })
  }

  #opened(): void {
    const { timers, clearText, target } = this.#context
    timers.clear(this.#deadline)
    if (clearText) this.#inbox.note({ code: "clear-text", detail: target })
    const opening = this.#opening
    this.#opening = undefined
    opening?.(undefined)
  }

  /**
   * The receiver hears of the end before the senders do, so that what they send again waits for the
   * next channel.
   */
  #gone(): void {
    const { timers, target } = this.#context
    this.#ended = true
    timers.clear(this.#deadline)
    const opening = this.#opening
    this.#opening = undefined
    opening?.(connectionFailure(target, this.#fault, "open"))
    this.#endLines()
    const cause = this.#cause()
    this.#inbox.closed(cause)
    this.#writer.fail(cause)
    this.#whenGone()
  }

  #cause(): Unreachable {
    const { target } = this.#context
    if (this.#fault !== undefined) return connectionFailure(target, this.#fault, "request")
    const what = "The server closed the connection."
    return new Unreachable(explain("unreachable", "request", target, what))
  }

  #endLines(): void {
    this.#lines.end()
  }
}

const onTheSharedConnection = { exchange: 0, abort: () => {} } as const
