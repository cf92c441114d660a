import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import { once } from "node:events"
import type { AddressInfo, Socket } from "node:net"

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

/** A real server on a free port. */
export const serve = async (handler: Handler): Promise<Server> => {
  const arrived: Array<Arrived> = []
  const sockets = new Set<Socket>()
  const server = createServer(async (incoming, response) => {
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
  })
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
