import * as Effect from "effect/Effect"
import { explain, Unreachable, type Note, type TransportError } from "@entente/protocol"
import { redactUrl, type Trace } from "@entente/trace"
import { encodeMessage } from "../framing/encode-message.js"
import { Inbox } from "../inbox.js"
import { sampleOf } from "../framing/message-lines.js"
import { parseMessage } from "../framing/parse-message.js"
import type { HeaderRecord } from "../http/request-decorator.js"
import type { Timer, Timers } from "../timers.js"
import type { Channel, HttpRejection, Outgoing, SendOutcome, Sent } from "../transport.js"
import { endOf, refusalCode } from "./close-code.js"
import { handshakeBroke, handshakeRejected, handshakeTimedOut } from "./handshake-failure.js"
import { LivenessWatch, type Liveness } from "./liveness.js"
import type { OpenSocket, Socket, SocketEnd, SocketEvents, UpgradeRequest } from "./socket-port.js"
import { judgeSubprotocol } from "./subprotocol.js"

/** Milliseconds that the server may take to answer our close frame. */
const closeGrace = 1_000

export interface WebSocketContext {
  readonly target: string
  readonly request: UpgradeRequest
  readonly trace: Trace
  readonly timers: Timers
  /** Milliseconds until the socket must be open. */
  readonly connectTimeout: number
  readonly liveness: Liveness | false
  /** Whether messages leave this machine unencrypted. */
  readonly clearText: boolean
}

/** A message that is not known to have left. */
interface UnderWay {
  readonly settled: (outcome: SendOutcome) => void
  /** False if it was never handed to the socket. */
  readonly handed: boolean
}

/** One WebSocket: each text frame is a message, and all of them share it (V26-CUST-02, V26-CUST-03). */
export class WebSocketChannel implements Channel {
  readonly exchanges = "shared"
  readonly #context: WebSocketContext
  readonly #inbox = new Inbox()
  readonly #underWay = new Set<UnderWay>()
  #socket: Socket | undefined
  /** Takes the outcome of opening; gone once there is one. */
  #opening: ((failure: TransportError | undefined) => void) | undefined
  #deadline: Timer
  #liveness: LivenessWatch | undefined
  /** Why nothing can be sent any more. */
  #cause: TransportError | undefined
  #gone = false
  #whenGone: () => void = () => {}

  constructor(context: WebSocketContext) {
    this.#context = context
  }

  readonly listen = this.#inbox.listen

  /** Opens the socket. Whatever comes of it, and when it is interrupted too, `close` releases it. */
  open(openSocket: OpenSocket): Effect.Effect<void, TransportError> {
    return Effect.callback((resume) => {
      const { request, timers, target, connectTimeout } = this.#context
      this.#opening = (failure) => resume(failure ? Effect.fail(failure) : Effect.void)
      this.#deadline = timers.set(() => {
        this.#fail(handshakeTimedOut(request.url, target, connectTimeout))
        this.#socket?.drop()
      }, connectTimeout)
      this.#tell(request.headers)
      try {
        this.#socket = openSocket(request, this.#events, timers)
      } catch (cause) {
        this.#gone = true
        this.#fail(cause instanceof Unreachable ? cause : this.#unopened(cause))
      }
    })
  }

  readonly send = ({ message }: Outgoing, settled: (outcome: SendOutcome) => void): Sent => {
    const socket = this.#socket
    const text = this.#cause ?? encodeMessage(message, this.#context.target)
    if (typeof text !== "string" || socket === undefined) {
      const error = typeof text === "string" ? this.#closedBefore() : text
      queueMicrotask(() => settled({ _tag: "Failed", error, mayHaveArrived: false }))
      return onTheSharedSocket
    }
    // While the socket closes nothing can be sent, and why it does is known when it has.
    const underWay = { settled, handed: socket.isOpen() }
    this.#underWay.add(underWay)
    if (underWay.handed) {
      socket.send(text, () => {
        if (this.#underWay.delete(underWay)) settled({ _tag: "Written" })
      })
    }
    return onTheSharedSocket
  }

  readonly refuse = (code: Note["code"]): void => {
    this.#inbox.shut()
    this.#socket?.close(refusalCode(code))
    this.#settleDown(this.#closedBefore())
  }

  /** Says goodbye and waits until the socket is gone; a server that does not answer is left. */
  get close(): Effect.Effect<void> {
    return Effect.callback((resume) => {
      const socket = this.#socket
      const unopened = this.#opening !== undefined
      this.#opening = undefined
      this.#inbox.shut()
      this.#settleDown(this.#closedBefore())
      if (this.#gone || socket === undefined) return resume(Effect.void)
      const { timers } = this.#context
      const patience = timers.set(() => socket.drop(), closeGrace)
      this.#whenGone = () => {
        timers.clear(patience)
        resume(Effect.void)
      }
      if (unopened) socket.drop()
      else socket.close(1000)
    })
  }

  get #events(): SocketEvents {
    return {
      head: (status, headers) => {
        // Somebody answers: what is left of the handshake has a deadline of its own.
        if (status !== 101) this.#context.timers.clear(this.#deadline)
        this.#tell(headers, status)
      },
      opened: (subprotocol) => this.#opened(subprotocol),
      rejected: (rejection) => this.#rejected(rejection),
      text: (text) => this.#text(text),
      binary: (bytes) => this.#inbox.note({ code: "binary-frame", detail: `${bytes} bytes` }),
      ended: (end) => this.#ended(end),
      gone: () => {
        this.#gone = true
        this.#whenGone()
      },
    }
  }

  #opened(subprotocol: string): void {
    const { request, target, timers, liveness, clearText } = this.#context
    const socket = this.#socket
    if (this.#opening === undefined || socket === undefined) return
    const judged = judgeSubprotocol(subprotocol, request.subprotocols, target)
    if (judged !== undefined && "_tag" in judged) {
      socket.close(1002)
      return this.#fail(judged)
    }
    timers.clear(this.#deadline)
    if (judged !== undefined) this.#inbox.note(judged)
    if (clearText) this.#inbox.note({ code: "clear-text", detail: redactUrl(request.url.origin) })
    if (liveness !== false && socket.probe !== undefined) {
      this.#liveness = new LivenessWatch(socket.probe, timers, liveness, () => {
        this.#end(this.#silent(liveness))
        socket.drop()
      })
    }
    const opening = this.#opening
    this.#opening = undefined
    opening(undefined)
  }

  #rejected(rejection: HttpRejection): void {
    const { request, target } = this.#context
    this.#fail(handshakeRejected(rejection, request.url, target))
  }

  #text(text: string): void {
    const value = parseMessage(text)
    if (value !== undefined) this.#inbox.message(value, shared)
    else this.#inbox.note({ code: "text-frame-noise", detail: sampleOf(text) })
  }

  #ended(end: SocketEnd): void {
    const { request, target } = this.#context
    const { url, maxMessageBytes } = request
    if (this.#opening === undefined) return this.#end(endOf(end, target, maxMessageBytes))
    this.#fail(handshakeBroke(end, url, target, maxMessageBytes))
  }

  /** Opening came to nothing. */
  #fail(failure: TransportError): void {
    const opening = this.#opening
    this.#opening = undefined
    this.#inbox.shut()
    this.#settleDown(failure)
    opening?.(failure)
  }

  /**
   * The channel is over. The receiver hears it before the senders do, so that what they send again waits
   * for the next channel.
   */
  #end(cause: TransportError): void {
    if (this.#cause !== undefined) return
    this.#inbox.closed(cause)
    this.#settleDown(cause)
  }

  #settleDown(cause: TransportError): void {
    this.#context.timers.clear(this.#deadline)
    this.#liveness?.stop()
    this.#cause ??= cause
    const underWay = [...this.#underWay]
    this.#underWay.clear()
    for (const { settled, handed } of underWay) {
      settled({ _tag: "Failed", error: this.#cause, mayHaveArrived: handed })
    }
  }

  #tell(headers: HeaderRecord, status?: number): void {
    const { trace, request } = this.#context
    if (!trace.active) return
    const url = request.url.href
    const event = { type: "http", exchange: 0, method: "GET", url, headers } as const
    trace.emit(status === undefined ? event : { ...event, status })
  }

  #unopened(cause: unknown): TransportError {
    const { request, target } = this.#context
    const end: SocketEnd = { code: 1006, reason: "", fault: { kind: "Network", cause } }
    return handshakeBroke(end, request.url, target, request.maxMessageBytes)
  }

  #silent({ intervalMs, timeoutMs }: Liveness): Unreachable {
    const what = `The WebSocket was silent for ${intervalMs} ms, and a ping got no answer within ${timeoutMs} ms.`
    return new Unreachable(explain("unreachable", "request", this.#context.target, what))
  }

  #closedBefore(): Unreachable {
    const what = "The channel was closed before."
    return new Unreachable(explain("unreachable", "request", this.#context.target, what))
  }
}

/** On a shared channel every message has this origin. */
const shared = { exchange: 0 } as const
const onTheSharedSocket = { exchange: 0, abort: () => {} } as const
