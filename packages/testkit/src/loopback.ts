import { once } from "node:events"
import type { AddressInfo, Server, Socket } from "node:net"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Lifecycle, Peer } from "./peer.js"

export interface Loopback extends Lifecycle {
  readonly port: () => number
  readonly sockets: ReadonlySet<Socket>
}

/** Where a peer listens. */
export interface Address {
  /** Default: 127.0.0.1. */
  readonly host?: string
  /** Default: a free one. */
  readonly port?: number
}

/** An address as it is written in a URL. */
export const authority = (port: number, { host = "127.0.0.1" }: Address): string =>
  `${host.includes(":") ? `[${host}]` : host}:${port}`

/** Lets a server listen on a free port of 127.0.0.1, and on the same one when it starts again. */
export const loopback = (server: Server, address: Address = {}): Loopback => {
  const sockets = new Set<Socket>()
  let port = address.port ?? 0
  server.on("connection", (socket) => {
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
  })
  return {
    port: () => port,
    sockets,
    start: async () => {
      server.listen(port, address.host ?? "127.0.0.1")
      await once(server, "listening")
      port = (server.address() as AddressInfo).port // it listens on a port, not on a pipe
    },
    stop: async () => {
      if (!server.listening) return
      const closed = [server, ...sockets].map((one) => once(one, "close"))
      server.close()
      for (const socket of sockets) socket.destroy()
      await Promise.all(closed)
      // One turn of the event loop, in which clients in this process notice: none of them shall take
      // a connection that is gone for one that can be used again.
      await new Promise(setImmediate)
    },
  }
}

/** A peer for as long as the scope is open, on the clock of the caller. */
export const scopedPeer = <P extends Peer>(
  open: (context: Context.Context<never>) => Promise<P>,
): Effect.Effect<P, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.flatMap(Effect.context<never>(), (context) => Effect.promise(() => open(context))),
    (peer) => Effect.promise(() => peer.close()),
  )
