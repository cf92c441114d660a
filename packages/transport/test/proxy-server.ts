import {
  createServer,
  request as requestOf,
  type IncomingMessage,
  type ServerResponse,
} from "node:http"
import { createServer as createSecureServer } from "node:https"
import { once } from "node:events"
import { connect, type AddressInfo, type Socket } from "node:net"

/** What a proxy was asked for. */
export interface Asked {
  /** `CONNECT host:port`, or a method and the whole address. */
  readonly line: string
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
}

export interface ProxyServer extends AsyncDisposable {
  readonly url: URL
  readonly asked: ReadonlyArray<Asked>
}

/** A status to refuse with, and its headers; undefined lets a request through. */
export type Refuse = (asked: Asked) => readonly [number, Record<string, string>?] | undefined

/** A proxy that leads to wherever `place` says, whatever it was asked for. */
export const serveProxy = async (
  place: string,
  refuse: Refuse = () => undefined,
  certificate?: { readonly key: string; readonly cert: string },
): Promise<ProxyServer> => {
  const asked: Array<Asked> = []
  const sockets = new Set<Socket>()
  const [host = "", port = ""] = place.split(":")
  const note = ({ method, url, headers }: IncomingMessage): Asked => {
    const one = { line: `${method} ${url}`, headers }
    asked.push(one)
    return one
  }
  const forward = (incoming: IncomingMessage, response: ServerResponse): void => {
    const refusal = refuse(note(incoming))
    if (refusal !== undefined) return void response.writeHead(...refusal).end("no way")
    const { method, headers } = incoming
    const { pathname, search } = new URL(incoming.url ?? "")
    const { "proxy-authorization": _, ...passedOn } = headers
    const outgoing = requestOf({ host, port, method, headers: passedOn, path: pathname + search })
    outgoing.on("response", (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers)
      answer.pipe(response)
    })
    outgoing.on("error", () => response.destroy())
    incoming.pipe(outgoing)
  }
  const server =
    certificate === undefined ? createServer(forward) : createSecureServer(certificate, forward)
  server.on("connect", (incoming: IncomingMessage, socket: Socket) => {
    socket.on("error", () => {})
    const refusal = refuse(note(incoming))
    if (refusal !== undefined) {
      return socket.end(`HTTP/1.1 ${refusal[0]} No\r\ncontent-length: 6\r\n\r\nno way`)
    }
    const onward = connect(Number(port), host, () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n")
      onward.pipe(socket)
      socket.pipe(onward)
    })
    onward.on("error", () => socket.destroy())
    sockets.add(onward)
  })
  server.on("connection", (socket) => sockets.add(socket))
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    url: new URL(
      `${certificate === undefined ? "http" : "https"}://localhost:${(server.address() as AddressInfo).port}`,
    ),
    asked,
    [Symbol.asyncDispose]: async () => {
      server.close()
      for (const socket of sockets) socket.destroy()
      if (server.listening) await once(server, "close")
    },
  }
}
