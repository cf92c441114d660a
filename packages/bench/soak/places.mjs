// Where the soak connects to: for each transport its servers' process and the way to it.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { http, httpSse, memory, webSocket } from "@entente/transport"
import { tcpSocket, unixSocket } from "@entente/transport/socket"
import { stdio } from "@entente/transport/stdio"
import { answer } from "../server.mjs"

const file = (name) => fileURLToPath(new URL(name, import.meta.url))

const start = async (kind) => {
  const child = spawn(process.execPath, [file("served.mjs"), kind], {
    stdio: ["pipe", "pipe", "inherit"],
  })
  const [address] = await once(child.stdout.setEncoding("utf8"), "data")
  const close = async () => {
    child.kill()
    await once(child, "exit")
  }
  return { address: address.trim(), close }
}

const served = (kind, transport) => async () => {
  const { address, close } = await start(kind)
  return { transport: transport(address), close }
}

const nothingToClose = async () => {}

export const places = {
  memory: async () => ({
    transport: memory((client) => ({
      message: (message) => {
        const reply = answer(JSON.stringify(message))
        if (reply !== undefined) client.send(JSON.parse(reply))
      },
    })),
    close: nothingToClose,
  }),
  stdio: async () => ({
    transport: stdio({ command: process.execPath, args: [file("../server.mjs"), "stdio"] }),
    close: nothingToClose,
  }),
  "streamable-http, legacy": served("legacyHttp", (url) => http(url)),
  "streamable-http, modern": served("modernHttp", (url) => http(url)),
  "http+sse": served("httpSse", (url) => httpSse(url)),
  websocket: served("webSocket", (url) => webSocket(url)),
  tcp: served("tcp", (port) => tcpSocket({ host: "127.0.0.1", port: Number(port) })),
  unix: served("unix", (path) => unixSocket(path)),
}
