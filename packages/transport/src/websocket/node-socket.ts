import type { IncomingMessage } from "node:http"
import type { Socket as NetworkSocket } from "node:net"
import { WebSocket, type ClientOptions } from "ws"
import { rejectionBody } from "../http/rejection-body.js"
import type { HeaderRecord } from "../http/request-decorator.js"
import type { Timers } from "../timers.js"
import type { OpenSocket, SocketEvents, SocketFault } from "./socket-port.js"

/** Milliseconds that the body of a refusal may take; the status alone says enough. */
const rejectionDeadline = 5_000

/** Milliseconds after a close frame in which the server has to end the connection. */
const closeTimeout = 2_000

/** Opens WebSockets on Node through `ws`. Redirects are never followed, and nothing is compressed. */
export const openSocket: OpenSocket = (request, events, timers) => {
  const { url, subprotocols, headers, maxMessageBytes } = request
  const options: ClientOptions & { readonly closeTimeout: number } = {
    headers,
    maxPayload: maxMessageBytes,
    // Messages are small or urgent, and each would have to wait for a thread that packs it.
    perMessageDeflate: false,
    closeTimeout,
  }
  const socket = new WebSocket(url, [...subprotocols], options)
  const refusal = new Refusal(events, timers, () => socket.terminate())
  let network: NetworkSocket | undefined
  let selected = ""
  let fault: SocketFault | undefined
  let ended = false
  const end = (code: number, reason: string): void => {
    if (ended) return
    ended = true
    events.ended(fault === undefined ? { code, reason } : { code, reason, fault })
  }
  socket.on("upgrade", (response) => {
    network = response.socket
    selected = response.headers["sec-websocket-protocol"] ?? ""
    events.head(response.statusCode ?? 101, headersOf(response))
    // `ws` refuses every selection but its own and says no more than that; here the channel judges.
    if (subprotocols[0] === undefined) delete response.headers["sec-websocket-protocol"]
    else response.headers["sec-websocket-protocol"] = subprotocols[0]
  })
  socket.on("unexpected-response", (_, response) => refusal.read(response))
  socket.on("open", () => events.opened(selected))
  socket.on("message", (data, isBinary) => {
    const bytes = data as Buffer // `binaryType` is "nodebuffer"
    if (isBinary) events.binary(bytes.length)
    else events.text(bytes.toString())
  })
  socket.on("error", (cause) => {
    fault ??= faultOf(cause)
    // The rest is politeness that may take its time: nothing more is heard from here on.
    if (network !== undefined) end(1006, "")
  })
  socket.on("close", (code, reason) => {
    refusal.stop()
    end(code, reason.toString())
    events.gone()
  })
  return {
    isOpen: () => socket.readyState === WebSocket.OPEN,
    send: (text, written) =>
      socket.send(text, (cause) => {
        // Node reports no error for a write that was cut short because its socket was destroyed.
        if (!cause && network?.destroyed === false) written()
      }),
    close: (code) => socket.close(code),
    drop: () => socket.terminate(),
    probe: {
      ping: () => socket.ping(),
      received: () => network?.bytesRead ?? 0,
      queued: () => socket.bufferedAmount,
    },
  }
}

/** Reads what came in place of a WebSocket. */
class Refusal {
  readonly #events: SocketEvents
  readonly #timers: Timers
  readonly #drop: () => void
  #deadline: unknown

  constructor(events: SocketEvents, timers: Timers, drop: () => void) {
    this.#events = events
    this.#timers = timers
    this.#drop = drop
  }

  read(response: IncomingMessage): void {
    const status = response.statusCode ?? 0
    const headers = headersOf(response)
    this.#events.head(status, headers)
    const body = rejectionBody(status, headers, (rejection) => {
      this.stop()
      this.#events.rejected(rejection)
      this.#drop()
    })
    this.#deadline = this.#timers.set(body.end, rejectionDeadline)
    response.on("data", body.chunk)
    // "close" comes whether the body ended or broke off.
    response.on("close", body.end)
    response.on("error", () => {})
  }

  stop(): void {
    if (this.#deadline !== undefined) this.#timers.clear(this.#deadline)
    this.#deadline = undefined
  }
}

const headersOf = ({ headers }: IncomingMessage): HeaderRecord =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(", ") : (value ?? ""),
    ]),
  )

/** The codes of `ws` for what a server must not send. */
const faults: Readonly<Record<string, SocketFault>> = {
  WS_ERR_UNSUPPORTED_MESSAGE_LENGTH: { kind: "TooLarge" },
  WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH: { kind: "TooLarge" },
  WS_ERR_TOO_MANY_BUFFERED_PARTS: { kind: "Broken", what: "a message in too many pieces" },
  WS_ERR_INVALID_UTF8: { kind: "Broken", what: "text that is not UTF-8" },
}

const faultOf = (cause: Error): SocketFault => {
  const code = "code" in cause ? String(cause.code) : ""
  if (!code.startsWith("WS_ERR_")) return { kind: "Network", cause }
  const known = Object.hasOwn(faults, code) ? faults[code] : undefined
  return known ?? { kind: "Broken", what: cause.message }
}
