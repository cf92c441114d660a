import {
  createServer,
  type IncomingHttpHeaders,
  type RequestListener,
  type ServerResponse,
} from "node:http"
import { createServer as createSecureServer } from "node:https"
import { once } from "node:events"
import { createServer as createSocketServer, type AddressInfo, type Socket } from "node:net"

/** A request that arrived whole. */
export interface Arrived {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export type Handler = (request: Arrived, response: ServerResponse) => void

export interface Server extends AsyncDisposable {
  readonly url: string
  readonly origin: string
  readonly arrived: ReadonlyArray<Arrived>
  readonly sockets: ReadonlySet<Socket>
}

const collecting =
  (arrived: Array<Arrived>, handler: Handler): RequestListener =>
  async (incoming, response) => {
    let body = ""
    try {
      for await (const chunk of incoming.setEncoding("utf8")) body += chunk
    } catch {
      return // The client went away while it was sending.
    }
    const { method = "", url = "", headers } = incoming
    const request = { method, path: url, headers, body }
    arrived.push(request)
    handler(request, response)
  }

/** A real server on a free port. */
export const serve = async (handler: Handler): Promise<Server> => {
  const arrived: Array<Arrived> = []
  const sockets = new Set<Socket>()
  const server = createServer(collecting(arrived, handler))
  server.on("connection", (socket) => {
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `${origin}/mcp`,
    origin,
    arrived,
    sockets,
    [Symbol.asyncDispose]: async () => {
      server.close()
      server.closeAllConnections()
      if (server.listening) await once(server, "close")
    },
  }
}

export interface SecureServer extends Server {
  /** What came without TLS to the same port. */
  readonly arrivedPlain: ReadonlyArray<Arrived>
}

/** A real server that speaks https, and http as well, on one free port of `localhost`. */
export const serveSecurely = async (
  certificate: { readonly key: string; readonly cert: string },
  handler: Handler,
  plainHandler: Handler = handler,
): Promise<SecureServer> => {
  const arrived: Array<Arrived> = []
  const arrivedPlain: Array<Arrived> = []
  const sockets = new Set<Socket>()
  const secure = createSecureServer(certificate, collecting(arrived, handler))
  const plain = createServer(collecting(arrivedPlain, plainHandler))
  const port = createSocketServer((socket) => {
    sockets.add(socket)
    socket.on("error", () => {}).on("close", () => sockets.delete(socket))
    socket.once("data", (first) => {
      socket.pause()
      socket.unshift(first)
      // A greeting of TLS begins with the number of a handshake record.
      const isTls = Buffer.from(first)[0] === 22
      ;(isTls ? secure : plain).emit("connection", socket)
      process.nextTick(() => socket.resume())
    })
  })
  port.listen(0, "127.0.0.1")
  await once(port, "listening")
  const origin = `https://localhost:${(port.address() as AddressInfo).port}`
  return {
    url: `${origin}/mcp`,
    origin,
    arrived,
    arrivedPlain,
    sockets,
    [Symbol.asyncDispose]: async () => {
      port.close()
      for (const socket of sockets) socket.destroy()
      if (port.listening) await once(port, "close")
    },
  }
}

export const json = (response: ServerResponse, value: unknown, status = 200): void => {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value))
}

export const eventStream = (response: ServerResponse, headers = {}): ServerResponse =>
  response.writeHead(200, { "content-type": "text/event-stream", ...headers })

/** One event with a message, as servers send it. */
export const event = (value: unknown): string =>
  `event: message\ndata: ${JSON.stringify(value)}\n\n`

/** The answer that names the request it belongs to. */
export const answerTo = ({ body }: Arrived) => ({
  jsonrpc: "2.0" as const,
  id: (JSON.parse(body) as { id: number }).id,
  result: {},
})

/** A promise that a handler fulfils. */
export const deferred = () => {
  let resolve = (): void => {}
  const promise = new Promise<void>((done) => (resolve = done))
  return { promise, resolve }
}

/** Waits, turn by turn, until something holds; what never does is ended by the limit of the test. */
export const eventually = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resume) => setImmediate(resume))
}
