import { createServer, type Socket } from "node:net"
import { createInterface, type Interface } from "node:readline"

/** Somebody at the keyboard of a running server: makes edits in it, and says when each was made. */
export interface Editor extends AsyncDisposable {
  /** The port that the server is to connect to. */
  readonly port: number
  /** Resolves with the time of the edit, in milliseconds since 1970. */
  readonly edit: (what: "update" | "add" | "remove") => Promise<number>
}

/** Waits at a port for the server. */
export const editor = async (): Promise<Editor> => {
  let connected: (socket: Socket) => void = () => {}
  const socket = new Promise<Socket>((resolve) => {
    connected = resolve
  })
  const server = createServer((socket) => connected(socket))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const lines: Promise<Interface> = socket.then((input) => createInterface({ input }))
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    edit: async (what) => {
      const answered = new Promise<string>((resolve) => {
        void lines.then((answers) => answers.once("line", resolve))
      })
      const connection = await socket
      connection.write(`${what}\n`)
      return Number(await answered)
    },
    [Symbol.asyncDispose]: async () => {
      const connection = await socket
      connection.destroy()
      server.close()
    },
  }
}
