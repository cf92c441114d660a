import type { Buffer } from "node:buffer"
import type { IncomingMessage } from "node:http"
import type { Socket } from "node:net"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { WebSocketServer } from "ws"
import { readText } from "./arrival.js"
import type { Medium } from "./check-script.js"
import { endpointOf } from "./endpoint.js"
import { patientServer, receivedHead } from "./http-request.js"
import { authority, loopback, scopedPeer, type Address } from "./loopback.js"
import { makePeer, type Peer } from "./peer.js"
import { makePlayer } from "./play.js"
import type { Script } from "./script.js"
import { webSocketPort } from "./web-socket-port.js"

const medium: Medium = {
  name: "websocket",
  plays: new Set([
    "result",
    "error",
    "message",
    "raw",
    "http",
    "binary",
    "fragments",
    "close",
    "freeze",
    "delay",
    "silence",
    "destroy",
  ]),
  notices: new Set(["request", "notification", "response", "batch", "invalid", "open"]),
  overHttp: new Set(["open"]),
}

export interface WebSocketPeer extends Peer {
  /** The MCP endpoint: `ws://…`. */
  readonly url: string
  /** How many sockets are open now. */
  readonly sockets: () => number
}

const openWebSocketPeer = async (
  script: Script,
  context: Context.Context<never>,
  address: Address = {},
): Promise<WebSocketPeer> => {
  const player = makePlayer(script, medium)
  const upgrades = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) => {
      const { subprotocol = offered.has("mcp") ? "mcp" : null } = script
      return subprotocol ?? false
    },
  })

  const serve = (request: IncomingMessage, socket: Socket, head: Buffer): void => {
    const port = webSocketPort(request, socket, (accepted) =>
      upgrades.handleUpgrade(request, socket, head, (connection) => {
        accepted(connection)
        connection.on("message", (bytes, isBinary) => {
          const text = (bytes as Buffer).toString() // what "nodebuffer", the default, gives
          place.receive(isBinary ? { kind: "invalid", text } : readText(text))
        })
        connection.on("close", (closeCode) =>
          place.leave(port.state() === "over" ? "peer" : "client", { closeCode }),
        )
      }),
    )
    const place = player.open(port, context)
    socket.on("error", () => {}) // `close` follows
    socket.on("close", () => {
      if (port.state() !== "stream") place.leave(port.state() === "over" ? "peer" : "client")
    })
    place.receive({ kind: "open", ...receivedHead(request) })
  }

  const server = patientServer((_, response) => void response.writeHead(426).end())
  server.on("upgrade", (request, socket: Socket, head: Buffer) => serve(request, socket, head))
  const { start, stop, port, sockets } = loopback(server, address)
  await start()

  return {
    ...makePeer(player, { start, stop }),
    url: `ws://${authority(port(), address)}${endpointOf(script, medium)}`,
    sockets: () => sockets.size,
  }
}

/**
 * A scripted WebSocket server that is closed with the scope. A GET that asks for the upgrade is an `open`
 * with path and headers; a reply that begins with `http` refuses it, any other accepts it. Delays run on the
 * clock of the caller.
 */
export const webSocketPeer = (script: Script): Effect.Effect<WebSocketPeer, never, Scope.Scope> =>
  scopedPeer((context) => openWebSocketPeer(script, context))

/**
 * The same as a Promise, on a free port of 127.0.0.1 unless `address` says otherwise; `close`, or the end of `await using`, ends it.
 *
 * @example
 * const peer = await startWebSocketPeer({ rules: [{ when: {}, reply: [{ close: 1011 }] }] })
 * new WebSocket(peer.url, "mcp").onclose = ({ code }) => code // 1011, once something was said
 */
export const startWebSocketPeer = (script: Script, address?: Address): Promise<WebSocketPeer> =>
  openWebSocketPeer(script, Context.empty(), address)
