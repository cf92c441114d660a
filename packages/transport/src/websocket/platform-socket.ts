import { explain, Unreachable } from "@entente/protocol"
import { redactUrl } from "@entente/trace"
import type { Timer } from "../timers.js"
import type { OpenSocket, Socket, SocketEvents, SocketFault } from "./socket-port.js"

interface PlatformEvents {
  readonly open: unknown
  readonly error: unknown
  readonly message: { readonly data: unknown }
  readonly close: { readonly code: number; readonly reason: string }
}

/** The part of a browser's `WebSocket` that is used. */
export interface PlatformWebSocket {
  binaryType: string
  readonly protocol: string
  readonly readyState: number
  readonly bufferedAmount: number
  readonly send: (text: string) => void
  readonly close: (code?: number) => void
  readonly addEventListener: <Name extends keyof PlatformEvents>(
    name: Name,
    listener: (event: PlatformEvents[Name]) => void,
  ) => void
}

export type PlatformWebSocketConstructor = new (
  url: string,
  subprotocols: Array<string>,
) => PlatformWebSocket

const isOpen = 1

/** Bytes that may wait in the platform before later messages count as not yet written. */
const highWater = 1024 * 1024

/** Milliseconds between two looks at what waits: the platform does not tell when it has gone. */
const drainInterval = 20

/**
 * Opens WebSockets with a constructor like the browsers' own. Such sockets cannot ping, do not say why a
 * handshake failed, and take no headers: a token travels as a further subprotocol.
 */
export const platformSocket =
  (Constructor: PlatformWebSocketConstructor): OpenSocket =>
  ({ url, subprotocols, headers, maxMessageBytes }, events, timers) => {
    refuseHeaders(url, Object.keys(headers))
    const socket = new Constructor(url.href, [...subprotocols])
    socket.binaryType = "arraybuffer"
    const life = new PlatformLife(events)
    const close = (code: number): void => socket.close(code === 1000 ? code : 3_000 + code)
    socket.addEventListener("open", () => life.tell(() => events.opened(socket.protocol)))
    socket.addEventListener("message", ({ data }) => {
      if (typeof data !== "string") return life.tell(() => events.binary(sizeOf(data)))
      if (!isLonger(data, maxMessageBytes)) return life.tell(() => events.text(data))
      life.end(1006, "", { kind: "TooLarge" })
      close(1009)
    })
    socket.addEventListener("close", ({ code, reason }) => {
      life.end(code, reason)
      life.over()
    })
    // "close" follows with all that a page may know.
    socket.addEventListener("error", () => {})

    let waiting: Array<() => void> = []
    let look: Timer
    const drain = (): void => {
      look = undefined
      // What still waits when the socket is over is the channel's to settle.
      if (life.isOver) return
      if (socket.bufferedAmount > highWater) return wait()
      const written = waiting
      waiting = []
      for (const tell of written) tell()
    }
    const wait = (): void => {
      look ??= timers.set(drain, drainInterval)
    }
    life.whenOver(() => {
      if (look !== undefined) timers.clear(look)
    })
    return {
      isOpen: () => socket.readyState === isOpen && !life.isOver,
      send: (text, written) => {
        socket.send(text)
        if (waiting.length === 0 && socket.bufferedAmount <= highWater) {
          return queueMicrotask(written)
        }
        waiting.push(written)
        wait()
      },
      close,
      drop: () => {
        close(1000)
        life.end(1006, "")
        life.over()
      },
    } satisfies Socket
  }

/** Lets each end of a socket be told once, however the platform orders its events. */
class PlatformLife {
  isOver = false
  #ended = false
  #release: () => void = () => {}
  readonly #events: SocketEvents

  constructor(events: SocketEvents) {
    this.#events = events
  }

  whenOver(release: () => void): void {
    this.#release = release
  }

  tell(event: () => void): void {
    if (!this.#ended) event()
  }

  end(code: number, reason: string, fault?: SocketFault): void {
    if (this.#ended) return
    this.#ended = true
    this.#events.ended(fault === undefined ? { code, reason } : { code, reason, fault })
  }

  over(): void {
    if (this.isOver) return
    this.isOver = true
    this.#release()
    this.#events.gone()
  }
}

/** Through the platform's own `WebSocket`. */
export const openSocket: OpenSocket = (request, events, timers) => {
  const { WebSocket } = globalThis as { readonly WebSocket?: PlatformWebSocketConstructor } // where it is
  if (WebSocket !== undefined) return platformSocket(WebSocket)(request, events, timers)
  const hint = "Give one in the option WebSocket."
  throw impossible(request.url, "This platform has no WebSocket.", hint)
}

const refuseHeaders = (url: URL, names: ReadonlyArray<string>): void => {
  if (names.length === 0) return
  const what = `A WebSocket of this platform cannot send headers (${names.join(", ")}).`
  throw impossible(url, what, "Send the token as a further subprotocol: ['mcp', token].")
}

const impossible = (url: URL, what: string, hint: string): Unreachable =>
  new Unreachable(explain("unreachable", "open", redactUrl(url.href), what, hint))

const encoder = new TextEncoder()

/** Whether a text has more bytes than this; most are seen to be shorter without encoding them. */
const isLonger = (text: string, bytes: number): boolean =>
  text.length > bytes || (text.length * 3 > bytes && encoder.encode(text).length > bytes)

const sizeOf = (data: unknown): number => (data instanceof ArrayBuffer ? data.byteLength : 0)
