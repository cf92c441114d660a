import { createHash } from "node:crypto"
import { once } from "node:events"
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { WebSocketServer, type ServerOptions, type WebSocket } from "ws"

export interface WebSocketPeer extends AsyncDisposable {
  readonly url: string
  /** Every handshake, in order. */
  readonly requests: ReadonlyArray<IncomingMessage>
  /** Every socket that was opened, in order. */
  readonly sockets: ReadonlyArray<WebSocket>
  readonly server: Server
  /** Waits until so many sockets were opened, and gives the last of them. */
  readonly socket: (amount?: number) => Promise<WebSocket>
}

export interface PeerOptions extends ServerOptions {
  readonly answer?: RequestListener
  readonly refuse?: (request: IncomingMessage, socket: Socket) => boolean
  readonly connected?: (socket: WebSocket) => void
}

/** A WebSocket server on a port of its own; `refuse` may answer a handshake in another way. */
export const webSocketServer = async (options: PeerOptions = {}): Promise<WebSocketPeer> => {
  const { answer, refuse, connected, ...more } = options
  const server = createServer(answer)
  const sockets: Array<WebSocket> = []
  const requests: Array<IncomingMessage> = []
  const raw = new Set<Socket>()
  const wss = new WebSocketServer({ noServer: true, ...more })
  const opened: Array<() => void> = []
  server.on("connection", (socket) => {
    raw.add(socket)
    socket.once("close", () => raw.delete(socket))
  })
  server.on("upgrade", (request, socket, head) => {
    requests.push(request)
    // The `http` module gives a network socket here.
    if (refuse?.(request, socket as Socket) === true) return
    wss.handleUpgrade(request, socket, head, (webSocket) => {
      webSocket.on("error", () => {})
      sockets.push(webSocket)
      connected?.(webSocket)
      for (const wake of opened.splice(0)) wake()
    })
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo // it listens on TCP
  return {
    url: `ws://127.0.0.1:${port}/mcp`,
    requests,
    sockets,
    server,
    socket: async (amount = 1) => {
      while (sockets.length < amount) await new Promise<void>((wake) => opened.push(wake))
      return sockets[amount - 1] as WebSocket // just counted
    },
    [Symbol.asyncDispose]: async () => {
      wss.close()
      for (const socket of raw) socket.destroy()
      await new Promise((over) => server.close(over))
    },
  }
}

/** Answers a handshake with plain HTTP. */
export const httpAnswer = (socket: Socket, status: string, headers: object, body = ""): true => {
  const head = Object.entries({ ...headers, "content-length": Buffer.byteLength(body) })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")
  socket.end(`HTTP/1.1 ${status}\r\n${head}\r\n${body}`)
  return true
}

/** Completes a handshake without `ws`, so that every byte afterwards is the test's own. */
export const acceptByHand = (
  incoming: IncomingMessage,
  socket: Socket,
  subprotocol = "mcp",
): true => {
  const key = `${incoming.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`
  const accept = createHash("sha1").update(key).digest("base64")
  socket.setNoDelay(true)
  socket.write(
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
      `Sec-WebSocket-Accept: ${accept}\r\nSec-WebSocket-Protocol: ${subprotocol}\r\n\r\n`,
  )
  return true
}

/** What a socket says next. */
export const nextText = async (socket: WebSocket): Promise<string> => {
  const [data] = (await once(socket, "message")) as [Buffer] // Node's sockets give buffers
  return data.toString()
}

/** How a socket ends. */
export const closing = async (
  socket: WebSocket,
): Promise<{ readonly code: number; readonly reason: string }> => {
  const [code, reason] = (await once(socket, "close")) as [number, Buffer] // the event's own arguments
  return { code, reason: reason.toString() }
}

interface Frame {
  readonly fin: boolean
  readonly opcode: number
  readonly payload: Uint8Array
}

/** The bytes of a frame as a server sends it: not masked. Shorter than 64 KiB. */
export const frameBytes = ({ fin, opcode, payload }: Frame): Buffer => {
  const first = (fin ? 0x80 : 0) | opcode
  const { length } = payload
  const head = length < 126 ? [first, length] : [first, 126, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from(head), payload])
}
