// What a contestant connects to: `{ transport: "stdio", command, args }` or `{ transport: "http", url }`.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"

const server = fileURLToPath(new URL("server.mjs", import.meta.url))

/** Over stdio each connection starts its own server; over HTTP all use the one started here. */
export const openTarget = async (transport) => {
  if (transport === "stdio") {
    return {
      target: { transport, command: process.execPath, args: [server, "stdio"] },
      close: () => {},
    }
  }
  const child = spawn(process.execPath, [server, "http"], { stdio: ["ignore", "pipe", "inherit"] })
  const [port] = await once(child.stdout.setEncoding("utf8"), "data")
  return {
    target: { transport, url: `http://127.0.0.1:${port.trim()}/mcp` },
    close: () => child.kill(),
  }
}
