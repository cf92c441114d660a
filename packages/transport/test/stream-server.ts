import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer, type AddressInfo, type Server, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Transport } from "@entente/transport"
import { tcpSocket, unixSocket, type SocketOptions } from "@entente/transport/socket"

export interface StreamPeer extends AsyncDisposable {
  readonly transport: (options?: SocketOptions) => Transport
  /** Waits until so many clients are there, and gives the last of them. */
  readonly client: (amount?: number) => Promise<Socket>
  readonly clients: ReadonlyArray<Socket>
}

const peerOf = (
  server: Server,
  transport: StreamPeer["transport"],
  remove: () => Promise<void> = async () => {},
): StreamPeer => {
  const clients: Array<Socket> = []
  server.on("connection", (socket) => {
    socket.on("error", () => {})
    clients.push(socket)
  })
  return {
    transport,
    clients,
    client: async (amount = 1) => {
      while (clients.length < amount) await once(server, "connection")
      return clients[amount - 1] as Socket // just counted
    },
    [Symbol.asyncDispose]: async () => {
      for (const client of clients) client.destroy()
      await new Promise((over) => server.close(over))
      await remove()
    },
  }
}

/** A server on a free TCP port; like a program behind a pipe it may go on writing after our end. */
export const tcpPeer = async (): Promise<StreamPeer> => {
  const server = createServer({ allowHalfOpen: true })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo // it listens on TCP
  return peerOf(server, (options) => tcpSocket({ port }, options))
}

/** A server on a Unix socket of its own. */
export const unixPeer = async (): Promise<StreamPeer> => {
  const folder = await mkdtemp(join(tmpdir(), "entente-"))
  const path = join(folder, "server.sock")
  const server = createServer({ allowHalfOpen: true })
  server.listen(path)
  await once(server, "listening")
  return peerOf(
    server,
    (options) => unixSocket(path, options),
    () => rm(folder, { recursive: true }),
  )
}
