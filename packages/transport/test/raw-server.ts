import { once } from "node:events"
import { createServer, type AddressInfo, type Socket } from "node:net"

export interface RawServer extends AsyncDisposable {
  readonly url: string
  /** Every connection there was, in order. */
  readonly sockets: ReadonlyArray<Socket>
  /** Every request, head and body. */
  readonly requests: ReadonlyArray<string>
}

/** How long a request with this much text in hand is, once that is known. */
const lengthOf = (text: string): number | undefined => {
  const head = text.indexOf("\r\n\r\n")
  if (head < 0) return undefined
  const [, length = "0"] = /^content-length: (\d+)$/im.exec(text.slice(0, head)) ?? []
  return head + 4 + Number(length)
}

/** A server without HTTP in it: what it writes is what arrives, byte by byte. */
export const serveRaw = async (
  answer: (socket: Socket, request: string) => void,
  connected: (socket: Socket) => void = () => {},
): Promise<RawServer> => {
  const sockets: Array<Socket> = []
  const requests: Array<string> = []
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.push(socket)
    socket.on("error", () => {})
    connected(socket)
    let text = ""
    socket.setEncoding("latin1").on("data", (piece) => {
      text += String(piece)
      const length = lengthOf(text)
      if (length === undefined || text.length < length) return
      const request = text.slice(0, length)
      text = text.slice(length)
      requests.push(request)
      answer(socket, request)
    })
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    sockets,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.close()
      for (const socket of sockets) socket.destroy()
      if (server.listening) await once(server, "close")
    },
  }
}
